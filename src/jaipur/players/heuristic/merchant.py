"""The player `merchant`: looks one move ahead and weighs what it leaves behind, for itself and for the other."""

from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget
from jaipur.players.heuristic.evaluation import Appraisal
from jaipur.players.heuristic.value_tables import EXPECTED_BONUS
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.cards import CAMEL_SHIFT
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import MOVES
from jaipur.rules.tokens import SMALLEST_BONUS_SALE


class Merchant:
    """Plays the move with the best prospects."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return MOVES[appraise(view, rng).best()]

    def close(self) -> None:
        pass


def appraise(view: View, rng: Random) -> Appraisal:
    """Weigh the moves of a view by what its seat knows: cards the other has shown, bonus tokens at average."""
    position = deal_unseen(view, rng)
    codes = [0] * MOST_MOVES
    listed = list_moves(position, codes)
    shown = view.other.shown + (view.other_herd() << CAMEL_SHIFT)
    own = view.own.rupees + sum(view.own.bonus_values or ())
    guessed = sum(
        tokens * EXPECTED_BONUS[SMALLEST_BONUS_SALE + pile]
        for pile, tokens in enumerate(view.other.bonuses)
    )
    return Appraisal(position, codes, listed, shown, own - view.other.rupees - guessed)
