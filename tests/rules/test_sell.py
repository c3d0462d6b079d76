"""Selling cards for tokens."""

import pytest

from jaipur.rules import Card, Position, Rule
from jaipur.rules.cards import letters_of
from tables import allowed, played, refused, table

TABLE = table("""
      deck    S P
      market  D G L M M
      discard C
    > seat 0  hand D D S C C C L | herd 2
""")


def leather_seller(hand: str, more: str = "") -> Position:
    """A table where seat 0 can sell leather; `more` are further lines of the drawing."""
    return table(f"> seat 0 hand {hand}\n{more}")


def test_a_sale_is_of_one_kind() -> None:
    assert refused(TABLE, "-CL").rule == Rule.ONE_KIND_A_SALE
    assert refused(TABLE, "-DDCC").rule == Rule.ONE_KIND_A_SALE


@pytest.mark.parametrize(("sold", "left"), [("-C", "CC"), ("-CC", "C"), ("-CCC", "")])
def test_a_sale_has_any_number_of_cards(sold: str, left: str) -> None:
    assert letters_of(played(TABLE, sold).hand(0)) == f"DDS{left}L"


def test_only_cards_of_the_hand_are_sold() -> None:
    assert refused(TABLE, "-CCCC").rule == Rule.NOT_IN_HAND
    assert refused(TABLE, "-P").rule == Rule.NOT_IN_HAND


def test_camels_are_never_sold() -> None:
    assert refused(TABLE, "-M").rule == Rule.CAMELS_NOT_SOLD
    assert refused(TABLE, "-LM").rule == Rule.CAMELS_NOT_SOLD


def test_sold_cards_go_to_the_discard_pile_the_last_kind_on_top() -> None:
    after = played(TABLE, "-L")
    assert letters_of(after.discard) == "CL"
    assert after.discard_top == Card.LEATHER


def test_a_sale_does_not_change_the_market_or_the_deck() -> None:
    after = played(TABLE, "-CCC")
    assert (after.market, after.deck_left()) == (TABLE.market, TABLE.deck_left())


def test_diamonds_gold_and_silver_sell_two_or_more_at_a_time() -> None:
    position = table("> seat 0 hand D D G G S S S")
    for good in "DGS":
        assert refused(position, f"-{good}").rule == Rule.TWO_PRECIOUS
        assert allowed(position, f"-{good}{good}")
    assert allowed(position, "-SSS")


def test_cloth_spice_and_leather_sell_one_at_a_time_too() -> None:
    position = table("> seat 0 hand C P L")
    assert [str(legal) for legal in position.legal_moves()] == ["-C", "-P", "-L"]


@pytest.mark.parametrize("left", ["5", "-"])
def test_precious_goods_sell_in_pairs_even_when_one_token_or_none_is_left(left: str) -> None:
    position = table(f"""
          tokens  D {left}
        > seat 0  hand D D
    """)
    assert refused(position, "-D").rule == Rule.TWO_PRECIOUS
    assert allowed(position, "-DD")


def test_a_card_earns_one_token_from_the_top_of_its_pile() -> None:
    after = played(TABLE, "-DD")
    assert after.rupees == [14, 0]
    assert letters_of(after.goods_tokens[0]) == "DD"
    assert list(after.tokens_taken) == [2, 0, 0, 0, 0, 0]
    assert played(leather_seller("LL"), "-LL").rupees == [4 + 3, 0]


def test_each_sale_takes_the_next_tokens_of_the_pile() -> None:
    position = table("""
        > seat 0  hand C C
          seat 1  hand C C
    """)
    after = played(position, "-CC", "-CC")
    assert after.rupees == [5 + 3, 3 + 2]


def test_a_sale_takes_the_tokens_that_are_left() -> None:
    after = played(leather_seller("LLLL", "tokens L 1 1"), "-LLLL")
    assert after.rupees == [2, 0]
    assert letters_of(after.goods_tokens[0]) == "LL"


def test_a_sale_without_tokens_left_is_legal() -> None:
    after = played(leather_seller("LL", "tokens L -"), "-LL")
    assert after.rupees == [0, 0]
    assert letters_of(after.discard) == "LL"


@pytest.mark.parametrize(("cards", "won"), [(1, 0), (2, 0), (3, 2), (4, 5), (5, 9), (6, 9), (7, 9)])
def test_three_four_and_five_or_more_cards_earn_the_top_token_of_their_bonus_pile(
    cards: int, won: int
) -> None:
    seller = leather_seller("L" * 7, "bonus 3: 2 1 1 | 4: 5 4 | 5: 9 8")
    after = played(seller, "-" + "L" * cards)
    assert after.bonuses[0] == (1 << 4 * won if won else 0)
    left = [len(after.bonus_left(pile)) for pile in range(3)]
    assert left == [3 - (cards == 3), 2 - (cards == 4), 2 - (cards >= 5)]


def test_the_bonus_counts_cards_sold_and_not_tokens_taken() -> None:
    after = played(leather_seller("LLLLL", "tokens L 1\nbonus 5: 10 8"), "-LLLLL")
    assert letters_of(after.goods_tokens[0]) == "L"
    assert after.bonus_left(2) == [8]


def test_an_empty_bonus_pile_gives_no_token_and_the_sale_is_legal() -> None:
    after = played(leather_seller("LLL", "bonus 3: -"), "-LLL")
    assert after.bonuses == [0, 0]
    assert after.rupees == [4 + 3 + 2, 0]
    assert [len(after.bonus_left(pile)) for pile in range(3)] == [0, 6, 5]


def test_the_other_trader_gets_nothing_from_a_sale() -> None:
    after = played(table("> seat 1 hand P P P"), "-PPP")
    assert (after.rupees, after.bonuses[0], after.goods_tokens[0]) == ([0, 5 + 3 + 3], 0, 0)
    assert after.discard_top == Card.SPICE
