"""Drawings as input: optional parts, their defaults, and errors."""

import pytest

from jaipur.notation.drawing import read_drawing
from jaipur.rules import Card, NotationError
from jaipur.rules.cards import NO_CARD, letters_of

WHOLE = """\
  round    moves 7 | starter 0 | ended no
  deck     S P L L
  market   D G L M M
  discard  C C L L | top C
  tokens   D 7 7 5 5 5 | G - | S 5 5 5 5 5 | C 3 2 2 1 1 | P 5 3 3 2 2 1 1 | L 2 1 1 1 1 1 1
  bonus    3: 2 1 3 | 4: - | 5: 10 8
  seat 0   hand D D L | shown D | herd 2 | tokens L L | rupees 7 | bonus -
> seat 1   hand C P | shown - | herd 0 | tokens C C | rupees 8 | bonus 1 9 10"""


def test_a_complete_drawing_round_trips() -> None:
    assert str(read_drawing(WHOLE)) == WHOLE


def test_an_empty_drawing_is_a_table_with_all_tokens_and_no_card() -> None:
    assert str(read_drawing("")).splitlines() == [
        "  round    moves 0 | starter 0 | ended no",
        "  deck     -",
        "  market   -",
        "  discard  -",
        "  tokens   D 7 7 5 5 5 | G 6 6 5 5 5 | S 5 5 5 5 5 | C 5 3 3 2 2 1 1 | P 5 3 3 2 2 1 1 | L 4 3 2 1 1 1 1 1 1",
        "  bonus    3: 1 1 2 2 2 3 3 | 4: 4 4 5 5 6 6 | 5: 8 8 9 10 10",
        "> seat 0   hand - | shown - | herd 0 | tokens - | rupees 0 | bonus -",
        "  seat 1   hand - | shown - | herd 0 | tokens - | rupees 0 | bonus -",
    ]


def test_cards_may_have_spaces_any_order_and_either_case() -> None:
    assert letters_of(read_drawing("market mdLg m").market) == "DGLMM"


def test_the_turn_and_the_number_of_moves_determine_the_starter() -> None:
    assert read_drawing("> seat 1").starter == 1
    assert read_drawing("round moves 3\n> seat 1").starter == 0
    assert read_drawing("round moves 3 | starter 1\n> seat 1").starter == 1


def test_all_cards_of_a_kind_may_be_on_the_table() -> None:
    assert read_drawing("market MMMMM\nseat 1 herd 6").herd(1) == 6


def test_the_deck_counts_from_its_end() -> None:
    position = read_drawing("deck S P")
    assert (position.drawn, position.deck_left()) == (38, [Card.SILVER, Card.SPICE])


def test_the_last_card_of_the_discard_pile_is_its_top_unless_another_is_named() -> None:
    assert read_drawing("discard C C L").discard_top == Card.LEATHER
    assert read_drawing("discard C C L | top C").discard_top == Card.CLOTH
    assert read_drawing("").discard_top == NO_CARD


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("  markt D", "A drawing has the lines round, deck, market", 2),
        ("seat 2 hand D", "A drawing has the lines", 0),
        ("|", "A drawing has the lines", 0),
        ("market D X", "Cards are DGSCPLM", 9),
        ("market DGSCPL", "There is room for 5 cards here, not for 6", 7),
        ("> market D", "One “>” marks the seat", 0),
        ("> seat 0\n> seat 1", "One “>” marks the seat", 0),
        (">", "One “>” marks the seat", 0),
        ("market D\nmarket D", "A line “market” has these fields, each once: cards", 7),
        ("seat 0 hand D | hand G", "each once: hand, shown, herd", 16),
        ("seat 0 camels 3", "each once: hand, shown, herd", 7),
        ("tokens D - | | G -", "each once: D, G, S, C, P, L", 12),
        ("seat 0 hand DM", "Camels are in the herd, never in the hand", 7),
        ("seat 0 hand D | shown G", "Only cards of the hand can be shown", 16),
        ("seat 0 herd many", "This should be a number", 12),
        ("seat 0 herd", "This should be one number", 7),
        ("seat 0 herd 1 2", "This should be one number", 7),
        ("seat 0 herd ²", "This should be a number", 12),
        ("seat 0 herd 12", "The pack has only 11 camel", None),
        ("deck DDDD\nseat 0 hand DDD", "The pack has only 6 diamonds", None),
        ("seat 0 tokens DDDDDD", "There are no such goods tokens", 7),
        ("seat 0 tokens M", "There are no such goods tokens", 7),
        ("seat 0 bonus 7", "There are no such bonus tokens", 7),
        ("tokens D 7 5 5 5 5", "This is not the lower part of the pile", 7),
        ("tokens D 7 7 7 5 5 5", "This is not the lower part of the pile", 7),
        ("bonus 3: 1 1 1", "This pile has other tokens", 6),
        ("discard M", "The discard pile has only goods", 8),
        ("discard D | top G", "its top card is one of them", 8),
        ("round ended soon", "The end of a round is one of no, goods, deck, abandoned", 6),
        ("round starter 2", "The starter is seat 0 or seat 1", 6),
    ],
)
def test_an_error_points_at_its_place(text: str, message: str, place: int | None) -> None:
    with pytest.raises(NotationError) as wrong:
        read_drawing(text)
    assert message in wrong.value.message
    assert wrong.value.place == place
