"""Shares, intervals, ratings and the sequential test, on made-up pairs whose truth is known."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp, isfinite

import numpy as np
import pytest

from jaipur.arena.bootstrap import share_estimate, sums
from jaipur.arena.figures import figures, match_figures
from jaipur.arena.pairs import Outcome, Pair
from jaipur.arena.play import Thought
from jaipur.arena.ratings import ELO
from jaipur.arena.sequential import ERROR, ShareTest


def made_up(
    wins_starting: float, wins_replying: float, pairs: int, rng: np.random.Generator
) -> Iterator[Pair]:
    """Pairs whose first player wins with these chances."""
    draws = rng.random((pairs, 2))
    for number in range(pairs):
        scores = (
            float(draws[number, 0] < wins_starting),
            float(draws[number, 1] < wins_replying),
        )
        outcomes = tuple(
            Outcome(score, int(20 * score - 10), started, "goods")
            for score, started in zip(scores, (True, False), strict=True)
        )
        yield Pair(0, number, (outcomes[0], outcomes[1]), (Thought(), Thought()), ("", ""))


def chance(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def series(
    strengths: Sequence[float], starting: float, pairs: int
) -> tuple[list[list[Pair]], list[tuple[int, int]]]:
    rng = np.random.default_rng(5)
    matches = list(combinations(range(len(strengths)), 2))
    played = [
        list(
            made_up(
                chance(strengths[one] - strengths[other] + starting),
                chance(strengths[one] - strengths[other] - starting),
                pairs,
                rng,
            )
        )
        for one, other in matches
    ]
    return played, matches


def test_ratings_find_the_strengths_and_the_worth_of_starting_again() -> None:
    strengths, starting = (-1.0, -0.2, 0.3, 0.9), 0.36
    found = figures(*series(strengths, starting, 3000), 4, seed=1).ratings
    for strength, rating in zip(strengths, found.players, strict=True):
        assert rating.value / ELO == pytest.approx(strength, abs=0.08)
        assert rating.low < rating.value < rating.high
        assert rating.high - rating.low < 30
    assert found.starting.value / ELO == pytest.approx(starting, abs=0.06)
    assert found.starting.low / ELO < starting < found.starting.high / ELO
    assert found.starting_share.value == pytest.approx(chance(starting), abs=0.02)


def test_rating_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    strengths, held = (-0.4, 0.0, 0.4), 0
    rng = np.random.default_rng(11)
    matches = list(combinations(range(3), 2))
    for repetition in range(30):
        played = [
            list(
                made_up(
                    chance(strengths[a] - strengths[b] + 0.3),
                    chance(strengths[a] - strengths[b] - 0.3),
                    60,
                    rng,
                )
            )
            for a, b in matches
        ]
        ratings = figures(played, matches, 3, repetition).ratings.players
        held += sum(
            rating.low <= strength * ELO <= rating.high
            for rating, strength in zip(ratings, strengths, strict=True)
        )
    assert held / 90 > 0.86


def test_a_player_that_never_lost_has_a_finite_rating_and_an_honest_interval() -> None:
    rng = np.random.default_rng(1)
    found = figures([list(made_up(1, 1, 30, rng))], [(0, 1)], 2, seed=0)
    rating = found.ratings.players[0]
    assert all(map(isfinite, (rating.low, rating.value, rating.high)))
    assert 100 < rating.low < rating.value < rating.high
    share = found.matches[0].share
    assert 0.8 < share.low < 0.95
    assert share.value == share.high == 1


def test_share_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(2)
    true, held, repetitions = 0.6, 0, 300
    for repetition in range(repetitions):
        scores = rng.binomial(2, true, 60) / 2
        again = sums(np.stack([scores, np.ones(60)], axis=1), repetition, 400)
        found = share_estimate(scores.mean(), again[:, 0] / again[:, 1], 60)
        held += found.low <= true <= found.high
    assert 0.90 < held / repetitions < 0.985


def test_the_same_pairs_and_seed_give_the_same_figures() -> None:
    pairs = list(made_up(0.7, 0.5, 50, np.random.default_rng(3)))
    assert match_figures(pairs, 4) == match_figures(pairs, 4)
    assert match_figures(pairs, 4).share.low != match_figures(pairs, 5).share.low


def test_what_nobody_won_counts_half_and_apart_and_a_forfeit_has_no_rupees() -> None:
    rounds = (
        Outcome(0.5, 0, True, "goods"),
        Outcome(0.5, 4, False, "abandoned"),
        Outcome(0.0, None, True, "forfeit", (0, "late")),
        Outcome(1.0, 8, False, "deck"),
    )
    nothing = (Thought(), Thought())
    pairs = [Pair(0, n, (rounds[2 * n], rounds[2 * n + 1]), nothing, ("", "")) for n in (0, 1)]
    found = match_figures(pairs)
    assert (found.won, found.lost, found.tied, found.abandoned) == (1, 1, 1, 1)
    assert found.forfeits[0] == {"late": 1}
    assert found.share.value == 0.5
    assert found.rupees is not None
    assert found.rupees.value == 4


def answers(true: float, share: float, pairs: int, tests: int) -> list[tuple[str, int]]:
    rng = np.random.default_rng(7)
    found: list[tuple[str, int]] = []
    for _ in range(tests):
        test = ShareTest(share)
        for score in rng.binomial(2, true, pairs) / 2:
            if test.feed(float(score)) != "open":
                break
        found.append((test.verdict.answer, test.verdict.pairs))
    return found


@pytest.mark.parametrize("share", [0.5, 0.55, 0.8])
def test_at_the_very_share_either_answer_is_rare(share: float) -> None:
    found = [answer for answer, _ in answers(share, share, 400, 200)]
    # Three standard deviations above the bound.
    most = 200 * ERROR + 3 * (200 * ERROR * (1 - ERROR)) ** 0.5
    assert found.count("yes") < most
    assert found.count("no") < most


@pytest.mark.parametrize(("true", "right", "wrong"), [(0.65, "yes", "no"), (0.45, "no", "yes")])
def test_a_clear_difference_is_found_soon_and_rightly(true: float, right: str, wrong: str) -> None:
    found = answers(true, 0.55, 1500, 100)
    named = [answer for answer, _ in found]
    assert named.count(right) >= 97
    assert named.count(wrong) <= 5
    assert np.mean([pairs for _, pairs in found]) < 250


def test_an_answer_once_given_stays() -> None:
    test = ShareTest(0.5)
    while test.feed(1.0) == "open":
        pass
    pairs = test.verdict.pairs
    assert [test.feed(0.0) for _ in range(50)] == ["yes"] * 50
    assert test.verdict.pairs == pairs
