"""What the champion thinks of a view: the chances, the moves in order, and what the other may hide.

Hints, reviews and puzzles stand on it. It knows what the seat knows, and says the same of the same view.
"""

from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np

from jaipur.players.neural.belief import expected_hidden
from jaipur.players.neural.maharaja import answers_after, kept
from jaipur.players.neural.network import HIDDEN, LEAD, LEAD_SCALE, WIN, Network, chances_of
from jaipur.rules import Move, View, deal_unseen, legal_moves
from jaipur.rules.game import SEALS_TO_WIN, starter_after

STARTERS_SHARE = 0.61
"""Of the rounds between two champions, those that whoever starts them wins."""


class MoveEvaluation(NamedTuple):
    """A move and what is to be expected after it."""

    move: Move
    round: float
    """The chance to win the round."""
    game: float
    """The chance to win the game."""
    lead: float
    """By how many rupees the round is expected to be won, or lost where it is below zero."""


class Evaluation(NamedTuple):
    """What a view is worth to its seat, which is to move."""

    moves: tuple[MoveEvaluation, ...]
    """All legal moves, the best first."""
    hidden: tuple[float, ...]
    """By good, how many of the cards that the other has not shown are expected to be of it."""

    @property
    def best(self) -> MoveEvaluation:
        return self.moves[0]


def evaluate(view: View, network: Network | None = None) -> Evaluation:
    """Judge a view of a round that runs, with its seat to move: by the champion's network, or another."""
    if view.turn != view.seat or view.ended:
        raise ValueError("Only a running round is judged, from the seat that is to move.")
    moves = legal_moves(deal_unseen(view, Random(0)))
    answers = answers_after(network or kept("maharaja"), view, [move.code for move in moves])
    chances = chances_of(answers[:, WIN])
    leads = answers[:, LEAD] * LEAD_SCALE
    ranked = np.argsort(-chances, kind="stable").tolist()
    ordered = tuple(
        MoveEvaluation(moves[place], chance, game_chance(view, chance), float(leads[place]))
        for place, chance in zip(ranked, chances[ranked].tolist(), strict=True)
    )
    return Evaluation(ordered, expected_hidden(view, answers[ranked[0], HIDDEN:]))


def game_chance(view: View, round_chance: float) -> float:
    """The chance to win the game, for whoever has this chance to win the round.

    What a round does to the game is its seal and who starts the next, and the winner gives both: so the better chance
    to win the round is always the better chance to win the game, whatever the seals so far.
    """
    chance = 0.0
    for winner, likely in ((view.seat, round_chance), (1 - view.seat, 1 - round_chance)):
        own = view.own.seals + (winner == view.seat)
        other = view.other.seals + (winner != view.seat)
        chance += likely * _from_deal(own, other, starter_after(view.starter, winner) == view.seat)
    return chance


@cache
def _from_deal(own: int, other: int, starts: bool) -> float:
    """The chance to win a game with these seals when a round is about to be dealt."""
    if SEALS_TO_WIN in (own, other):
        return float(own == SEALS_TO_WIN)
    wins = STARTERS_SHARE if starts else 1 - STARTERS_SHARE
    # The loser starts the next round.
    return wins * _from_deal(own + 1, other, False) + (1 - wins) * _from_deal(own, other + 1, True)
