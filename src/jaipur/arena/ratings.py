"""Bradley-Terry ratings with a term for the advantage of the starting player.

If player i starts a round against player j, the log-odds that i wins are r_i - r_j + s. Newton's method maximises the
likelihood of all replicates at once. A round without a winner counts as half a win for both players. Every match gets
an additional drawn pair. Without this pair, the rating of an unbeaten player would be infinite.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jaipur.arena.bootstrap import Estimate, Numbers, estimate

ELO = 400 / np.log(10)
"""Elo points per unit of log-odds. A lead of 400 points means odds of ten to one."""

_MAX_STEPS = 100
_MAX_STEP_LENGTH = 2.0
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings in Elo points. The mean of the players is 0."""

    players: tuple[Estimate, ...]
    starting: Estimate
    """The advantage of the starting player, in Elo points."""
    starting_share: Estimate
    """The share of the rounds that the starting player wins between equal players."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over pairs, with one row per replicate and one column per match."""

    pairs: Numbers
    starting: Numbers
    """The score of the first player in the rounds that this player started."""
    replying: Numbers
    """The score of the first player in the rounds that the second player started."""
    drawn: Numbers
    """The weight of the additional drawn pair."""


def rate(
    players: int, matches: Sequence[tuple[int, int]], tally: Tally, replicates: Tally
) -> Ratings:
    """Compute the ratings from a tally, and their confidence intervals from the bootstrap replicates of the tally."""
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
    """Return the maximum-likelihood ratings, one row per replicate.

    The columns are the ratings of the players as log-odds, with mean 0, and the term for starting.
    """
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
        # Limit the length of the step. Far from the maximum the likelihood is flat, and a full step could diverge.
        length = np.abs(step).max(axis=1, keepdims=True)
        solution += step * np.minimum(1, _MAX_STEP_LENGTH / np.maximum(length, _TOLERANCE))
        if length.max() < _TOLERANCE:
            break
    ratings = np.hstack([np.zeros((len(solution), 1)), solution[:, :-1]])
    return np.hstack([ratings - ratings.mean(axis=1, keepdims=True), solution[:, -1:]])


def _design(players: int, matches: Sequence[tuple[int, int]]) -> Numbers:
    """Return the design matrix of the regression.

    Each match has two rows: the first player starts, and the second player starts. There is one column per player
    except player 0, whose rating is fixed at 0. The last column is for the term for starting.
    """
    rows = np.zeros((2 * len(matches), players + 1))
    for match, (first, second) in enumerate(matches):
        rows[2 * match : 2 * match + 2, first] += 1
        rows[2 * match : 2 * match + 2, second] -= 1
        rows[2 * match : 2 * match + 2, players] = (1, -1)
    return rows[:, 1:]


def _logistic(odds: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-odds))
