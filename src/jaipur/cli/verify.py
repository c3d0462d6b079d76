"""`jaipur verify FILE`: check that the deal of every round matches the commitment made before the round."""

import argparse
from collections.abc import Iterable, Sequence
from itertools import islice

from jaipur.cli.arguments import add_file, replay_records
from jaipur.notation import Record, check_fair
from jaipur.notation.fair import read_digits
from jaipur.rules import Game, WrongRecord
from jaipur.rules.input_errors import within

HELP = "check the commitment of every deal"
DESCRIPTION = (
    "Replay every game and check the commitment of every round. The exit status is 1 if a round has "
    "no commitment or a wrong one, and 2 if the file cannot be read. The dealer could write a new deal with a new "
    "commitment later. To exclude that, give the commitments that you noted before the rounds."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    commitment = "the commitments you noted at the table, in order from the first round; FILE must have one game"
    parser.add_argument(
        "--commitment", metavar="HEX", nargs="+", action="extend", default=[], help=commitment
    )


def run(arguments: argparse.Namespace) -> int:
    with within("--commitment"):
        noted = [read_digits(text.lower()) for text in arguments.commitment]
    status = number = 0
    for number, (record, _) in enumerate(_games(arguments.file, alone=bool(noted)), 1):
        with within(f"game {number}"):
            carried = _commitments(record)
            _compare(carried, noted)
        print(f"Game {number}: {_summary(carried, noted)}.")
        status |= None in carried
    if not number:
        raise WrongRecord("There is no game to verify.")
    return status


def _games(file: str, alone: bool) -> Iterable[tuple[Record, Game]]:
    """Return the games of a file. If `alone` is true, the file must have only one game."""
    games = replay_records(file)
    if not alone:
        return games
    first = list(islice(games, 2))
    if len(first) > 1:
        raise argparse.ArgumentTypeError(
            "--commitment needs a file with one game, and this file has more."
        )
    return first


def _commitments(record: Record) -> list[str | None]:
    """Return the checked commitment of each round, or None for a round without a commitment."""
    carried = []
    for number, played in enumerate(record.rounds, 1):
        with within(f"round {number}"):
            carried.append(check_fair(played))
    return carried


def _compare(carried: Sequence[str | None], noted: Sequence[str]) -> None:
    """Compare the commitments that the user noted at the table with those of the record."""
    if len(noted) > len(carried):
        raise WrongRecord(f"Commitments noted: {len(noted)}, rounds in the record: {len(carried)}.")
    for number, (one, other) in enumerate(zip(carried, noted, strict=False), 1):
        if one != other:
            wrong = WrongRecord(f"The record has {one or 'no commitment'}, but {other} was noted.")
            wrong.where = [f"round {number}"]
            raise wrong


def _summary(carried: Sequence[str | None], noted: Sequence[str]) -> str:
    if not carried:
        return "no round was dealt"
    rounds = f"{len(carried)} round{'s' if len(carried) > 1 else ''}"
    missing = [f"round {number}" for number, one in enumerate(carried, 1) if one is None]
    if missing:
        return ", ".join([rounds, *(f"{name} has no commitment" for name in missing)])
    compared = f" (noted at the table: {len(noted)} of {len(carried)})" if noted else ""
    return f"{rounds}, every deal matches its commitment{compared}"
