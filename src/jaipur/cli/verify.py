"""`jaipur verify FILE`: check that every round was played with the deal that was promised before it."""

import argparse
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from jaipur.cli.arguments import replayed
from jaipur.notation import Record, WrongRecord, check_fair, within
from jaipur.notation.fair import read_digits
from jaipur.rules import Game

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "verify",
        help="check that every deal is the one that was promised",
        description="Replay every game and check the commitment of every round. The exit status is 1 where a round "
        "carries none or a wrong one, and 2 where the file cannot be read. Whoever deals could write a new deal and a "
        "new commitment afterwards: give the commitments you noted before the rounds were played.",
    )
    parser.add_argument("file", metavar="FILE", help="records, one a line; - is standard input")
    parser.add_argument(
        "--commitment",
        metavar="HEX",
        nargs="+",
        action="extend",
        default=[],
        help="the commitments you noted at the table, from the first round on, of every round or of fewer; the file "
        "must have one game",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    with within("--commitment"):
        noted = [read_digits(text.lower()) for text in arguments.commitment]
    status = number = 0
    for number, (record, _) in enumerate(_games(arguments.file, alone=bool(noted)), 1):
        with within(f"game {number}"):
            carried = _commitments(record)
            _compare(carried, noted)
        print(f"Game {number}: {_told(carried, noted)}.")
        status |= None in carried
    if not number:
        raise WrongRecord("There is no game to verify.")
    return status


def _games(file: str, alone: bool) -> Iterable[tuple[Record, Game]]:
    """The games of a file; where one is to stand alone, it does."""
    games = replayed(file)
    if not alone:
        return games
    first = list(islice(games, 2))
    if len(first) > 1:
        raise argparse.ArgumentTypeError("--commitment is for one game, and the file has more.")
    return first


def _commitments(record: Record) -> list[str | None]:
    """What each round carries and keeps."""
    carried = []
    for number, played in enumerate(record.rounds, 1):
        with within(f"round {number}"):
            carried.append(check_fair(played))
    return carried


def _compare(carried: Sequence[str | None], noted: Sequence[str]) -> None:
    """What was noted at the table is what stands in the record."""
    if len(noted) > len(carried):
        raise WrongRecord(f"Commitments noted: {len(noted)}, rounds in the record: {len(carried)}.")
    for number, (one, other) in enumerate(zip(carried, noted, strict=False), 1):
        if one != other:
            wrong = WrongRecord(f"The record carries {one or 'no commitment'}, noted was {other}.")
            wrong.where = [f"round {number}"]
            raise wrong


def _told(carried: Sequence[str | None], noted: Sequence[str]) -> str:
    if not carried:
        return "no round was dealt"
    rounds = f"{len(carried)} round{'s' if len(carried) > 1 else ''}"
    missing = [f"round {number}" for number, one in enumerate(carried, 1) if one is None]
    if missing:
        return ", ".join([rounds, *(f"{place} carries no commitment" for place in missing)])
    compared = f" (noted at the table: {len(noted)} of {len(carried)})" if noted else ""
    return f"{rounds}, every deal is the one that was promised{compared}"
