"""The contents of the box: cards, goods tokens, bonus tokens, the camel token."""

from collections import Counter

from jaipur.rules import new_round
from jaipur.rules.cards import LETTERS, cards_in, letters_of
from tables import dealt, table

FRESH_TABLE = table("")


def test_the_55_cards_are_6_of_each_precious_good_8_cloth_8_spice_10_leather_and_11_camels() -> (
    None
):
    position = new_round(dealt("DDDMM LLLLM GM"))
    lying = [position.market, *position.holdings]
    cards = [card for pile in lying for card in cards_in(pile)] + position.deck_left()
    assert len(cards) == 55
    assert Counter(LETTERS[card] for card in cards) == Counter(D=6, G=6, S=6, C=8, P=8, L=10, M=11)


def test_goods_tokens_pay_what_is_printed_with_the_highest_on_top() -> None:
    assert (
        "tokens   D 7 7 5 5 5 | G 6 6 5 5 5 | S 5 5 5 5 5 | "
        "C 5 3 3 2 2 1 1 | P 5 3 3 2 2 1 1 | L 4 3 2 1 1 1 1 1 1"
    ) in str(FRESH_TABLE)


def test_there_are_seven_bonus_tokens_for_three_cards_six_for_four_and_five_for_five() -> None:
    piles = [FRESH_TABLE.bonus_left(pile) for pile in range(3)]
    assert piles == [[1, 1, 2, 2, 2, 3, 3], [4, 4, 5, 5, 6, 6], [8, 8, 9, 10, 10]]


def test_the_camel_token_is_worth_five_rupees() -> None:
    ended = table("""
            round   ended deck
            seat 0  herd 1
        """).result()
    assert ended is not None
    assert ended.rupees == (5, 0)


def test_cards_are_always_written_in_the_order_of_their_kinds() -> None:
    position = table("seat 0 hand LDCPSG")
    assert letters_of(position.hand(0)) == "DGSCPL"
