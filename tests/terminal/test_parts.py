"""The parts of the text game on their own: what is typed, and where the cards of the market lie."""

from random import Random

import pytest

from jaipur.notation import NotationError
from jaipur.rules import LETTERS, Deal, Game, letters_of, pile_of
from jaipur.rules.position import NO_CARD
from jaipur.terminal.chronicle import chronicle
from jaipur.terminal.entry import Command, in_order, understand, yes_or_no
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
def test_moves_are_read_as_people_type_them(typed: str, move: str) -> None:
    assert str(understand(typed, Words())) == move


@pytest.mark.parametrize(
    "typed", ["", "+", "g", "+x", "+g+d", "-l-l", "+-", "12345678", "1.5", "++g"]
)
def test_what_is_no_move_is_not_read(typed: str) -> None:
    with pytest.raises(NotationError):
        understand(typed, Words())


def test_what_cannot_be_sorted_stays_as_it_was_typed() -> None:
    assert in_order("+ x g") == "+ x g"


def test_commands_are_understood_in_the_language_and_in_english() -> None:
    assert understand("Sauver  ma partie.jsonl ", Words("fr")) == Command("save", "ma partie.jsonl")
    assert understand("save x", Words("fr")) == Command("save", "x")
    assert understand("?", Words("it")) == Command("moves")
    assert understand("12", Words("it")) == 12


def test_answers_are_understood_in_the_language_and_in_english() -> None:
    assert [yes_or_no(said, Words("fr")) for said in ("O", "yes", "", "non", "quoi")] == [
        True,
        True,
        True,
        False,
        None,
    ]


@pytest.mark.parametrize("seed", range(5))
def test_cards_of_the_market_stay_in_their_places(seed: int) -> None:
    rng = Random(seed)
    game = Game()
    played = game.start(Deal.shuffled(rng))
    before = chronicle(played, 0).places
    while played.result is None:
        move = rng.choice(game.legal_moves())
        camels = move.taken >> 24
        game.play(move)
        now = chronicle(played, 0)
        assert letters_of(pile_of(kind for kind in now.places if kind != NO_CARD)) == letters_of(
            played.position.market
        )
        stayed = [place for place in range(5) if now.places[place] == before[place]]
        left = before.count(LETTERS.index("M")) if camels else len(letters_of(move.taken))
        assert len(stayed) >= 5 - left
        before = now.places
