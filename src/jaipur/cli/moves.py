"""`jaipur moves FILE`: the legal moves of each game's current position, one line a game."""

import argparse
from typing import TYPE_CHECKING

from jaipur.cli.arguments import replayed

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "moves",
        help="list the legal moves of each game of a file",
        description="For each game one line: the legal moves of its current position in their fixed order, separated "
        "by spaces. The line is empty where no round is running.",
    )
    parser.add_argument("file", metavar="FILE", help="records, one a line; - is standard input")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    for _, game in replayed(arguments.file):
        print(*game.legal_moves())
    return 0
