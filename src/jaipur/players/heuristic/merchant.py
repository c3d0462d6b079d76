"""The players `merchant` and `broker`.

The merchant evaluates each move with the linear evaluation and plays the best move. The broker plays like the merchant
on most turns, and like the player `greedy` on the others.
"""

from collections.abc import Sequence
from random import Random

from jaipur.players.heuristic.evaluation import MoveValues
from jaipur.players.heuristic.greedy import Greedy
from jaipur.players.heuristic.value_tables import EXPECTED_BONUS
from jaipur.players.player import Budget, Player
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.cards import CAMEL_SHIFT
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import MOVES
from jaipur.rules.tokens import SMALLEST_BONUS_SALE

GREEDY_RATE = 0.4  # the fraction of turns on which the broker plays like `greedy`


class Merchant(Player):
    """Plays the move with the highest value."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return MOVES[move_values(view, rng).best()]


class Broker(Player):
    """Chooses at random on each turn whether it plays like the merchant or like `greedy`."""

    def __init__(self) -> None:
        self._merchant, self._greedy = Merchant(), Greedy()

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        player = self._greedy if rng.random() < GREEDY_RATE else self._merchant
        return player.choose(view, moves, rng, budget)


def move_values(view: View, rng: Random) -> MoveValues:
    """Evaluate the legal moves of a view.

    The opponent is assumed to hold only the known cards, and bonus tokens of average value.
    """
    position = deal_unseen(view, rng)
    codes = [0] * MOST_MOVES
    listed = list_moves(position, codes)
    shown = view.other.shown + (view.other_herd() << CAMEL_SHIFT)
    own = view.own.rupees + sum(view.own.bonus_values or ())
    expected_bonuses = sum(
        tokens * EXPECTED_BONUS[SMALLEST_BONUS_SALE + pile]
        for pile, tokens in enumerate(view.other.bonuses)
    )
    return MoveValues(position, codes, listed, shown, own - view.other.rupees - expected_bonuses)
