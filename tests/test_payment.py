"""What a sale would pay can be seen before it, and is what it then pays."""

from random import Random

import pytest

from jaipur.rules import Deal, events_of, legal_moves, new_round, play, view_of
from jaipur.rules.events import Sold, TookBonus
from jaipur.rules.view import payment_for


@pytest.mark.parametrize("seed", range(20))
def test_what_a_sale_pays_can_be_seen_before_it(seed: int) -> None:
    rng = Random(seed)
    position = new_round(Deal.shuffled(rng))
    while moves := legal_moves(position):
        for move in moves:
            if not move.taken:
                after = position.copy()
                play(after, move)
                seen = events_of(position, move, after, position.turn)
                (sold,) = (event for event in seen if isinstance(event, Sold))
                bonus = [event.pile for event in seen if isinstance(event, TookBonus)]
                payment = payment_for(view_of(position, position.turn), move.given)
                assert payment.tokens == sold.tokens
                assert payment.bonus == (bonus[0] if bonus else None)
        play(position, moves[int(rng.random() * len(moves))])
