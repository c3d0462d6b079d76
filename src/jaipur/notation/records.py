"""Records: each game is one line of JSON, so that a file of games can be read and written as a stream.

Reading checks only the format. `Game.from_record` checks every move and every result. Unknown fields are preserved.
"""

import json
from collections.abc import Iterator
from typing import BinaryIO, Literal

from msgspec import Struct

from jaipur.notation.decoding import convert, parse
from jaipur.notation.views import BONUS_NAMES
from jaipur.rules import (
    Deal,
    Game,
    Herds,
    Move,
    NotationError,
    Position,
    Result,
    Rupees,
    Seat,
    WrongDeal,
    WrongRecord,
    new_round,
)
from jaipur.rules.cards import LETTERS, parse_cards
from jaipur.rules.endings import Ending
from jaipur.rules.input_errors import within
from jaipur.rules.records import Extra, Record, RoundRecord

FORMAT = "jaipur-record-1"
LONGEST_LINE = 16 * 1024 * 1024  # bytes


class RoundData(Struct, frozen=True):
    """The JSON fields of a round."""

    starts: Seat
    deal: str
    bonus: dict[str, tuple[int, ...]]
    moves: list[str]
    ended: Ending | None
    camel_token: Literal[0, 1] | None
    rupees: tuple[Rupees, Rupees] | None
    seal: Literal[0, 1] | None


class OptionsData(Struct, frozen=True):
    """The JSON fields of the options of a game."""

    herds: Herds = "open"


class RecordData(Struct, frozen=True):
    """The JSON fields of a record. Rounds and options stay dicts because they may have unknown fields."""

    format: str
    players: tuple[str, str]
    options: Extra
    rounds: list[Extra]
    seals: tuple[int, int]
    winner: Literal[0, 1] | None


def record_of(game: Game, players: tuple[str, str], extra: Extra | None = None) -> Record:
    """Return the record of a game. The game may be unfinished."""
    rounds = [RoundRecord(played.deal, list(played.moves), played.result) for played in game.rounds]
    return Record(players, rounds, game.seals, game.winner, game.herds, {}, dict(extra or {}))


def position_after(played: RoundRecord, moves: int) -> Position:
    """Return the position of a round after its first `moves` moves."""
    position = new_round(played.deal)
    for move in played.moves[:moves]:
        position.play(move)
    return position


def write_record(record: Record) -> str:
    """Return the record as one line of JSON, without the line feed."""
    data = {
        "format": FORMAT,
        "players": list(record.players),
        "options": {"herds": record.herds} | record.options_extra,
        "rounds": [_round_as_data(played) for played in record.rounds],
        "seals": list(record.seals),
        "winner": record.winner,
    }
    return json.dumps(data | record.extra, separators=(",", ":"))


def read_record(line: str) -> Record:
    """Parse the line of a record."""
    data = convert(parse(line), dict)
    if data.get("format", FORMAT) != FORMAT:
        raise NotationError(f"“format” is not {FORMAT}", str(data["format"]))
    known = convert(data, RecordData)
    return Record(
        players=known.players,
        rounds=list(_read_rounds(known.rounds)),
        seals=known.seals,
        winner=known.winner,
        herds=convert(known.options, OptionsData).herds,
        options_extra=_unknown(known.options, OptionsData),
        extra=_unknown(data, RecordData),
    )


def read_records(stream: BinaryIO) -> Iterator[Record]:
    """Read a file record by record, with only one record in memory. Errors begin with the number of the game."""
    game = 0
    while line := stream.readline(LONGEST_LINE + 1):
        if line.strip():
            game += 1
            with within(f"game {game}"):
                record = read_record(_decode(line, first=game == 1))
            yield record


def _decode(line: bytes, first: bool) -> str:
    if len(line) > LONGEST_LINE:
        raise NotationError(f"A record has at most {LONGEST_LINE} bytes; this line is longer")
    try:
        return line.decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError as error:
        raise NotationError(f"This is not UTF-8 text: byte {error.start + 1} is invalid") from None


def _round_as_data(played: RoundRecord) -> Extra:
    results = ("ended", "camel_token", "rupees", "seal")
    data: Extra = {
        "starts": played.deal.starts,
        "deal": "".join(LETTERS[kind] for kind in played.deal.pack),
        "bonus": dict(zip(BONUS_NAMES, map(list, played.deal.bonus), strict=True)),
        "moves": [str(move) for move in played.moves],
        **{name: getattr(played.result, name, None) for name in results},
    }
    return data | played.extra


def _read_rounds(rounds: list[Extra]) -> Iterator[RoundRecord]:
    for number, data in enumerate(rounds, 1):
        with within(f"round {number}"):
            known = convert(data, RoundData)
            moves = list(_read_moves(known.moves))
            yield RoundRecord(
                _read_deal(known), moves, _read_result(known), _unknown(data, RoundData)
            )


def _read_moves(texts: list[str]) -> Iterator[Move]:
    for number, text in enumerate(texts, 1):
        try:
            yield Move.parse(text)
        except NotationError as error:
            error.where.insert(0, f"move {number}")
            raise


def _read_deal(data: RoundData) -> Deal:
    if data.bonus.keys() != set(BONUS_NAMES):
        raise NotationError(f"“bonus” has the piles {', '.join(BONUS_NAMES)}")
    bonus = tuple(data.bonus[name] for name in BONUS_NAMES)
    try:
        return Deal(parse_cards(data.deal), bonus, data.starts)
    except WrongDeal as error:
        raise WrongRecord(str(error)) from None


def _read_result(data: RoundData) -> Result | None:
    if data.ended is None:
        if (data.camel_token, data.rupees, data.seal) != (None, None, None):
            raise NotationError("A round without “ended” has no result")
        return None
    if data.rupees is None:
        raise NotationError("A round with “ended” has “rupees”")
    return Result(data.ended, data.camel_token, data.rupees, data.seal)


def _unknown(data: Extra, known: type[Struct]) -> Extra:
    return {name: value for name, value in data.items() if name not in known.__struct_fields__}
