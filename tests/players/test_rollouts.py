"""Rollouts and the grand-maharaja, which searches with them."""

import subprocess
import sys
from random import Random
from time import process_time
from typing import Any

import numpy as np

from jaipur.analysis.evaluation import evaluate
from jaipur.players import Budget
from jaipur.players.neural.grand_maharaja import CandidateRace, GrandMaharaja, sampling_odds
from jaipur.players.neural.network import bundled_network
from jaipur.players.neural.rollouts import Probabilities, Rollouts
from jaipur.rules import Deal, deal_unseen, new_round
from jaipur.rules.cards import GOODS, count, size
from jaipur.rules.scoring import round_winner
from jaipur.rules.turn import carry_out
from players.positions import sample_positions

NETWORK = bundled_network("maharaja")


def compiled_rollouts() -> Rollouts:
    return Rollouts(NETWORK, "cpu")


def plain_rollouts() -> Rollouts:
    return Rollouts(NETWORK, "plain")


def test_compiled_and_plain_rollouts_agree() -> None:
    compiled, plain = compiled_rollouts(), plain_rollouts()
    for position in sample_positions(rounds=1, every=6):
        codes = [move.code for move in position.legal_moves()][:3]
        expected = compiled.win_probabilities(position, codes, [1, 2, 3, 4], 4)
        found = plain.win_probabilities(position, codes, [1, 2, 3, 4], 4)
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)


def test_a_finished_round_counts_as_its_result() -> None:
    rollouts, last_moves = plain_rollouts(), 0
    for position in sample_positions(rounds=3, every=3):
        view, seeds = position.view(position.turn), range(8)
        for move in position.legal_moves():
            after = position.copy()
            carry_out(after, move.code)
            if not after.ended:
                continue
            last_moves += 1
            found = set(rollouts.win_probabilities(position, [move.code], seeds, 4).flat)
            assert found <= {0.0, 0.5, 1.0}
            results = set()
            for seed in seeds:
                world = deal_unseen(view, Random(seed))
                carry_out(world, move.code)
                results.add(float(round_winner(world) == view.seat))
            if len(results) == 1:
                assert found == results
    assert last_moves > 3


def test_without_odds_both_hands_stay_as_they_are() -> None:
    rollouts, varied = compiled_rollouts(), 0
    for position in sample_positions(rounds=2, every=2):
        sales = [
            move.code for move in position.legal_moves() if not move.taken and size(move.given) < 3
        ]
        for code in sales[:1]:
            fixed = rollouts.win_probabilities(position, [code], range(8), 1, odds=None)
            assert len(set(fixed.flat)) == 1
            varied += len(set(rollouts.win_probabilities(position, [code], range(8), 1).flat)) > 1
    assert varied > 3


def test_win_probabilities_belong_to_the_seat_to_move_for_odd_and_even_plies() -> None:
    rollouts, clear = compiled_rollouts(), 0
    for position in sample_positions(rounds=2, every=4):
        best = evaluate(position.view(position.turn)).best
        if 0.05 < best.win_probability < 0.95:
            continue
        clear += 1
        for plies in (1, 2, 3, 4):
            found = rollouts.win_probabilities(position, [best.move.code], range(32), plies)
            assert abs(found.mean() - best.win_probability) < 0.2
    assert clear > 3


def test_the_grand_maharaja_plays_the_same_with_compiled_and_plain_rollouts() -> None:
    players = [GrandMaharaja(NETWORK, each) for each in (compiled_rollouts(), plain_rollouts())]
    changed_by_search = 0
    for position in sample_positions(rounds=1, every=3):
        view, moves = position.view(position.turn), position.legal_moves()
        one, other = (
            player.choose(view, moves, Random(1), Budget(iterations=32)) for player in players
        )
        assert one == other
        changed_by_search += one != evaluate(view).best.move
    assert changed_by_search


def test_the_grand_maharaja_respects_zero_iterations_and_a_time_limit() -> None:
    player = GrandMaharaja(NETWORK, compiled_rollouts())
    for position in sample_positions(rounds=1, every=9):
        view, moves = position.view(position.turn), position.legal_moves()
        without_search = player.choose(view, moves, Random(1), Budget(iterations=0))
        assert without_search == evaluate(view).best.move
        # Compile before the clock starts. CPU time does not depend on other processes.
        player.choose(view, moves, Random(1), Budget(iterations=1))
        start = process_time()
        assert player.choose(view, moves, Random(1), Budget(seconds=0.2)) in moves
        assert process_time() - start < 1.0


def test_the_grand_maharaja_extends_its_rollouts_with_more_worlds() -> None:
    class RecordedRollouts(Rollouts):
        def win_probabilities(self, *arguments: Any) -> Probabilities:  # noqa: ANN401
            plies.append(arguments[3])
            return super().win_probabilities(*arguments)

    player = GrandMaharaja(NETWORK, RecordedRollouts(NETWORK, "cpu"))
    position = new_round(Deal.shuffled(Random(6)))
    view, moves = position.view(position.turn), position.legal_moves()
    for iterations, expected in ((100, [4]), (300, [4, 6]), (1500, [4, 6, 10])):
        plies: list[int] = []
        player.choose(view, moves, Random(1), Budget(iterations=iterations))
        assert list(dict.fromkeys(plies)) == expected


def test_the_grand_maharaja_is_deterministic_and_ignores_hidden_cards_with_long_rollouts() -> None:
    player = GrandMaharaja(NETWORK, compiled_rollouts())
    for position in sample_positions(rounds=1, every=8)[1:3]:
        view, moves = position.view(position.turn), position.legal_moves()
        chosen = {
            player.choose(world.view(view.seat), moves, Random(4), Budget(iterations=1500))
            for world in (deal_unseen(view, Random(seed)) for seed in (1, 1, 2))
        }
        assert len(chosen) == 1


def test_sampling_odds_follow_the_estimate_of_hidden_cards() -> None:
    position = new_round(Deal.shuffled(Random(2)))
    view = position.view(position.turn)
    unseen = [count(view.unseen(), good) for good in GOODS]
    even = sampling_odds(view, np.array(unseen, np.float64))
    assert max(even[:6]) - min(even[:6]) <= 1
    silver = sampling_odds(view, np.array([0, 0, 5, 0, 0, 0], np.float64))
    assert silver[2] > 10 * max(silver[:2] + silver[3:])
    assert min(silver[:6]) >= 1
    assert silver[6] == even[6] == 0


def test_the_grand_maharaja_and_ismcts_play_without_numba() -> None:
    program = """
import sys
sys.modules["numba"] = None
from random import Random
from jaipur.players import Budget, player_named
from jaipur.rules import Deal, new_round
position = new_round(Deal.shuffled(Random(4)))
view, moves = position.view(position.turn), position.legal_moves()
for name in ("grand-maharaja", "ismcts"):
    print(player_named(name).choose(view, moves, Random(1), Budget(iterations=40)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    position = new_round(Deal.shuffled(Random(4)))
    view, moves = position.view(position.turn), position.legal_moves()
    player = GrandMaharaja(NETWORK, compiled_rollouts())
    grand_maharaja, ismcts = done.stdout.split()
    assert grand_maharaja == str(player.choose(view, moves, Random(1), Budget(iterations=40)))
    assert ismcts in map(str, moves)


def test_a_race_eliminates_candidates_that_are_clearly_behind_and_no_others() -> None:
    race = CandidateRace(np.array([0.5, 0.5, 0.5]))
    rng = np.random.default_rng(1)
    shared, own = rng.normal(0.5, 0.2, (64, 1)), rng.normal(0, 0.05, (64, 3))
    race.add(shared + own - [0, 0, 0.1])
    assert race.live.tolist() == [0, 1]
    race.add(shared + own[:, :2] + [0, 0.1])
    assert race.leader() == 1
    assert race.live.tolist() == [1]


def test_the_prior_decides_a_race_with_few_worlds() -> None:
    race = CandidateRace(np.array([0.6, 0.5]))
    race.add(np.array([[0.5, 0.6]]))
    assert race.live.tolist() == [0, 1]
    assert race.leader() == 0


def test_many_worlds_outweigh_the_prior() -> None:
    for worlds, leader in ((20, 0), (200, 1)):
        race = CandidateRace(np.array([0.6, 0.5]))
        race.add(np.tile([0.5, 0.52], (worlds, 1)))
        assert race.leader() == leader
