"""Shares, intervals, ratings and the sequential test on synthetic pairs with known parameters."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp, isfinite

import numpy as np
import pytest

from jaipur.arena.bootstrap import share_estimate, weighted_sums
from jaipur.arena.pairs import ArenaOutcome, Pair
from jaipur.arena.play import ThinkingTime
from jaipur.arena.ratings import ELO
from jaipur.arena.sequential import ERROR, SequentialTest
from jaipur.arena.statistics import match_statistics, tournament_statistics


def synthetic_pairs(
    wins_starting: float, wins_replying: float, pairs: int, rng: np.random.Generator
) -> Iterator[Pair]:
    """Pairs whose first player wins with these probabilities."""
    draws = rng.random((pairs, 2))
    for number in range(pairs):
        scores = (
            float(draws[number, 0] < wins_starting),
            float(draws[number, 1] < wins_replying),
        )
        outcomes = tuple(
            ArenaOutcome(score, int(20 * score - 10), started, "goods")
            for score, started in zip(scores, (True, False), strict=True)
        )
        yield Pair(
            0, number, (outcomes[0], outcomes[1]), (ThinkingTime(), ThinkingTime()), ("", "")
        )


def logistic(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def synthetic_matches(
    strengths: Sequence[float], starting: float, pairs: int
) -> tuple[list[list[Pair]], list[tuple[int, int]]]:
    rng = np.random.default_rng(5)
    matches = list(combinations(range(len(strengths)), 2))
    played = [
        list(
            synthetic_pairs(
                logistic(strengths[one] - strengths[other] + starting),
                logistic(strengths[one] - strengths[other] - starting),
                pairs,
                rng,
            )
        )
        for one, other in matches
    ]
    return played, matches


def test_ratings_recover_the_strengths_and_the_advantage_of_starting() -> None:
    strengths, starting = (-1.0, -0.2, 0.3, 0.9), 0.36
    found = tournament_statistics(*synthetic_matches(strengths, starting, 3000), 4, seed=1).ratings
    for strength, rating in zip(strengths, found.players, strict=True):
        assert rating.value / ELO == pytest.approx(strength, abs=0.08)
        assert rating.low < rating.value < rating.high
        assert rating.high - rating.low < 30
    assert found.starting.value / ELO == pytest.approx(starting, abs=0.06)
    assert found.starting.low / ELO < starting < found.starting.high / ELO
    assert found.starting_share.value == pytest.approx(logistic(starting), abs=0.02)


def test_rating_intervals_have_their_nominal_coverage() -> None:
    strengths, covered = (-0.4, 0.0, 0.4), 0
    rng = np.random.default_rng(11)
    matches = list(combinations(range(3), 2))
    for repetition in range(30):
        played = [
            list(
                synthetic_pairs(
                    logistic(strengths[a] - strengths[b] + 0.3),
                    logistic(strengths[a] - strengths[b] - 0.3),
                    60,
                    rng,
                )
            )
            for a, b in matches
        ]
        ratings = tournament_statistics(played, matches, 3, repetition).ratings.players
        covered += sum(
            rating.low <= strength * ELO <= rating.high
            for rating, strength in zip(ratings, strengths, strict=True)
        )
    assert covered / 90 > 0.86


def test_an_unbeaten_player_has_a_finite_rating_and_interval() -> None:
    rng = np.random.default_rng(1)
    found = tournament_statistics([list(synthetic_pairs(1, 1, 30, rng))], [(0, 1)], 2, seed=0)
    rating = found.ratings.players[0]
    assert all(map(isfinite, (rating.low, rating.value, rating.high)))
    assert 100 < rating.low < rating.value < rating.high
    share = found.matches[0].share
    assert 0.8 < share.low < 0.95
    assert share.value == share.high == 1


def test_share_intervals_have_their_nominal_coverage() -> None:
    rng = np.random.default_rng(2)
    true, covered, repetitions = 0.6, 0, 300
    for repetition in range(repetitions):
        scores = rng.binomial(2, true, 60) / 2
        replicates = weighted_sums(np.stack([scores, np.ones(60)], axis=1), repetition, 400)
        found = share_estimate(scores.mean(), replicates[:, 0] / replicates[:, 1], 60)
        covered += found.low <= true <= found.high
    assert 0.90 < covered / repetitions < 0.985


def test_the_same_pairs_and_seed_give_the_same_statistics() -> None:
    pairs = list(synthetic_pairs(0.7, 0.5, 50, np.random.default_rng(3)))
    assert match_statistics(pairs, 4) == match_statistics(pairs, 4)
    assert match_statistics(pairs, 4).share.low != match_statistics(pairs, 5).share.low


def test_ties_and_abandoned_rounds_count_half_and_a_forfeit_has_no_rupees() -> None:
    rounds = (
        ArenaOutcome(0.5, 0, True, "goods"),
        ArenaOutcome(0.5, 4, False, "abandoned"),
        ArenaOutcome(0.0, None, True, "forfeit", (0, "late")),
        ArenaOutcome(1.0, 8, False, "deck"),
    )
    times = (ThinkingTime(), ThinkingTime())
    pairs = [Pair(0, n, (rounds[2 * n], rounds[2 * n + 1]), times, ("", "")) for n in (0, 1)]
    found = match_statistics(pairs)
    assert (found.won, found.lost, found.tied, found.abandoned) == (1, 1, 1, 1)
    assert found.forfeits[0] == {"late": 1}
    assert found.share.value == 0.5
    assert found.rupees is not None
    assert found.rupees.value == 4


def answers(true: float, share: float, pairs: int, tests: int) -> list[tuple[str, int]]:
    rng = np.random.default_rng(7)
    found: list[tuple[str, int]] = []
    for _ in range(tests):
        test = SequentialTest(share)
        for score in rng.binomial(2, true, pairs) / 2:
            if test.update(float(score)) != "open":
                break
        found.append((test.result.answer, test.result.pairs))
    return found


@pytest.mark.parametrize("share", [0.5, 0.55, 0.8])
def test_wrong_answers_are_rare_at_the_tested_share(share: float) -> None:
    found = [answer for answer, _ in answers(share, share, 400, 200)]
    # Three standard deviations above the bound.
    most = 200 * ERROR + 3 * (200 * ERROR * (1 - ERROR)) ** 0.5
    assert found.count("yes") < most
    assert found.count("no") < most


@pytest.mark.parametrize(("true", "right", "wrong"), [(0.65, "yes", "no"), (0.45, "no", "yes")])
def test_a_clear_difference_is_found_correctly_within_few_pairs(
    true: float, right: str, wrong: str
) -> None:
    found = answers(true, 0.55, 1500, 100)
    named = [answer for answer, _ in found]
    assert named.count(right) >= 97
    assert named.count(wrong) <= 5
    assert np.mean([pairs for _, pairs in found]) < 250


def test_an_answer_does_not_change() -> None:
    test = SequentialTest(0.5)
    while test.update(1.0) == "open":
        pass
    pairs = test.result.pairs
    assert [test.update(0.0) for _ in range(50)] == ["yes"] * 50
    assert test.result.pairs == pairs
