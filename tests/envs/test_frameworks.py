"""The adapters, judged by the frameworks' own tests, and what those tests do not look at."""

import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from jaipur.envs import actions
from jaipur.envs.gymnasium import JaipurEnv
from jaipur.envs.openspiel import JaipurState
from jaipur.envs.pettingzoo import AGENTS, env
from jaipur.rules import Move, Seat
from jaipur.simulation import SimulationError


@pytest.fixture(autouse=True)
def their_warnings() -> Iterator[None]:
    """The frameworks warn of dictionaries as observations, which is how both of them document masks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def pick(state: Any, rng: np.random.RandomState) -> int:  # noqa: ANN401
    """A uniform action, or chance as likely as it is."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choice(outcomes, p=chances))
    return int(rng.choice(state.legal_actions()))


def states(seed: int) -> Iterator[JaipurState]:
    """Every state of a round."""
    rng = np.random.RandomState(seed)
    state = pyspiel.load_game("jaipur").new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(pick(state, rng))
    yield state


class TestActions:
    def test_the_numbers_never_change(self) -> None:
        table = "\n".join(f"{action} {move}" for action, move in enumerate(actions.all_moves()))
        assert len(actions.all_moves()) == actions.ACTIONS == 25_499
        assert table.startswith("0 +D\n1 +G\n")
        assert table.endswith("25498 -LLLLLLL")
        assert sha256(table.encode()).hexdigest() == GOLDEN

    @pytest.mark.parametrize("action", [0, 6, 7, 12_345, 25_498])
    def test_numbers_stand_for_moves(self, action: int) -> None:
        move = actions.move_of(action)
        assert actions.action_of(move) == action
        assert Move.parse(str(move)) == move

    def test_what_has_no_number(self) -> None:
        for action in (-1, 25_499):
            with pytest.raises(SimulationError, match="numbered 0 to 25498"):
                actions.move_of(action)
        with pytest.raises(SimulationError, match="no number"):
            actions.action_of(Move.parse("+DG"))


class TestPettingZoo:
    @pytest.mark.parametrize("plays", ["rounds", "games"])
    def test_its_own_tests_pass(self, plays: Any) -> None:  # noqa: ANN401
        # Importing them warns where the other environments of PettingZoo are installed.
        from pettingzoo.test import api_test, seed_test  # noqa: PLC0415

        api_test(env(plays), num_cycles=150)
        seed_test(lambda: env(plays), num_cycles=40)

    def test_a_game_is_paid_at_its_end_and_only_the_seat_to_move_may_act(self) -> None:
        table = env("games")
        table.reset(seed=5)
        rng = np.random.default_rng(5)
        paid = dict.fromkeys(AGENTS, 0.0)
        for agent in table.agent_iter():
            seen, reward, ended, given_up, info = table.last()
            paid[agent] += reward
            if ended or given_up:
                table.step(None)
                continue
            other = AGENTS[1 - AGENTS.index(agent)]
            assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(info["actions"])
            assert not table.observe(other)["action_mask"].any()
            table.step(rng.choice(info["actions"]))
        assert sorted(paid.values()) == [-1, 1]

    def test_what_is_not_legal_loses_and_the_reason_is_told(self) -> None:
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

    def test_it_can_be_looked_at(self) -> None:
        table = env(render_mode="ansi")
        table.reset(seed=1)
        assert "market" in str(table.render()).lower()


class TestGymnasium:
    def test_its_own_test_passes(self) -> None:
        made = gymnasium.make(
            "jaipur.envs.gymnasium:Jaipur-v1", against="greedy", render_mode="ansi"
        )
        check_env(made.unwrapped)
        check_env(JaipurEnv("random", plays="games", seat=1))

    def test_rounds_by_the_mask_are_won_and_lost(self) -> None:
        table = JaipurEnv("idler")
        rng = np.random.default_rng(1)
        paid = []
        for seed in range(12):
            _, info = table.reset(seed=seed)
            over = False
            while not over:
                legal = np.flatnonzero(table.action_masks())
                assert legal.tolist() == sorted(info["actions"])
                _, reward, ended, given_up, info = table.step(rng.choice(legal))
                over = ended or given_up
            paid.append(reward)
        assert set(paid) <= {-1.0, 0.0, 1.0}
        assert -1.0 in paid

    def test_what_is_not_legal_loses_and_the_reason_is_told(self) -> None:
        table = JaipurEnv("greedy", seat=0)
        table.reset(seed=1)
        _, reward, ended, _, info = table.step(25_498)
        assert (reward, ended) == (-1.0, True)
        assert "leather" in info["illegal"]


class TestOpenSpiel:
    def test_its_own_test_passes(self) -> None:
        game = pyspiel.load_game("jaipur")
        pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)

    @pytest.mark.parametrize("seed", range(3))
    def test_another_world_cannot_be_told_from_this_one(self, seed: int) -> None:
        sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
        others = set[str]()
        for state in states(seed):
            if state.is_chance_node() or state.is_terminal():
                continue
            for seat in (0, 1):
                world = state.resample_from_infostate(seat, sampler)
                assert known(world, seat) == known(state, seat)
                assert world.current_player() == state.current_player()
                if world.information_state_string(1 - seat) != state.information_state_string(
                    1 - seat
                ):
                    others.add(str(world))
        assert len(others) > 10, "hidden cards were dealt anew"

    def test_a_seat_does_not_hear_of_hidden_cards(self) -> None:
        state = pyspiel.load_game("jaipur").new_initial_state()
        for action in (1, *(0, 1, 2, 6, 4), *(5, 5, 3, 6, 6), 0, 4):
            state.apply_action(action)
        assert state.information_state_string(0) == "0 1: DGSMP ???MM DP"
        assert state.information_state_string(1) == "1 1: ???M? LLCMM DP"

    def test_its_bots_play_whole_rounds(self) -> None:
        rng = np.random.RandomState(3)
        game = pyspiel.load_game("jaipur")
        rollouts = RandomRolloutEvaluator(1, rng)
        bots = (
            ISMCTSBot(game, rollouts, 1.0, 4, random_state=rng),
            MCTSBot(game, 1.0, 3, rollouts, random_state=rng),
        )
        state = game.new_initial_state()
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(
                pick(state, rng) if chance else int(bots[state.current_player()].step(state))
            )
        assert state.returns() in ([1, -1], [-1, 1], [0, 0])

    def test_what_cannot_be_asked(self) -> None:
        game = pyspiel.load_game("jaipur")
        sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
        with pytest.raises(SimulationError, match="somebody is to move"):
            game.new_initial_state().resample_from_infostate(0, sampler)
        with pytest.raises(SimulationError, match="no parameters"):
            game.make_py_observer(None, {"colour": 1})


def test_the_page_about_them_runs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "frameworks.md").read_text(
        encoding="utf-8"
    )
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)  # noqa: PLW1510
    assert done.returncode == 0, done.stderr
    pattern = r"trader_\d (-1|0|1).0\ntrader_\d (-1|0|1).0\n(won|lost|nobody won)\n\[.*\]\n"
    assert re.fullmatch(pattern, done.stdout), done.stdout


def known(state: JaipurState, seat: Seat) -> tuple[object, ...]:
    return (
        state.information_state_string(seat),
        state.information_state_tensor(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
    )


GOLDEN = "ab084a5fcefd7fa72e6340230531cf5bbdea900c5d46549032e5c57826959f78"
