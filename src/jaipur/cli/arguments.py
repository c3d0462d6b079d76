"""Arguments that several commands share: files of records, a place in one of them, numbers with a lower end."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from jaipur.notation import Record, position_after, read_records, replay, within
from jaipur.rules import Game, Position

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001  # it has no other name


def at_least(least: int, most: int = 10**9) -> Callable[[str], int]:
    """A whole number no smaller than this, nor so large that it cannot be meant."""

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


@contextmanager
def opened(file: str) -> Iterator[BinaryIO]:
    """A file of records, or standard input for “-”."""
    if file == "-":
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as stream:
            yield stream


def replayed(file: str) -> Iterator[tuple[Record, Game]]:
    """Every record of a file with the game it tells, checked."""
    with opened(file) as stream:
        for number, record in enumerate(read_records(stream), 1):
            with within(f"game {number}"):
                game = replay(record)
            yield record, game


def add_place(parser: argparse.ArgumentParser) -> None:
    """Options that point at one position of a file."""
    parser.add_argument("--game", type=at_least(1), default=1, help="which game of FILE (first: 1)")
    parser.add_argument("--round", type=at_least(1), help="which round (default: the last)")
    parser.add_argument(
        "--move", type=at_least(0), help="after how many moves (default: all; 0: the set-up)"
    )


@dataclass(frozen=True, slots=True)
class Place:
    """One position of a record."""

    record: Record
    round: int
    moves: int
    position: Position


def find_place(arguments: argparse.Namespace) -> Place:
    """The position that the options point at; what is not there is said."""
    number = 0
    for number, (record, game) in enumerate(replayed(arguments.file), 1):
        if number == arguments.game:
            return _place(record, game, arguments)
    raise argparse.ArgumentTypeError(f"There is no game {arguments.game}: the file has {number}.")


def _place(record: Record, game: Game, arguments: argparse.Namespace) -> Place:
    rounds = len(record.rounds)
    if not rounds:
        raise argparse.ArgumentTypeError("No round of this game has been dealt.")
    number = rounds if arguments.round is None else arguments.round
    if not 1 <= number <= rounds:
        raise argparse.ArgumentTypeError(f"There is no round {number}: the game has {rounds}.")
    played = record.rounds[number - 1]
    moves = len(played.moves) if arguments.move is None else arguments.move
    if moves > len(played.moves):
        raise argparse.ArgumentTypeError(
            f"There is no move {moves}: the round has {len(played.moves)}."
        )
    whole = moves == len(played.moves)
    position = game.rounds[number - 1].position if whole else position_after(played, moves)
    return Place(record, number, moves, position)
