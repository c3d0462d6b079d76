"""The hand limit of seven goods, and that there is always a legal move."""

from jaipur.rules import Rule
from jaipur.rules.cards import letters_of
from tables import allowed, played, refused, table

SEVEN = table("""
      deck    S P L
      market  D D G L M
    > seat 0  hand S S C C C P L | herd 3
""")
SIX = table("""
      deck    S P L
      market  D D G L M
    > seat 0  hand S S C C C P | herd 3
""")


def test_a_hand_holds_at_most_seven_goods_at_the_end_of_a_turn() -> None:
    assert letters_of(played(SIX, "+G").hand(0)) == "GSSCCCP"
    assert refused(SEVEN, "+G").rule == Rule.HAND_LIMIT


def test_with_seven_in_hand_no_single_good_can_be_taken() -> None:
    assert not any(allowed(SEVEN, f"+{good}") for good in "DGL")


def test_camels_do_not_count_for_the_hand_limit() -> None:
    after = played(SEVEN, "+M")
    assert (len(letters_of(after.hand(0))), after.herd(0)) == (7, 4)


def test_with_seven_in_hand_an_exchange_gives_no_camels() -> None:
    assert len(letters_of(played(SEVEN, "+DDG-CCC").hand(0))) == 7
    assert refused(SEVEN, "+DD-CM").rule == Rule.HAND_LIMIT
    assert refused(SEVEN, "+DD-MM").rule == Rule.HAND_LIMIT


def test_camels_given_may_not_raise_the_hand_above_seven() -> None:
    assert len(letters_of(played(SIX, "+DD-CM").hand(0))) == 7
    assert refused(SIX, "+DD-MM").rule == Rule.HAND_LIMIT
    assert refused(SIX, "+DDG-CMM").rule == Rule.HAND_LIMIT


def test_seven_cards_of_six_kinds_hold_a_pair_to_sell() -> None:
    position = table("""
          market  D D D D D
        > seat 0  hand G G S C P L L
    """)
    assert allowed(position, "-GG")


def test_with_fewer_than_seven_in_hand_a_good_can_be_taken() -> None:
    position = table("""
          deck    L
          market  D M M M M
        > seat 0  hand G S
    """)
    assert [str(legal) for legal in position.legal_moves()] == ["+D", "+M"]


def test_a_market_without_goods_is_five_camels_to_take() -> None:
    position = table("""
          deck    L
          market  M M M M M
        > seat 0  hand G S
    """)
    assert [str(legal) for legal in position.legal_moves()] == ["+M"]
