"""The public Python API: enums, piles, moves as text, positions, games from records, and readable reprs."""

from random import Random

import pytest

import jaipur
from jaipur import (
    Card,
    Deal,
    Game,
    Good,
    IllegalMove,
    Move,
    NotationError,
    Pile,
    Position,
    WrongRecord,
    new_round,
)
from jaipur.notation import read_record, record_of, write_record
from tables import dealt

DEAL = dealt("DGSCP LLLCC GM")


@pytest.fixture
def position() -> Position:
    return new_round(DEAL)


def test_every_exported_name_exists() -> None:
    assert all(hasattr(jaipur, name) for name in jaipur.__all__)


def test_cards_are_integers_with_names_and_letters() -> None:
    assert [str(card) for card in Card][:2] == ["diamonds", "gold"]
    assert f"{Card.GOLD:>6}" == "  gold"
    assert repr(Card.GOLD) == "Card.GOLD"
    assert Card.CAMEL.letter == "M"
    assert len({Card.GOLD, Good.GOLD, 1}) == 1
    assert Card.DIAMONDS < Card.CAMEL
    assert {Card.SPICE: "found"}[Good.SPICE] == "found"  # type: ignore[index]  # equal integers


def test_a_pile_prints_and_iterates_as_cards() -> None:
    pile = Pile.parse("GDDM")
    assert str(pile) == f"{pile}" == "DDGM"
    assert f"{pile:>6}" == "  DDGM"
    assert repr(pile) == "Pile.parse('DDGM')"
    assert list(pile) == [Card.DIAMONDS, Card.DIAMONDS, Card.GOLD, Card.CAMEL]
    assert len(pile) == 4
    assert pile.count(Card.DIAMONDS) == 2
    assert Card.GOLD in pile
    assert Card.SPICE not in pile
    assert pile == 0x1000012
    assert pile.goods == Pile.parse("DDG")
    assert not Pile()


def test_piles_add_and_subtract_cards() -> None:
    pile = Pile.parse("DDG")
    assert pile.plus(Pile.parse("LD")) == Pile.parse("DDDGL")
    assert pile.minus(Pile.parse("DG")) == Pile.parse("D")
    with pytest.raises(ValueError, match=r"DDG minus GG: too few gold\."):
        pile.minus(Pile.parse("GG"))
    with pytest.raises(NotationError, match="The pack has only 6 diamonds"):
        pile.plus(Pile.parse("DDDDD"))


@pytest.mark.parametrize(("text", "place"), [("DX", 1), ("d", 0), ("D G", 1)])
def test_a_pile_that_cannot_be_read_names_the_place(text: str, place: int) -> None:
    with pytest.raises(NotationError, match="Cards are DGSCPLM") as error:
        Pile.parse(text)
    assert error.value.place == place


def test_a_move_reads_back_from_its_repr() -> None:
    move = Move.parse("+DG-LM")
    assert (str(move.taken), str(move.given)) == ("DG", "LM")
    assert (str(move), repr(move)) == ("+DG-LM", "Move.parse('+DG-LM')")
    assert Move.from_code(move.code) == move


def test_a_position_plays_moves_and_their_texts(position: Position) -> None:
    other = position.copy()
    position.play("+G")
    other.play(Move.parse("+G"))
    assert position == other
    assert position.hand(0) == Pile.parse("DGGSCP")
    assert position.view(1).other.shown == Pile.parse("G")


def test_an_illegal_move_is_one_sentence(position: Position) -> None:
    with pytest.raises(IllegalMove, match=r"^\+D: The market has no diamonds\.$"):
        position.play("+D")
    assert str(position.why_not("+D")) == "The market has no diamonds."
    assert position.why_not("+G") is None


def test_a_text_that_is_no_move_is_one_sentence(position: Position) -> None:
    with pytest.raises(
        NotationError, match=r"^A move begins with “\+” or “-” \(“gold” at place 1\)$"
    ):
        position.play("gold")


def test_reprs_fit_on_one_line_and_print_draws_the_table(position: Position) -> None:
    game = Game()
    game.start(DEAL)
    game.play("+G")
    assert repr(position) == (
        "<Position after 0 moves: market GMMMM, hands DGSCP with 0M and CCLLL with 0M, "
        "seat 0 to move>"
    )
    assert repr(game) == "<Game: round 1 after 1 moves, seals 0-0>"
    assert repr(DEAL).startswith("<Deal DGSCPLLLCCGM")
    assert "hand=Pile.parse('DGSCP')" in repr(position.view(0))
    assert "market   G M M M M" in str(position)
    assert "hand 5 cards" in str(position.view(0))


def test_a_game_comes_back_from_its_record() -> None:
    game = Game()
    game.start(Deal.shuffled(Random(1)))
    while game.running is not None:
        game.play(game.legal_moves()[-1])
    record = read_record(write_record(record_of(game, ("ann", "bob"))))
    assert Game.from_record(record).rounds == game.rounds
    record.rounds[0].moves[0] = Move.parse("-DDDDDD")
    with pytest.raises(WrongRecord, match=r"^round 1, move 1 \(-DDDDDD\): You have no diamonds"):
        Game.from_record(record)
