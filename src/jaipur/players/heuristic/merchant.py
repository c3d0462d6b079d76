"""The player `merchant`: one-ply search with the linear evaluation."""

from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget
from jaipur.players.heuristic.evaluation import MoveValues
from jaipur.players.heuristic.value_tables import EXPECTED_BONUS
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.cards import CAMEL_SHIFT
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import MOVES
from jaipur.rules.tokens import SMALLEST_BONUS_SALE


class Merchant:
    """Plays the move with the highest value."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return MOVES[move_values(view, rng).best()]

    def close(self) -> None:
        pass


def move_values(view: View, rng: Random) -> MoveValues:
    """Evaluate the moves of a view with the known cards and the mean bonus tokens of the opponent."""
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
