"""The player `apprentice` and its kin `idler` and `peddler`: beginners with a beginner's mistakes.

They like what shines, sell pairs as soon as they may and never save for a bonus, leave the camels to the other, and do
not think of exchanges. They differ in how often they are distracted and play just anything.
"""

from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget
from jaipur.rules import Move, View, count
from jaipur.rules.cards import CAMEL_MASK, GOODS
from jaipur.rules.tokens import tokens_paid

PAIR = 2

# A pair is tempting a little more than the good itself; any other sale only when nothing shines.
PAIR_TEMPTS, OTHER_SALE_TEMPTS, CAMELS_TEMPT = 0.5, -2.5, 1.0


class Apprentice:
    """Plays what tempts it most, unless distracted."""

    def __init__(self, distracted: float) -> None:
        self._distracted = distracted

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        if rng.random() < self._distracted:
            return moves[int(rng.random() * len(moves))]
        return max(moves, key=lambda move: temptation(view, move))

    def close(self) -> None:
        pass


def temptation(view: View, move: Move) -> float:
    """How a move looks to a beginner: by the next token of what it takes or sells."""
    if move.taken & CAMEL_MASK:
        return CAMELS_TEMPT
    if move.taken and move.given:
        return 0.0
    cards = move.taken or move.given
    good = next(good for good in GOODS if count(cards, good))
    shine = tokens_paid(good, view.tokens_taken[good], 1)
    if move.taken:
        return shine
    return shine + (PAIR_TEMPTS if count(cards, good) == PAIR else OTHER_SALE_TEMPTS)
