"""Taking the camels of the market."""

from jaipur.rules import Card, Rule
from jaipur.rules.cards import CAMEL, count, letters_of
from tables import allowed, played, refused, table

TABLE = table("""
      deck    S P L L
      market  D G M M M
    > seat 0  hand C L | herd 1
      seat 1  hand C
""")


def test_all_camels_of_the_market_go_into_the_herd() -> None:
    after = played(TABLE, "+M")
    assert after.herd(0) == 4
    assert letters_of(after.hand(0)) == "CL"
    assert "M" not in letters_of(after.market)


def test_taking_only_some_of_the_camels_is_illegal() -> None:
    assert refused(TABLE, "+MM").rule == Rule.CAMELS_AS_ONE
    assert refused(TABLE, "+MMM").rule == Rule.CAMELS_AS_ONE
    assert [str(legal) for legal in TABLE.legal_moves() if count(legal.taken, CAMEL)] == ["+M"]


def test_camels_are_never_taken_together_with_goods() -> None:
    assert refused(TABLE, "+DM").rule == Rule.CAMELS_ALONE
    assert refused(TABLE, "+DGM-CLM").rule == Rule.CAMELS_ALONE


def test_the_deck_refills_as_many_places_as_camels_were_taken() -> None:
    after = played(TABLE, "+M")
    assert letters_of(after.market) == "DGSPL"
    assert after.deck_left() == [Card.LEATHER]


def test_camels_from_the_deck_stay_in_the_market_until_they_are_taken() -> None:
    position = table("""
          deck    M M L
          market  D G L L M
        > seat 0  hand C
          seat 1  hand P
    """)
    after = played(position, "+M")
    assert (letters_of(after.market), after.herd(0)) == ("DGLLM", 1)
    assert played(after, "+M").herd(1) == 1


def test_camels_cannot_be_taken_from_a_market_without_camels() -> None:
    position = table("""
          market  D G L L L
        > seat 0  herd 2
    """)
    assert refused(position, "+M").rule == Rule.NO_CAMELS_IN_MARKET


def test_five_camels_in_the_market_can_be_taken() -> None:
    position = table("""
          deck    D G S C P L
          market  M M M M M
        > seat 0  hand L
    """)
    assert allowed(position, "+M")
    after = played(position, "+M")
    assert (letters_of(after.market), after.herd(0)) == ("DGSCP", 5)
