"""Taking several goods from the market for as many cards."""

import pytest

from jaipur.rules import Rule
from jaipur.rules.cards import letters_of
from tables import allowed, played, refused, table

TABLE = table("""
      deck    S P
      market  D D G L M
    > seat 0  hand S C C L | herd 2
""")


def test_two_or_more_goods_of_any_kinds_are_taken_for_as_many_cards() -> None:
    after = played(TABLE, "+DG-SC")
    assert letters_of(after.hand(0)) == "DGCL"
    assert letters_of(after.market) == "DSCLM"
    assert allowed(TABLE, "+DD-SC")
    assert allowed(TABLE, "+DDG-SCC")


def test_all_five_cards_of_the_market_can_be_exchanged_at_once() -> None:
    position = table("""
          market  D D G L L
        > seat 0  hand S C C P | herd 1
    """)
    after = played(position, "+DDGLL-SCCPM")
    assert letters_of(after.hand(0)) == "DDGLL"
    assert letters_of(after.market) == "SCCPM"


@pytest.mark.parametrize(
    ("given", "market", "herd"), [("-CC", "DCCLM", 2), ("-MM", "DLMMM", 0), ("-CM", "DCLMM", 1)]
)
def test_goods_of_the_hand_camels_of_the_herd_or_both_are_given(
    given: str, market: str, herd: int
) -> None:
    assert allowed(TABLE, "+DG" + given)
    after = played(TABLE, "+DG" + given)
    assert (letters_of(after.market), after.herd(0)) == (market, herd)


def test_an_exchange_of_one_card_for_one_is_illegal() -> None:
    assert refused(TABLE, "+D-C").rule == Rule.ONE_FOR_ONE
    assert refused(TABLE, "+D-M").rule == Rule.ONE_FOR_ONE


@pytest.mark.parametrize("uneven", ["+DG-C", "+D-CC", "+DG-CCM", "+DDG-CC"])
def test_an_exchange_gives_as_many_cards_as_it_takes(uneven: str) -> None:
    assert refused(TABLE, uneven).rule == Rule.UNEVEN_EXCHANGE


@pytest.mark.parametrize("same", ["+DL-CL", "+GL-LM", "+DDL-CCL"])
def test_no_kind_of_good_is_both_taken_and_given(same: str) -> None:
    assert refused(TABLE, same).rule == Rule.SAME_KIND


@pytest.mark.parametrize("with_camel", ["+DM-CC", "+M-C", "+MM-CC"])
def test_camels_are_given_but_never_taken_in_an_exchange(with_camel: str) -> None:
    assert refused(TABLE, with_camel).rule == Rule.CAMELS_ALONE
    assert allowed(TABLE, "+DG-MM")


def test_given_cards_come_from_the_hand_and_the_herd() -> None:
    assert refused(TABLE, "+DG-SS").rule == Rule.NOT_IN_HAND
    assert refused(TABLE, "+DDG-MMM").rule == Rule.NOT_IN_HERD


def test_taken_goods_are_in_the_market() -> None:
    assert refused(TABLE, "+GG-CC").rule == Rule.NOT_IN_MARKET


def test_an_exchange_does_not_touch_the_deck() -> None:
    after = played(TABLE, "+DDG-SCM")
    assert after.deck_left() == TABLE.deck_left()


def test_the_other_trader_can_take_the_given_cards() -> None:
    after = played(TABLE, "+DD-CM")
    assert letters_of(after.market) == "GCLMM"
    assert allowed(after, "+C")


def test_exchanges_may_repeat_without_limit() -> None:
    position = table("""
          deck    S P
          market  D D G L M
        > seat 0  hand S C C L
          seat 1  hand P P L
    """)
    there_and_back = ("+DD-CC", "+CC-PP", "+PP-DD", "+DD-CC", "+CC-PP", "+PP-DD")
    after = played(position, *there_and_back * 100)
    assert after.moves_played == 600
    assert (after.market, after.holdings) == (position.market, position.holdings)
    assert after.legal_moves()
