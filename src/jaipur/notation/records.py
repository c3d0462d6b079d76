"""Records: a game as one line of JSON, read and written as a stream.

Reading checks the form; `replay` checks the truth: every move and every number. Fields this version does not know are
kept and written back.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from jaipur.notation import fields
from jaipur.notation.cards import read_cards
from jaipur.notation.errors import NotationError, WrongRecord, within
from jaipur.notation.moves import read_move
from jaipur.notation.views import BONUS_NAMES
from jaipur.rules import LETTERS, Deal, Game, Herds, Move, Result, Seat, WrongDeal
from jaipur.rules.position import ENDINGS

FORMAT = "jaipur-record-1"
LONGEST_LINE = 16 * 1024 * 1024

Extra = dict[str, object]

_FIELDS = ("format", "players", "options", "rounds", "seals", "winner")
_ROUND_FIELDS = ("starts", "deal", "bonus", "moves", "ended", "camel_token", "rupees", "seal")


@dataclass(slots=True)
class RoundRecord:
    """One round as it was written down; `result` is None while it runs."""

    deal: Deal
    moves: list[Move]
    result: Result | None
    extra: Extra = field(default_factory=dict)


@dataclass(slots=True)
class Record:
    """One game as it was written down."""

    players: tuple[str, str]
    rounds: list[RoundRecord]
    seals: tuple[int, int]
    winner: Seat | None
    herds: Herds = "open"
    options_extra: Extra = field(default_factory=dict)
    extra: Extra = field(default_factory=dict)


def record_of(game: Game, players: tuple[str, str], extra: Extra | None = None) -> Record:
    """The record of a game as it stands."""
    rounds = [RoundRecord(played.deal, list(played.moves), played.result) for played in game.rounds]
    return Record(players, rounds, game.seals, game.winner, game.herds, {}, dict(extra or {}))


def write_record(record: Record) -> str:
    """One line, without its line feed."""
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
    """A record from its line."""
    data = fields.parse_object(line)
    found = fields.field(data, "format", str)
    if found != FORMAT:
        raise NotationError(f"Records of the format {FORMAT} can be read, not this one", found)
    players = fields.field(data, "players", list)
    if len(players) != 2:
        raise NotationError(f"“players” has {len(players)} names instead of two")
    options: Extra = fields.field(data, "options", dict)
    return Record(
        players=(
            fields.typed(players[0], str, "players"),
            fields.typed(players[1], str, "players"),
        ),
        rounds=list(_read_rounds(fields.field(data, "rounds", list))),
        seals=fields.pair(data, "seals"),
        winner=_seat_or_nobody(data, "winner"),
        herds=_herds(options),
        options_extra=_unknown(options, "herds"),
        extra=_unknown(data, *_FIELDS),
    )


def read_records(stream: BinaryIO) -> Iterator[Record]:
    """The records of a file one by one, never more than one in memory; errors name the game."""
    game = 0
    while line := stream.readline(LONGEST_LINE + 1):
        if line.strip():
            game += 1
            with within(f"game {game}"):
                record = read_record(_decode(line, first=game == 1))
            yield record


def _decode(line: bytes, first: bool) -> str:
    if len(line) > LONGEST_LINE:
        raise NotationError(f"A record has at most {LONGEST_LINE} bytes, and this one goes on")
    try:
        return line.decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError as error:
        raise NotationError(f"This is not text: byte {error.start + 1} is not UTF-8") from None


def _round_as_data(played: RoundRecord) -> Extra:
    result = played.result
    data: Extra = {
        "starts": played.deal.starts,
        "deal": "".join(LETTERS[kind] for kind in played.deal.pack),
        "bonus": dict(zip(BONUS_NAMES, map(list, played.deal.bonus), strict=True)),
        "moves": [str(move) for move in played.moves],
        "ended": None if result is None else result.ended,
        "camel_token": None if result is None else result.camel_token,
        "rupees": None if result is None else list(result.rupees),
        "seal": None if result is None else result.seal,
    }
    return data | played.extra


def _read_rounds(rounds: list[object]) -> Iterator[RoundRecord]:
    for number, data in enumerate(rounds, 1):
        with within(f"round {number}"):
            yield _read_round(data)


def _read_round(data: object) -> RoundRecord:
    data = fields.typed(data, dict, "round")
    return RoundRecord(
        _read_deal(data), _read_moves(data), _read_result(data), _unknown(data, *_ROUND_FIELDS)
    )


def _read_moves(data: Extra) -> list[Move]:
    moves: list[Move] = []
    for text in fields.field(data, "moves", list):
        try:
            moves.append(read_move(fields.typed(text, str, "move")))
        except NotationError as error:
            error.where.insert(0, f"move {len(moves) + 1}")
            raise
    return moves


def _read_deal(data: Extra) -> Deal:
    bonus: Extra = fields.field(data, "bonus", dict)
    if len(bonus) != len(BONUS_NAMES):
        raise NotationError(f"“bonus” has the piles {', '.join(BONUS_NAMES)}")
    pack = read_cards(fields.field(data, "deal", str))
    piles = tuple(fields.numbers(bonus, name) for name in BONUS_NAMES)
    starts = fields.field(data, "starts", int)
    try:
        return Deal(pack, piles, starts)
    except WrongDeal as error:
        raise WrongRecord(str(error)) from None


def _read_result(data: Extra) -> Result | None:
    ended = fields.optional(data, "ended", str)
    camel_token = _seat_or_nobody(data, "camel_token")
    seal = _seat_or_nobody(data, "seal")
    if ended is None:
        if fields.optional(data, "rupees", list) is not None or (camel_token, seal) != (None, None):
            raise NotationError("A round without “ended” has no result")
        return None
    if ended not in ENDINGS:
        raise NotationError(f"A round ends by {', '.join(filter(None, ENDINGS))}", ended)
    return Result(ended, camel_token, fields.pair(data, "rupees"), seal)


def _seat_or_nobody(data: Extra, name: str) -> Seat | None:
    seat = fields.optional(data, name, int)
    if seat not in (None, 0, 1):
        raise NotationError(f"“{name}” is a seat (0 or 1) or null")
    return seat


def _herds(options: Extra) -> Herds:
    match options.get("herds", "open"):
        case "open":
            return "open"
        case "hidden":
            return "hidden"
    raise NotationError("“herds” is open or hidden")


def _unknown(data: Extra, *known: str) -> Extra:
    return {name: value for name, value in data.items() if name not in known}
