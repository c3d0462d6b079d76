"""The player `random`, and the players `idler`, `apprentice` and `peddler`, which make typical mistakes of beginners.

The beginners take the good with the highest next token and sell pairs as soon as possible. They never save cards for a
bonus, seldom take camels and do not exchange. They differ only in how often they play a random move.
"""

from collections.abc import Sequence
from random import Random

from jaipur.players.player import Budget, Player
from jaipur.rules import Move, View
from jaipur.rules.cards import CAMEL_MASK, GOODS, count
from jaipur.rules.tokens import tokens_paid

PAIR = 2

# The score of a pair sale is just above the score of taking the same good. Other sales score lower than most takes.
PAIR_SALE_BONUS, OTHER_SALE_BONUS, CAMELS_SCORE = 0.5, -2.5, 1.0


class Uniform(Player):
    """Plays a random move. All legal moves are equally likely. Each move calls `rng.random` once."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return moves[int(rng.random() * len(moves))]


class Apprentice(Player):
    """Plays a random move with the probability `random_rate`, otherwise the move with the highest score."""

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
