"""The spaces of the PettingZoo and Gymnasium environments."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from jaipur.envs.actions import ACTIONS
from jaipur.simulation.features import WIDTH


def spaces() -> tuple[Dict, Discrete]:
    """The spaces of observations and of actions."""
    observation = Dict(
        {
            "observation": Box(-2.0, 2.0, (WIDTH,), np.float32),
            "action_mask": Box(0, 1, (ACTIONS,), np.int8),
        }
    )
    return observation, Discrete(ACTIONS)
