"""The Gymnasium environment passes Gymnasium's checker; rewards, masks and illegal actions."""

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

from jaipur.envs.gymnasium import JaipurEnv


def test_the_framework_checker_passes() -> None:
    made = gymnasium.make("jaipur.envs.gymnasium:Jaipur-v1", against="greedy", render_mode="ansi")
    check_env(made.unwrapped)
    check_env(JaipurEnv("random", plays="games", seat=1))


def test_random_legal_actions_finish_rounds() -> None:
    table = JaipurEnv("idler")
    rng = np.random.default_rng(1)
    rewards = []
    for seed in range(12):
        _, info = table.reset(seed=seed)
        over = False
        while not over:
            legal = np.flatnonzero(table.action_masks())
            assert legal.tolist() == sorted(info["actions"])
            _, reward, terminated, truncated, info = table.step(rng.choice(legal))
            over = terminated or truncated
        rewards.append(reward)
    assert set(rewards) <= {-1.0, 0.0, 1.0}
    assert -1.0 in rewards


def test_an_illegal_action_loses_with_a_reason() -> None:
    table = JaipurEnv("greedy", seat=0)
    table.reset(seed=1)
    _, reward, terminated, _, info = table.step(25_498)
    assert (reward, terminated) == (-1.0, True)
    assert "leather" in info["illegal"]
