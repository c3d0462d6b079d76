"""The PettingZoo environment passes PettingZoo's own tests; rewards, masks and illegal actions."""

from typing import Any

import numpy as np
import pytest

from jaipur.envs.pettingzoo import AGENTS, env
from jaipur.simulation import SimulationError


@pytest.mark.parametrize("plays", ["rounds", "games"])
def test_the_framework_tests_pass(plays: Any) -> None:  # noqa: ANN401
    # Importing these tests warns if PettingZoo's other environments are installed.
    from pettingzoo.test import api_test, seed_test  # noqa: PLC0415

    api_test(env(plays), num_cycles=150)
    seed_test(lambda: env(plays), num_cycles=40)


def test_rewards_come_at_the_end_and_only_the_seat_to_move_has_actions() -> None:
    table = env("games")
    table.reset(seed=5)
    rng = np.random.default_rng(5)
    rewards = dict.fromkeys(AGENTS, 0.0)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, info = table.last()
        rewards[agent] += reward
        if terminated or truncated:
            table.step(None)
            continue
        other = AGENTS[1 - AGENTS.index(agent)]
        assert np.flatnonzero(observation["action_mask"]).tolist() == sorted(info["actions"])
        assert not table.observe(other)["action_mask"].any()
        table.step(rng.choice(info["actions"]))
    assert sorted(rewards.values()) == [-1, 1]


def test_an_illegal_action_loses_with_a_reason() -> None:
    table = env()
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(25_498)
    assert table.rewards[agent] == -1
    assert table.infos[agent]["illegal"].startswith("-LLLLLLL: Your hand has")
    for _ in AGENTS:
        table.step(None)
    with pytest.raises(SimulationError, match="reset"):
        table.step(0)


def test_rendering_draws_the_view() -> None:
    table = env(render_mode="ansi")
    table.reset(seed=1)
    assert "market" in str(table.render()).lower()
