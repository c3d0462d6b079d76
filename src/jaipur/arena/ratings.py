"""Bradley-Terry ratings with a term for starting: the log-odds that i wins a round it starts are r_i - r_j + s.

Newton's method maximises the likelihood of all replicates at once. A round without a winner is half a win for both.
Every match gets one additional drawn pair, which keeps the rating of an unbeaten player finite.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jaipur.arena.bootstrap import Estimate, Numbers, estimate

ELO = 400 / np.log(10)
"""Elo points per unit of log-odds: a lead of 400 means odds of ten to one."""

_MAX_STEPS = 100
_MAX_STEP_LENGTH = 2.0
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Ratings:
    """Player ratings (mean 0), and the starter's advantage: in rating points, and as win share between equals."""

    players: tuple[Estimate, ...]
    starting: Estimate
    starting_share: Estimate


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over pairs: one row per replicate, one column per match.

    `starting` is the first player's score in the rounds that it started, `replying` in the other rounds.
    """

    pairs: Numbers
    starting: Numbers
    replying: Numbers
    drawn: Numbers
    """Weight of the additional drawn pair."""


def rate(
    players: int, matches: Sequence[tuple[int, int]], tally: Tally, replicates: Tally
) -> Ratings:
    """Ratings from a tally, with confidence intervals from its bootstrap replicates."""
    fitted = fit(players, matches, tally)[0]
    resampled = fit(players, matches, replicates)
    last = len(fitted) - 1
    return Ratings(
        tuple(
            estimate(float(fitted[player] * ELO), resampled[:, player] * ELO)
            for player in range(players)
        ),
        estimate(float(fitted[last] * ELO), resampled[:, last] * ELO),
        estimate(float(_logistic(fitted[last])), _logistic(resampled[:, last])),
    )


def fit(players: int, matches: Sequence[tuple[int, int]], tally: Tally) -> Numbers:
    """Maximum-likelihood ratings as log-odds (mean 0), followed by the term for starting. One row per replicate."""
    design = _design(players, matches)
    rounds = np.repeat(tally.pairs + tally.drawn, 2, axis=1)
    won = np.empty_like(rounds)
    won[:, 0::2] = tally.starting + tally.drawn / 2
    won[:, 1::2] = tally.replying + tally.drawn / 2
    solution = np.zeros((len(rounds), players))
    for _ in range(_MAX_STEPS):
        expected = _logistic(solution @ design.T)
        gradient = (won - rounds * expected) @ design
        hessian = np.einsum("bm,mi,mj->bij", rounds * expected * (1 - expected), design, design)
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        # Far from the maximum the likelihood is flat, and a full Newton step could diverge.
        length = np.abs(step).max(axis=1, keepdims=True)
        solution += step * np.minimum(1, _MAX_STEP_LENGTH / np.maximum(length, _TOLERANCE))
        if length.max() < _TOLERANCE:
            break
    ratings = np.hstack([np.zeros((len(solution), 1)), solution[:, :-1]])
    return np.hstack([ratings - ratings.mean(axis=1, keepdims=True), solution[:, -1:]])


def _design(players: int, matches: Sequence[tuple[int, int]]) -> Numbers:
    """Two rows per match: the first player starts, or does not. Player 0 is fixed at 0. The last column is starting."""
    rows = np.zeros((2 * len(matches), players + 1))
    for match, (first, second) in enumerate(matches):
        rows[2 * match : 2 * match + 2, first] += 1
        rows[2 * match : 2 * match + 2, second] -= 1
        rows[2 * match : 2 * match + 2, players] = (1, -1)
    return rows[:, 1:]


def _logistic(odds: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-odds))
