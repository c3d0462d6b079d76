"""Evaluation of a view: the value of each legal move, and the belief about the opponent's hidden cards.

The value of a move consists of the probabilities of winning the round and the game, and the expected lead. The
evaluation uses no random numbers: equal views give equal results.
"""

from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np

from jaipur.players.neural.afterstates import exact_outputs, expected_hidden
from jaipur.players.neural.network import (
    HIDDEN,
    LEAD,
    LEAD_SCALE,
    WIN,
    Network,
    bundled_network,
    sigmoid,
)
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.game import SEALS_TO_WIN, starter_after

FIRST_PLAYER_WIN_RATE = 0.61
"""If two champions play each other, the player who moves first wins this share of the rounds."""


class MoveEvaluation(NamedTuple):
    move: Move
    win_probability: float
    """The probability of winning the round."""
    game_win_probability: float
    expected_lead: float
    """The expected lead in rupees at the end of the round. It is negative if the opponent is expected to lead."""


class Evaluation(NamedTuple):
    """The evaluation of a view. All values apply to the seat of the view."""

    moves: tuple[MoveEvaluation, ...]
    """All legal moves, best first."""
    belief: tuple[float, ...]
    """By good: the expected number of hidden cards in the opponent's hand."""

    @property
    def best(self) -> MoveEvaluation:
        return self.moves[0]


def evaluate(view: View, network: Network | None = None) -> Evaluation:
    """Evaluate the legal moves of the view's seat. The default network is the champion's network.

    Raise `ValueError` if it is not the turn of this seat.
    """
    if view.turn != view.seat or view.ended:
        raise ValueError("Only a view of the seat to move in a running round can be evaluated.")
    moves = deal_unseen(view, Random(0)).legal_moves()
    codes = [move.code for move in moves]
    outputs = exact_outputs(network or bundled_network("maharaja"), view, codes)
    probabilities = sigmoid(outputs[:, WIN])
    leads = outputs[:, LEAD] * LEAD_SCALE
    order = np.argsort(-probabilities, kind="stable").tolist()
    evaluations = tuple(
        MoveEvaluation(moves[i], wins, game_win_probability(view, wins), float(leads[i]))
        for i, wins in zip(order, probabilities[order].tolist(), strict=True)
    )
    return Evaluation(evaluations, expected_hidden(view, outputs[order[0], HIDDEN:]))


def game_win_probability(view: View, win_probability: float) -> float:
    """Return the probability of winning the game, given the probability of winning the current round.

    A higher probability for the round always gives a higher probability for the game.
    """
    total = 0.0
    for winner, weight in ((view.seat, win_probability), (1 - view.seat, 1 - win_probability)):
        own = view.own.seals + (winner == view.seat)
        other = view.other.seals + (winner != view.seat)
        starts = starter_after(view.starter, winner) == view.seat
        total += weight * _before_round(own, other, starts)
    return total


@cache
def _before_round(own: int, other: int, starts: bool) -> float:
    """Return the probability of winning the game before a round is dealt.

    `own` and `other` are the seals of both traders. `starts` is true if the own seat moves first.
    """
    if SEALS_TO_WIN in (own, other):
        return float(own == SEALS_TO_WIN)
    wins = FIRST_PLAYER_WIN_RATE if starts else 1 - FIRST_PLAYER_WIN_RATE
    # The loser starts the next round.
    won, lost = _before_round(own + 1, other, False), _before_round(own, other + 1, True)
    return wins * won + (1 - wins) * lost
