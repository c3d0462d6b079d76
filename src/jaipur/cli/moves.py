"""`jaipur moves FILE`: the legal moves of each game's current position, one line per game."""

import argparse
from typing import TYPE_CHECKING

from jaipur.cli.arguments import add_file, replay_records

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "moves",
        help="list the legal moves of each game of a file",
        description="Print one line per game: the legal moves of its current position in a fixed order, separated by "
        "spaces. The line is empty if no round is running.",
    )
    add_file(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    for _, game in replay_records(arguments.file):
        print(*game.legal_moves())
    return 0
