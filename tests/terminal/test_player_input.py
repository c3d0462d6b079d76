"""Parsing of what the player types."""

import pytest

from jaipur.rules import NotationError
from jaipur.terminal.player_input import Command, normalize_move, parse_input, parse_yes_no
from jaipur.words import Words


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("+g", "+G"),
        (" + M ", "+M"),
        ("+gd-ml", "+DG-LM"),
        ("-ml +gd", "+DG-LM"),
        ("−lll", "-LLL"),
        ("–CC", "-CC"),
    ],
)
def test_moves_may_be_typed_in_any_order_and_case(typed: str, move: str) -> None:
    assert str(parse_input(typed, Words())) == move


@pytest.mark.parametrize(
    "typed", ["", "+", "g", "+x", "+g+d", "-l-l", "+-", "12345678", "1.5", "++g"]
)
def test_other_texts_are_not_moves(typed: str) -> None:
    with pytest.raises(NotationError):
        parse_input(typed, Words())


def test_a_text_that_is_no_move_is_not_reordered() -> None:
    assert normalize_move("+ x g") == "+ x g"


def test_commands_are_understood_in_the_language_and_in_english() -> None:
    command = parse_input("Sauver  ma partie.jsonl ", Words("fr"))
    assert command == Command("save", "ma partie.jsonl")
    assert parse_input("save x", Words("fr")) == Command("save", "x")
    assert parse_input("?", Words("it")) == Command("help")
    assert parse_input("12", Words("it")) == 12


@pytest.mark.parametrize("default", [True, False])
def test_answers_are_understood_in_the_language_and_in_english(default: bool) -> None:
    typed = ("O", "yes", "", "non", "quoi")
    answers = [parse_yes_no(text, Words("fr"), default) for text in typed]
    assert answers == [True, True, default, False, None]
