"""When a round ends: three kinds of tokens used up, or a market that cannot be filled."""

import pytest

from jaipur.rules import Rule
from jaipur.rules.cards import letters_of
from jaipur.rules.endings import OUT_OF_CARDS, OUT_OF_GOODS, RUNNING
from tables import played, refused, table

TWO_PILES_EMPTY = table("""
      deck    S P
      market  D G L L M
      tokens  D - | C - | L 1 1
    > seat 0  hand L L P | herd 1
      seat 1  hand P P
""")
TWO_CARDS_LEFT = table("""
      deck    S P
      market  D G M M M
    > seat 0  hand L L
      seat 1  hand C
""")
NO_CARD_LEFT = table("""
      market  D G L M M
    > seat 0  hand C C | herd 1
      seat 1  hand C
""")


def test_a_round_ends_when_three_kinds_of_goods_tokens_are_used_up() -> None:
    assert TWO_PILES_EMPTY.ended == RUNNING
    assert played(TWO_PILES_EMPTY, "-LL").ended == OUT_OF_GOODS


def test_a_pile_with_one_token_left_is_not_used_up() -> None:
    assert played(TWO_PILES_EMPTY, "-L").ended == RUNNING


def test_selling_into_an_empty_pile_does_not_end_the_round() -> None:
    position = table("""
          tokens  D - | C -
        > seat 0  hand C
    """)
    assert played(position, "-C").ended == RUNNING


def test_no_move_is_legal_after_the_end_of_a_round() -> None:
    over = played(TWO_PILES_EMPTY, "-LL")
    assert over.legal_moves() == []
    assert refused(over, "-PP").rule == Rule.ROUND_OVER


def test_a_round_ends_when_the_deck_cannot_fill_the_place_of_a_good() -> None:
    assert played(NO_CARD_LEFT, "+D").ended == OUT_OF_CARDS


def test_a_round_ends_when_the_deck_cannot_fill_the_places_of_the_camels() -> None:
    assert played(TWO_CARDS_LEFT, "+M").ended == OUT_OF_CARDS
    assert played(NO_CARD_LEFT, "+M").ended == OUT_OF_CARDS


def test_the_last_cards_of_the_deck_still_go_to_the_market() -> None:
    over = played(TWO_CARDS_LEFT, "+M")
    assert letters_of(over.market) == "DGSP"
    assert over.deck_left() == []
    assert over.herd(0) == 3


def test_a_deck_emptied_exactly_by_a_refill_does_not_end_the_round() -> None:
    after = played(TWO_CARDS_LEFT, "+D", "+G")
    assert after.deck_left() == []
    assert after.ended == RUNNING


@pytest.mark.parametrize("move", ["-C", "-CC", "+DG-CC", "+DG-CM"])
def test_sales_and_exchanges_do_not_need_a_deck(move: str) -> None:
    assert played(NO_CARD_LEFT, move).ended == RUNNING


def test_a_running_round_has_no_result() -> None:
    assert TWO_PILES_EMPTY.result() is None


def test_the_result_has_the_cause_of_the_end() -> None:
    for over, ended in (
        (played(TWO_PILES_EMPTY, "-LL"), "goods"),
        (played(NO_CARD_LEFT, "+D"), "deck"),
    ):
        result = over.result()
        assert result is not None
        assert result.ended == ended
