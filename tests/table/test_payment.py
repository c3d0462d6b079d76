"""The payment of a sale is known before the sale."""

from random import Random

import pytest

from jaipur.notation.views import BONUS_NAMES
from jaipur.rules import Deal, new_round
from jaipur.table.happenings import Sold, TookBonus, happenings_of


@pytest.mark.parametrize("seed", range(20))
def test_a_view_predicts_the_payment_of_every_sale(seed: int) -> None:
    rng = Random(seed)
    position = new_round(Deal.shuffled(rng))
    while moves := position.legal_moves():
        for move in moves:
            if not move.taken:
                after = position.copy()
                after.play(move)
                seen = happenings_of(position, move, after, position.turn)
                (sold,) = (event for event in seen if isinstance(event, Sold))
                bonus = [
                    BONUS_NAMES.index(event.pile) for event in seen if isinstance(event, TookBonus)
                ]
                payment = position.view(position.turn).payment(move.given)
                assert payment.tokens == sold.tokens
                assert payment.bonus == (bonus[0] if bonus else None)
        position.play(moves[int(rng.random() * len(moves))])
