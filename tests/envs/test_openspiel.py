"""The OpenSpiel game passes OpenSpiel's simulation tests; information states hide what a seat cannot know."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from jaipur.envs.openspiel import JaipurState
from jaipur.rules import Seat
from jaipur.simulation import SimulationError


def pick(state: Any, rng: np.random.RandomState) -> int:  # noqa: ANN401
    """A uniform action, or a chance outcome with its probability."""
    if state.is_chance_node():
        outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choice(outcomes, p=probabilities))
    return int(rng.choice(state.legal_actions()))


def states(seed: int) -> Iterator[JaipurState]:
    """Every state of a random round."""
    rng = np.random.RandomState(seed)
    state = pyspiel.load_game("jaipur").new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(pick(state, rng))
    yield state


def information(state: JaipurState, seat: Seat) -> tuple[object, ...]:
    return (
        state.information_state_string(seat),
        state.information_state_tensor(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
    )


def test_the_framework_tests_pass() -> None:
    game = pyspiel.load_game("jaipur")
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("seed", range(3))
def test_resampling_keeps_the_information_state(seed: int) -> None:
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    different = set[str]()
    for state in states(seed):
        if state.is_chance_node() or state.is_terminal():
            continue
        for seat in (0, 1):
            sampled = state.resample_from_infostate(seat, sampler)
            assert information(sampled, seat) == information(state, seat)
            assert sampled.current_player() == state.current_player()
            other = state.information_state_string(1 - seat)
            if sampled.information_state_string(1 - seat) != other:
                different.add(str(sampled))
    assert len(different) > 10, "the hidden cards were resampled"


def test_an_information_state_hides_the_opponents_cards() -> None:
    state = pyspiel.load_game("jaipur").new_initial_state()
    for action in (1, *(0, 1, 2, 6, 4), *(5, 5, 3, 6, 6), 0, 4):
        state.apply_action(action)
    assert state.information_state_string(0) == "0 1: DGSMP ???MM DP"
    assert state.information_state_string(1) == "1 1: ???M? LLCMM DP"


def test_bots_of_the_framework_play_whole_rounds() -> None:
    rng = np.random.RandomState(3)
    game = pyspiel.load_game("jaipur")
    rollouts = RandomRolloutEvaluator(1, rng)
    bots = (
        ISMCTSBot(game, rollouts, 1.0, 4, random_state=rng),
        MCTSBot(game, 1.0, 3, rollouts, random_state=rng),
    )
    state = game.new_initial_state()
    while not state.is_terminal():
        is_chance = state.is_chance_node()
        state.apply_action(
            pick(state, rng) if is_chance else int(bots[state.current_player()].step(state))
        )
    assert state.returns() in ([1, -1], [-1, 1], [0, 0])


def test_invalid_requests_are_refused() -> None:
    game = pyspiel.load_game("jaipur")
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    with pytest.raises(SimulationError, match="Only decision nodes"):
        game.new_initial_state().resample_from_infostate(0, sampler)
    with pytest.raises(SimulationError, match="no parameters"):
        game.make_py_observer(None, {"colour": 1})
