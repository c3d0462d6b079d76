"""The observation and action spaces that PettingZoo and Gymnasium share."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from jaipur.envs.actions import ACTIONS
from jaipur.simulation.features import WIDTH


def make_spaces() -> tuple[Dict, Discrete]:
    """The observation space and the action space of one agent."""
    observation = Dict(
        {
            "observation": Box(-2.0, 2.0, (WIDTH,), np.float32),
            "action_mask": Box(0, 1, (ACTIONS,), np.int8),
        }
    )
    return observation, Discrete(ACTIONS)
