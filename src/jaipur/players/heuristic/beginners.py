"""The player `random`, and `apprentice`, `idler` and `peddler`, which make typical mistakes of beginners.

Beginners take the good with the highest next token, sell pairs as soon as possible, never save for a bonus, seldom take
camels and do not exchange. They differ in how often they play a random move.
"""

from collections.abc import Sequence
from random import Random

from jaipur.players.player import Budget, Player
from jaipur.rules import Move, View
from jaipur.rules.cards import CAMEL_MASK, GOODS, count
from jaipur.rules.tokens import tokens_paid

PAIR = 2

# Selling a pair ranks just above taking the same good; other sales rank below most takes.
PAIR_SALE_BONUS, OTHER_SALE_BONUS, CAMELS_SCORE = 0.5, -2.5, 1.0


class Uniform(Player):
    """Picks a move with a single call of `rng.random`; every legal move is equally likely."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return moves[int(rng.random() * len(moves))]


class Apprentice(Player):
    """Plays the move with the highest score, or a random move at the given rate."""

    def __init__(self, random_rate: float) -> None:
        self._random_rate = random_rate

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        if rng.random() < self._random_rate:
            return moves[int(rng.random() * len(moves))]
        return max(moves, key=lambda move: score(view, move))


def score(view: View, move: Move) -> float:
    """Score a move by the next token of the good that it takes or sells."""
    if move.taken & CAMEL_MASK:
        return CAMELS_SCORE
    if move.taken and move.given:
        return 0.0
    cards = move.taken or move.given
    good = next(good for good in GOODS if count(cards, good))
    next_token = tokens_paid(good, view.tokens_taken[good], 1)
    if move.taken:
        return next_token
    return next_token + (PAIR_SALE_BONUS if count(cards, good) == PAIR else OTHER_SALE_BONUS)
