"""Bradley-Terry ratings with a term for starting: the log-odds that i wins a round it starts are r_i - r_j + s.

Found by Newton's method on the likelihood, many replicates at once. Rounds that nobody won count half for both. Every
match gets one drawn pair more than was played, which keeps the rating of a player that never lost finite.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jaipur.arena.bootstrap import Estimate, Numbers, estimate

ELO = 400 / np.log(10)
"""Ratings are written as in chess: 400 more are odds of ten to one."""

_STEPS = 100
_LONGEST_STEP = 2.0
_EXACT = 1e-9


@dataclass(frozen=True, slots=True)
class Ratings:
    """The players' ratings, on average 0, and what starting is worth, as a rating and as a share between equals."""

    players: tuple[Estimate, ...]
    starting: Estimate
    starting_share: Estimate


@dataclass(frozen=True, slots=True)
class Tally:
    """Rounds of every match, a row a replicate: how many pairs, and what the first player scored in the rounds that it
    started and in those that it did not. Columns are matches."""

    pairs: Numbers
    starting: Numbers
    replying: Numbers
    drawn: Numbers
    """How much the drawn pair weighs that every match gets."""


def rate(
    players: int, matches: Sequence[tuple[int, int]], tally: Tally, replicates: Tally
) -> Ratings:
    """Ratings from a tally, and their intervals from replicates of it."""
    found = fit(players, matches, tally)[0]
    again = fit(players, matches, replicates)
    last = len(found) - 1
    return Ratings(
        tuple(
            estimate(float(found[player] * ELO), again[:, player] * ELO)
            for player in range(players)
        ),
        estimate(float(found[last] * ELO), again[:, last] * ELO),
        estimate(float(_logistic(found[last])), _logistic(again[:, last])),
    )


def fit(players: int, matches: Sequence[tuple[int, int]], tally: Tally) -> Numbers:
    """Log-odds of the most likely ratings, on average 0, and last that of starting; a row a replicate."""
    design = _design(players, matches)
    rounds = np.repeat(tally.pairs + tally.drawn, 2, axis=1)
    won = np.empty_like(rounds)
    won[:, 0::2] = tally.starting + tally.drawn / 2
    won[:, 1::2] = tally.replying + tally.drawn / 2
    found = np.zeros((len(rounds), players))
    for _ in range(_STEPS):
        chance = _logistic(found @ design.T)
        slope = (won - rounds * chance) @ design
        bend = np.einsum("bm,mi,mj->bij", rounds * chance * (1 - chance), design, design)
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        # Far from the top the likelihood is flat, and a full step could go beyond it for good.
        length = np.abs(step).max(axis=1, keepdims=True)
        found += step * np.minimum(1, _LONGEST_STEP / np.maximum(length, _EXACT))
        if length.max() < _EXACT:
            break
    ratings = np.hstack([np.zeros((len(found), 1)), found[:, :-1]])
    return np.hstack([ratings - ratings.mean(axis=1, keepdims=True), found[:, -1:]])


def _design(players: int, matches: Sequence[tuple[int, int]]) -> Numbers:
    """Two rows a match, the first player starting and replying; player 0 is held at 0, the last column is starting."""
    rows = np.zeros((2 * len(matches), players + 1))
    for match, (first, second) in enumerate(matches):
        rows[2 * match : 2 * match + 2, first] += 1
        rows[2 * match : 2 * match + 2, second] -= 1
        rows[2 * match : 2 * match + 2, players] = (1, -1)
    return rows[:, 1:]


def _logistic(odds: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-odds))
