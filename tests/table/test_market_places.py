"""The places of the market's cards, which all players and spectators see alike."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaipur.rules import Deal, Move, new_round
from jaipur.table.market_places import places_after_deal, places_after_move
from tables import dealt

DEAL = dealt("DDGSC LLPPC PL CP")


@pytest.mark.parametrize(
    ("move", "places"),
    [
        ("+P", "MMMCL"),
        ("+L", "MMMPC"),
        ("+M", "CPDPL"),
        ("+PL-DG", "MMMDG"),
        ("-DD", "MMMPL"),
    ],
)
def test_a_new_card_takes_the_place_of_the_one_that_left(move: str, places: str) -> None:
    before = new_round(DEAL)
    after = before.copy()
    after.play(move)
    played = Move.parse(move)
    assert places_after_move(places_after_deal(DEAL), before, played, after) == places


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32))
def test_the_places_have_the_cards_of_the_market(seed: int) -> None:
    rng = Random(seed)
    deal = Deal.shuffled(rng)
    position, places = new_round(deal), places_after_deal(deal)
    while not position.ended and position.moves_played < 200:
        before, move = position.copy(), rng.choice(position.legal_moves())
        position.play(move)
        places = places_after_move(places, before, move, position)
        assert len(places) == 5
        assert sorted(places.replace(".", "")) == sorted(str(position.view(0).market))
