"""Arguments that several commands use: files of records, a position in a record, numbers with limits."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from jaipur.folders import data_folder
from jaipur.notation import Record, position_after, read_records
from jaipur.rules import Game, Position
from jaipur.rules.input_errors import within


def integer(least: int, most: int = 10**9) -> Callable[[str], int]:
    """Return a function that parses an integer from `least` to `most`, as a type for argparse."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"“{text[:40]}” is not a whole number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        if value > most:
            raise argparse.ArgumentTypeError(f"{text[:20]} is more than {most}")
        return value

    return number


def add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="records, one per line; - means standard input"
    )


@contextmanager
def open_records(file: str) -> Iterator[BinaryIO]:
    """Open a file of records, or standard input if the name is “-”."""
    if file == "-":
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as stream:
            yield stream


def replay_records(file: str) -> Iterator[tuple[Record, Game]]:
    """Read, replay and check all records of a file. Yield each record with its game."""
    with open_records(file) as stream:
        for number, record in enumerate(read_records(stream), 1):
            with within(f"game {number}"):
                game = Game.from_record(record)
            yield record, game


def add_database(parser: argparse.ArgumentParser) -> None:
    database = "sqlite:///FILE or postgresql://… (default: the file in the data folder)"
    parser.add_argument("--database", metavar="URL", help=database)


def database_url(arguments: argparse.Namespace) -> str:
    """Return the URL of the option `--database`, or the URL of the database in the data folder."""
    return arguments.database or f"sqlite:///{data_folder() / 'tables.sqlite'}"


@contextmanager
def database_errors() -> Iterator[None]:
    """Convert an error of the database to an error of the arguments, which is printed as one sentence."""
    from jaipur.server.store.schema import StoreError

    try:
        yield
    except StoreError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_position_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that select one position of a file."""
    parser.add_argument(
        "--game", type=integer(1), default=1, help="number of the game in FILE (default: 1)"
    )
    parser.add_argument("--round", type=integer(1), help="number of the round (default: the last)")
    parser.add_argument(
        "--move", type=integer(0), help="number of moves played (default: all; 0: the deal)"
    )


@dataclass(frozen=True, slots=True)
class RecordPosition:
    """One position of a record."""

    record: Record
    round: int
    moves: int
    position: Position


def find_position(arguments: argparse.Namespace) -> RecordPosition:
    """Return the position that the options select. If there is none, raise an error that names the missing part."""
    number = 0
    for number, (record, game) in enumerate(replay_records(arguments.file), 1):
        if number == arguments.game:
            return _select(record, game, arguments)
    raise argparse.ArgumentTypeError(f"There is no game {arguments.game}: the file has {number}.")


def _select(record: Record, game: Game, arguments: argparse.Namespace) -> RecordPosition:
    rounds = len(record.rounds)
    if not rounds:
        raise argparse.ArgumentTypeError("No round of this game has been dealt.")
    number = rounds if arguments.round is None else arguments.round
    if not 1 <= number <= rounds:
        raise argparse.ArgumentTypeError(f"There is no round {number}: the game has {rounds}.")
    selected = record.rounds[number - 1]
    moves = len(selected.moves) if arguments.move is None else arguments.move
    if moves > len(selected.moves):
        raise argparse.ArgumentTypeError(
            f"There is no move {moves}: the round has {len(selected.moves)}."
        )
    whole = moves == len(selected.moves)
    position = game.rounds[number - 1].position if whole else position_after(selected, moves)
    return RecordPosition(record, number, moves, position)
