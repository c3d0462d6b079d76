"""What one seat sees, and what stays hidden."""

from random import Random

import pytest

from jaipur.rules import Card, Position, View, deal_unseen
from jaipur.rules.cards import letters_of
from jaipur.rules.view import Herds
from tables import played, table

TABLE = table("""
      round   moves 12
      deck    S P D
      market  D G L L M
      discard C C C P | top C
      tokens  C 2 2 1 1 | P 3 3 2 2 1 1 | L 1
      bonus   3: 1 2 2 3 3 | 4: 5 4 | 5: 8
    > seat 0  hand D C L L | shown D L | herd 2 | tokens C P | rupees 10 | bonus 2 9
      seat 1  hand G G S P | shown G | herd 3 | tokens C C | rupees 6 | bonus 1 10
""")


def test_a_seat_sees_its_own_hand_herd_and_bonus_tokens() -> None:
    view = TABLE.view(0)
    assert (letters_of(view.hand), view.herd, view.own.bonus_values) == ("DCLL", 2, (2, 9))
    assert (view.own.seals, view.other.seals) == (0, 0)


def test_both_see_market_discard_pile_and_tokens() -> None:
    for view in (TABLE.view(0), TABLE.view(1)):
        assert (letters_of(view.market), letters_of(view.discard)) == ("DGLLM", "CCCP")
        assert view.discard_top == Card.CLOTH
        assert view.tokens_taken == (0, 0, 0, 3, 1, 8)
        assert (view.turn, view.moves_played, view.ended) == (0, 12, None)


def test_a_seat_sees_only_the_size_of_the_deck_and_the_bonus_piles() -> None:
    view = TABLE.view(0)
    assert (view.deck, view.bonus_taken) == (3, (2, 4, 4))
    other_order = table(
        str(TABLE).replace("S P D", "D S P").replace("3: 1 2 2 3 3", "3: 3 1 2 3 2")
    )
    assert other_order != TABLE
    assert other_order.view(0) == view


def test_a_seat_sees_the_number_of_cards_in_the_other_hand() -> None:
    view = TABLE.view(0)
    assert view.other.hand == 4
    hand_and_deck_swapped = table(
        str(TABLE).replace("hand G G S P", "hand D G S P").replace("S P D", "S P G")
    )
    assert hand_and_deck_swapped != TABLE
    assert hand_and_deck_swapped.view(0) == view


def test_cards_that_came_from_the_market_are_known_and_dealt_cards_are_not() -> None:
    assert letters_of(TABLE.view(0).other.shown) == "G"
    after = played(TABLE, "+D")
    assert letters_of(after.view(1).other.shown) == "DDL"


def test_exchanged_goods_are_known_and_given_ones_are_forgotten() -> None:
    after = played(TABLE, "+DG-CL")
    assert letters_of(after.shown[0]) == "DDG"


def test_sold_cards_are_no_longer_known_to_be_in_the_hand() -> None:
    after = played(TABLE, "-LL")
    assert letters_of(after.shown[0]) == "D"


@pytest.mark.parametrize(
    ("shown", "move", "still_shown"),
    [
        ("L", "-L", ""),
        ("LL", "-L", "L"),
        ("D", "-DD", ""),
        ("DL", "-LL", "D"),
        ("D", "+GS-DM", "GS"),
        ("DL", "+GS-DL", "GS"),
    ],
)
def test_known_cards_of_a_kind_leave_the_hand_before_dealt_ones(
    shown: str, move: str, still_shown: str
) -> None:
    position = table(f"""
          market  G S P P M
        > seat 0  hand D D L L | shown {shown} | herd 1
    """)
    assert letters_of(played(position, move).shown[0]) == still_shown


def test_camels_are_never_shown_in_a_hand() -> None:
    after = played(TABLE, "+M")
    assert after.shown == TABLE.shown
    assert after.view(1).other.hand == 4


def test_a_seat_sees_the_other_herd_unless_herds_are_hidden() -> None:
    assert TABLE.view(0).other.herd == 3
    hidden = TABLE.view(0, "hidden")
    assert (hidden.other.herd, hidden.herd, hidden.own.herd) == (None, 2, 2)
    assert (TABLE.view(0).herds, hidden.herds) == ("open", "hidden")


FULL_TABLE = table("""
      deck    D D D D G G G G S S S S S C C C C C P P P P P P P L L L L L L M M
      market  D G L L M
      discard C C C | top C
      tokens  C 2 2 1 1
      bonus   3: 1 2 2 2 3 3
    > seat 0  hand D G L L | shown D | herd 5
      seat 1  hand S P | shown S | herd 3 | tokens C C C | rupees 11 | bonus 1
""")
"""A table with all 55 cards and 56 tokens."""


@pytest.mark.parametrize("herds", ["open", "hidden"])
def test_a_hidden_herd_follows_from_the_other_cards(herds: Herds) -> None:
    assert FULL_TABLE.view(0, herds).other_herd() == 3
    assert FULL_TABLE.view(1, herds).other_herd() == 5


def test_a_seat_sees_the_goods_rupees_and_the_number_of_bonus_tokens_of_the_other() -> None:
    other = TABLE.view(0).other
    assert (other.rupees, letters_of(other.goods_tokens), other.bonuses) == (6, "CC", (1, 0, 1))


def test_bonus_values_of_the_other_are_hidden_before_the_round_ends() -> None:
    assert TABLE.view(0).other.bonus_values is None
    other_values = table(str(TABLE).replace("bonus 1 10", "bonus 3 8"))
    assert other_values != TABLE
    assert other_values.view(0) == TABLE.view(0)


def test_bonus_values_are_visible_after_the_round() -> None:
    over = table(str(TABLE).replace("ended no", "ended goods"))
    assert over.view(0).other.bonus_values == (1, 10)


def test_a_drawn_view_has_numbers_for_hidden_cards() -> None:
    drawn = str(TABLE.view(0, "hidden"))
    assert drawn.splitlines() == [
        "  round    moves 12 | starter 0 | ended no",
        "  deck     3 cards",
        "  market   D G L L M",
        "  discard  C C C P | top C",
        "  tokens   D 7 7 5 5 5 | G 6 6 5 5 5 | S 5 5 5 5 5 | C 2 2 1 1 | P 3 3 2 2 1 1 | L 1",
        "  bonus    3: 5 left | 4: 2 left | 5: 1 left",
        "> seat 0   hand D C L L | shown D L | herd 2 | tokens C P | rupees 10 | bonus 2 9",
        "  seat 1   hand 4 cards | shown G | herd hidden | tokens C C | rupees 6 | bonus 1 of 3, 1 of 5",
    ]


def test_the_unseen_cards_are_the_deck_and_the_unknown_part_of_the_other_hand() -> None:
    view = FULL_TABLE.view(0)
    assert letters_of(view.unseen()) == "DDDDGGGGSSSSSCCCCCPPPPPPPPLLLLLLMM"


def dealt_again(view: View, times: int) -> list[Position]:
    rng = Random(7)
    return [deal_unseen(view, rng) for _ in range(times)]


def test_a_determinization_has_the_same_view() -> None:
    for seat in (0, 1):
        view = FULL_TABLE.view(seat)
        assert all(position.view(seat) == view for position in dealt_again(view, 20))


def test_a_determinization_leaves_camels_in_the_deck() -> None:
    for position in dealt_again(FULL_TABLE.view(0), 50):
        assert position.herd(1) == 3
        assert position.deck_left().count(Card.CAMEL) == 2


def test_every_unseen_card_is_equally_likely_in_the_other_hand() -> None:
    hidden = [
        letters_of(position.hand(1) - position.shown[1])
        for position in dealt_again(FULL_TABLE.view(0), 1000)
    ]
    # Of 32 unseen goods 8 are spice and 4 are diamonds; four standard deviations either way.
    assert 195 < hidden.count("P") < 305
    assert 83 < hidden.count("D") < 167
    # Spice, once in the hand, is not in the deck.
    assert {len(cards) for cards in hidden} == {1}


def test_every_unseen_bonus_token_is_equally_likely_with_the_other_trader() -> None:
    won = [position.bonuses[1] for position in dealt_again(FULL_TABLE.view(0), 1000)]
    # Two of the seven tokens for three cards are ones; four standard deviations either way.
    assert 228 < won.count(1 << 4) < 343
    assert set(won) == {1 << 4, 1 << 8, 1 << 12}


def test_known_bonus_tokens_stay_with_their_owner() -> None:
    for position in dealt_again(FULL_TABLE.view(1), 50):
        assert position.bonuses == [0, 1 << 4]
        assert sorted(position.bonus_left(0)) == [1, 2, 2, 2, 3, 3]


def test_a_determinization_has_the_same_legal_moves() -> None:
    view = FULL_TABLE.view(0)
    for position in dealt_again(view, 5):
        assert letters_of(played(position, "+DG-LL").market) == "LLLLM"
