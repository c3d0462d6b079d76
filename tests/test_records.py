"""Moves and records as text: they round-trip, files are read as a stream, and each error is one sentence."""

import io
import json
import tracemalloc
from itertools import repeat
from random import Random
from typing import BinaryIO, cast

import pytest

from jaipur.arena.play import play_game
from jaipur.notation import (
    Record,
    read_record,
    read_records,
    read_view,
    record_of,
    write_record,
    write_view,
)
from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Game, Move, NotationError, WrongRecord
from jaipur.rules.moves import conceivable_moves


def random_game(seed: int) -> Game:
    player = player_named("random")
    return play_game([player, player], str(seed), NO_BUDGET)


def a_record(seed: int = 1) -> Record:
    return record_of(random_game(seed), ("random", "random"))


def unfinished_record(moves: int = 12) -> Record:
    """The first moves of the same game."""
    first = random_game(1).rounds[0]
    game = Game()
    game.start(first.deal)
    for move in first.moves[:moves]:
        game.play(move)
    return record_of(game, ("ann", "bob"), {"clock": 60})


def data_of(record: Record) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(write_record(record)))


def test_every_conceivable_move_reads_back_from_its_text() -> None:
    for move in conceivable_moves():
        assert Move.parse(str(move)) == move


def test_moves_are_read_in_either_case_and_with_spaces() -> None:
    assert str(Move.parse(" + d g - l m ")) == "+DG-LM"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("G", 0),
        ("+X", 1),
        ("+GD", 2),
        ("+D+G", 2),
        ("-D+G", 2),
        ("+-D", 1),
        ("+D−L", 2),
        ("+DG-LM!", 6),
        ("-" + "L" * 11, 11),
        ("+\u0130", 1),
        ("-ß", 1),
        ("+ſ", 1),
        ("+D\n", 2),
    ],
)
def test_a_move_that_cannot_be_read_shows_the_text_and_the_place(text: str, place: int) -> None:
    with pytest.raises(NotationError) as error:
        Move.parse(text)
    assert error.value.place == place
    assert f"at place {place + 1}" in str(error.value)


@pytest.mark.parametrize("text", ["", " ", "+", "-", "+D-", "+D" + " " * 1000, "\x1b[2J"])
def test_a_text_without_a_move_gives_one_printable_line(text: str) -> None:
    with pytest.raises(NotationError) as error:
        Move.parse(text)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("seed", range(20))
def test_records_round_trip_and_replay(seed: int) -> None:
    record = a_record(seed)
    again = read_record(write_record(record))
    assert again == record
    assert Game.from_record(again).rounds == random_game(seed).rounds


def test_an_unfinished_game_is_a_record_too() -> None:
    game = Game.from_record(read_record(write_record(unfinished_record())))
    assert game.running is not None
    assert len(game.running.moves) == 12


def test_unknown_fields_are_preserved() -> None:
    data = data_of(unfinished_record())
    data["rounds"][0]["clocks"] = [1, 2]  # type: ignore[index]  # it is a list of objects
    data["options"]["variant"] = "none"  # type: ignore[index]  # it is an object
    record = read_record(json.dumps(data))
    assert record.extra == {"clock": 60}
    assert json.loads(write_record(record)) == data


def test_views_read_back_from_their_json() -> None:
    game = random_game(3)
    for seat in (0, 1):
        for moves in (0, 7, len(game.rounds[0].moves)):
            again = Game("hidden" if seat else "open")
            again.start(game.rounds[0].deal)
            for move in game.rounds[0].moves[:moves]:
                again.play(move)
            assert read_view(write_view(again.view(seat))) == again.view(seat)


class EndlessFile(io.RawIOBase):
    """An endless file of the same record, which counts the bytes read."""

    def __init__(self) -> None:
        self.line = write_record(a_record()).encode() + b"\n"
        self.bytes_read = 0
        self.lines = repeat(self.line)

    def readline(self, limit: int | None = -1, /) -> bytes:
        assert limit is not None
        assert limit > 0
        self.bytes_read += len(self.line)
        return next(self.lines)


def test_a_file_is_read_one_game_at_a_time() -> None:
    stream = EndlessFile()
    records = read_records(cast("BinaryIO", stream))
    next(records)
    assert stream.bytes_read == len(stream.line)
    tracemalloc.start()
    for _ in range(500):
        next(records)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


MISSING = object()


@pytest.mark.parametrize(
    ("path", "value", "error", "sentence"),
    [
        (["format"], "jaipur-record-2", NotationError, "jaipur-record-1"),
        (["format"], MISSING, NotationError, "missing required field format"),
        (["players"], ["one"], NotationError, "“players”: expected array of length 2, got 1"),
        (["players"], [1, 2], NotationError, "“players[0]”: expected str, got int"),
        (["options", "herds"], "secret", NotationError, "“herds”: invalid enum value"),
        (["rounds", 0, "starts"], True, NotationError, "round 1: “starts”: expected int, got bool"),
        (["rounds", 0, "starts"], 2, WrongRecord, "round 1: The starting seat is 0 or 1"),
        (["rounds", 0, "deal"], "X" * 52, NotationError, "round 1: Cards are DGSCPLM"),
        (["rounds", 0, "deal"], "D" * 52, WrongRecord, "round 1: A deal has 6 cards of kind diam"),
        (["rounds", 0, "deal"], "D", WrongRecord, "round 1: A deal has 52 cards, not 1"),
        (["rounds", 0, "bonus", "3"], [9] * 7, WrongRecord, "round 1: A bonus pile has"),
        (["rounds", 0, "bonus"], {}, NotationError, "round 1: “bonus”"),
        (["rounds", 0, "moves", 3], "+Q", NotationError, "round 1, move 4: Cards are"),
        (["rounds", 0, "moves", 3], 7, NotationError, "round 1: “moves[3]”: expected str"),
        (
            ["rounds", 0, "moves", 3],
            "-DDDDDD",
            WrongRecord,
            "round 1, move 4 (-DDDDDD): Your hand has",
        ),
        (["rounds", 0, "ended"], "boredom", NotationError, "round 1: “ended”: invalid enum value"),
        (["rounds", 0, "ended"], "abandoned", WrongRecord, "round 1: A round is abandoned after"),
        (["rounds", 0, "rupees"], [1, 2], WrongRecord, "round 1: “rupees” is 1, 2 in the record"),
        (["rounds", 0, "rupees"], [1, 2, 3], NotationError, "round 1: “rupees”: expected array of"),
        (["rounds", 0, "rupees"], None, NotationError, "round 1: A round with “ended” has"),
        (["rounds", 0, "ended"], None, NotationError, "round 1: A round without “ended”"),
        (["seals"], [2, 2], WrongRecord, "“seals” is 2, 2 in the record"),
        (["winner"], None, WrongRecord, "“winner” is null in the record"),
        (["winner"], 5, NotationError, "“winner”: invalid enum value 5"),
    ],
)
def test_an_error_names_the_first_wrong_field(
    path: list[str | int], value: object, error: type[ValueError], sentence: str
) -> None:
    data = data_of(a_record())
    *outer, last = path
    inner = cast("dict[str | int, object]", data)
    for step in outer:
        inner = cast("dict[str | int, object]", inner[step])
    if value is MISSING:
        del inner[last]
    else:
        inner[last] = value
    with pytest.raises(error) as wrong:
        Game.from_record(read_record(json.dumps(data)))
    assert sentence in str(wrong.value)


def test_the_wrong_starter_is_named() -> None:
    data = data_of(a_record())
    second = cast("list[dict[str, int]]", data["rounds"])[1]
    starter, second["starts"] = second["starts"], 1 - second["starts"]
    with pytest.raises(WrongRecord, match=f"round 2: Seat {starter} starts this round"):
        Game.from_record(read_record(json.dumps(data)))


def test_a_move_after_the_end_of_a_round_is_wrong() -> None:
    record = a_record()
    moves = record.rounds[0].moves
    moves.append(moves[0])
    with pytest.raises(WrongRecord, match=rf"round 1, move {len(moves)} .*The round is over"):
        Game.from_record(record)


def test_a_round_after_the_last_is_wrong() -> None:
    record = a_record()
    record.rounds.append(record.rounds[-1])
    with pytest.raises(WrongRecord, match="The game is over"):
        Game.from_record(record)


def test_a_round_after_an_unfinished_one_is_wrong() -> None:
    record = unfinished_record()
    record.rounds.append(record.rounds[0])
    with pytest.raises(WrongRecord, match="round 2: The last round is still running"):
        Game.from_record(record)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'{"format": NaN}',
        b'{"format": 1, "format": 2}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 10_000,
        b'{"seals": ' + b"9" * 10_000 + b"}",
        b"\xff\xfe",
        b"\x00" * 1000,
        b'{"players": ["\\ud800", "b"]}',
    ],
)
def test_a_line_that_is_not_a_record_gives_one_printable_line(line: bytes) -> None:
    with pytest.raises(NotationError) as error:
        list(read_records(io.BytesIO(line + b"\n{}\n")))
    assert str(error.value).startswith("game 1: ")
    assert str(error.value).isprintable()


def test_a_line_that_is_too_long_is_refused_early() -> None:
    class Endless(io.RawIOBase):
        def readline(self, limit: int | None = -1, /) -> bytes:
            return b"x" * (limit or 0)

    with pytest.raises(NotationError, match="game 1: A record has at most"):
        list(read_records(cast("BinaryIO", Endless())))


def _mutated(line: bytes, rng: Random) -> bytes:
    """A record with some bytes removed, repeated, replaced or inserted."""
    start = int(rng.random() * len(line))
    stop = start + int(rng.random() * 12)
    noise = bytes(int(rng.random() * 256) for _ in range(int(rng.random() * 4)))
    likely = rng.choice(
        [b"0", b"-1", b"99", b"null", b"true", b'"', b"[", b"}", b"+M", b"-LL", b"D", b","]
    )
    changes = (
        lambda: line[:start],
        lambda: line[:start] + line[stop:],
        lambda: line[:start] + line[start:stop] * 2 + line[stop:],
        lambda: line[:start] + noise + line[stop:],
        lambda: line[:start] + likely + line[start:],
        lambda: line[:start] + likely + line[start + len(likely) :],
    )
    return changes[int(rng.random() * len(changes))]()


@pytest.mark.parametrize("chunk", range(8))
def test_mutated_records_raise_only_notation_and_record_errors(chunk: int) -> None:
    rng = Random(chunk)
    whole, begun = (
        write_record(record).encode() for record in (a_record(chunk), unfinished_record())
    )
    errors = [
        _error_of(_mutated(whole if number % 10 == 0 else begun, rng)) for number in range(1500)
    ]
    assert {type(error) for error in errors} == {NotationError, WrongRecord, type(None)}
    assert all(str(error).isprintable() for error in errors)


def _error_of(line: bytes) -> NotationError | WrongRecord | None:
    """The error of reading and replaying a file; any other exception fails the test."""
    try:
        for record in read_records(io.BytesIO(line)):
            Game.from_record(record)
    except (NotationError, WrongRecord) as error:
        return error
    return None
