"""The set-up of a round: where the cards go, and which parts are random."""

from random import Random

import pytest

from jaipur.rules import Card, Deal, WrongDeal, new_round
from jaipur.rules.cards import CAMEL, letters_of, parse_cards
from jaipur.rules.tokens import BONUS_TOKENS
from tables import dealt, table

DEAL = dealt("DDGSM LLLPM CM")
TABLE = new_round(DEAL)


def test_the_market_starts_with_three_camels() -> None:
    assert letters_of(new_round(dealt("DDDDD GGGGG SC")).market) == "SCMMM"


def test_each_trader_is_dealt_five_cards() -> None:
    position = new_round(dealt("DDGSC LLLPP"))
    assert [letters_of(position.hand(seat)) for seat in (0, 1)] == ["DDGSC", "PPLLL"]


def test_two_more_cards_go_to_the_market_and_may_be_camels() -> None:
    assert letters_of(new_round(dealt("DDDDD GGGGG LL")).market) == "LLMMM"
    assert letters_of(new_round(dealt("DDDDD GGGGG MM")).market) == "MMMMM"


def test_forty_cards_remain_in_the_deck_in_the_order_of_the_pack() -> None:
    assert len(TABLE.deck_left()) == 40
    assert TABLE.deck_left() == list(DEAL.pack[12:])


def test_dealt_camels_go_to_the_herd_and_never_into_the_hand() -> None:
    position = new_round(dealt("MDMGM LMPPP"))
    assert [letters_of(position.hand(seat)) for seat in (0, 1)] == ["DG", "PPPL"]
    assert [position.herd(seat) for seat in (0, 1)] == [3, 1]


def test_a_round_begins_with_nothing_sold_and_no_dealt_card_shown() -> None:
    assert (
        table("""
          deck    DDDD GGGGG SSSSS CCCCCCC PPPPPPP LLLLLLL MMMMM
          market  C MMMM
        > seat 0  hand DDGS | herd 1
          seat 1  hand LLLP | herd 1
    """)
        == TABLE
    )


def test_bonus_tokens_are_shuffled_pile_by_pile() -> None:
    deals = [Deal.shuffled(Random(seed)) for seed in range(20)]
    for pile, tokens in enumerate(BONUS_TOKENS):
        orders = [deal.bonus[pile] for deal in deals]
        assert {tuple(sorted(order)) for order in orders} == {tokens}
        assert len(set(orders)) > 10


def test_the_bonus_piles_have_the_order_of_the_deal() -> None:
    deal = Deal.shuffled(Random(3))
    position = new_round(deal)
    assert tuple(tuple(position.bonus_left(pile)) for pile in range(3)) == deal.bonus


def test_every_card_is_equally_likely_on_top_of_the_pack() -> None:
    rng = Random(0)
    tops = [Deal.shuffled(rng).pack[0] for _ in range(1000)]
    # 10 of 52 cards are leather, 8 are camels that are dealt; four standard deviations either way.
    assert 140 < tops.count(Card.LEATHER) < 245
    assert 105 < tops.count(CAMEL) < 203


def test_the_starter_of_the_first_round_is_drawn_at_random_and_recorded() -> None:
    starters = [Deal.shuffled(Random(seed)).starts for seed in range(200)]
    assert 60 < starters.count(0) < 140
    for starts in (0, 1):
        position = new_round(Deal.shuffled(Random(1), starts))
        assert (position.starter, position.turn) == (starts, starts)


def test_the_same_random_numbers_always_deal_the_same_cards() -> None:
    assert Deal.shuffled(Random(1)) == Deal(
        parse_cards("MLPDSGCLMPGCDSCSCMLCMCLGDPMMGPLMLLPGPSDPSMDDLPCCSLLG"),
        ((2, 1, 1, 2, 3, 3, 2), (5, 6, 4, 6, 5, 4), (10, 8, 8, 9, 10)),
        1,
    )


def test_a_deal_has_52_cards() -> None:
    with pytest.raises(WrongDeal, match="A deal has 52 cards, not 51"):
        Deal(DEAL.pack[1:], DEAL.bonus, 0)


def test_a_deal_has_as_many_cards_of_each_kind_as_the_box() -> None:
    with pytest.raises(WrongDeal, match="A deal has 6 cards of kind diamonds, not 5"):
        Deal((CAMEL, *DEAL.pack[1:]), DEAL.bonus, 0)
    with pytest.raises(WrongDeal, match="A deal has 10 cards of kind leather, not 11"):
        Deal((*DEAL.pack[:-1], Card.LEATHER), DEAL.bonus, 0)


def test_a_deal_has_the_three_bonus_piles_of_the_box() -> None:
    with pytest.raises(WrongDeal, match="There are 3 bonus piles, not 2"):
        Deal(DEAL.pack, DEAL.bonus[:2], 0)
    with pytest.raises(
        WrongDeal, match="A bonus pile has the tokens 8 8 9 10 10, not 10 9 8 10 10"
    ):
        Deal(DEAL.pack, (*DEAL.bonus[:2], (10, 9, 8, 10, 10)), 0)


def test_a_round_is_started_by_seat_0_or_seat_1() -> None:
    with pytest.raises(WrongDeal, match="The starting seat is 0 or 1, not 2"):
        Deal(DEAL.pack, DEAL.bonus, 2)
