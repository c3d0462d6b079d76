"""`jaipur replay FILE`: check every move and every number of every game."""

import argparse
from typing import TYPE_CHECKING

from jaipur.cli.arguments import replayed

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "replay",
        help="check every move and every number of a file of records",
        description="Check every move and every number. The first thing wrong is named, and the exit status is 1; "
        "it is 2 where the file cannot be read.",
    )
    parser.add_argument("file", metavar="FILE", help="records, one a line; - is standard input")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    games = rounds = moves = 0
    for _, game in replayed(arguments.file):
        games += 1
        rounds += len(game.rounds)
        moves += sum(len(played.moves) for played in game.rounds)
    print(f"All right. Games: {games}, rounds: {rounds}, moves: {moves}.")
    return 0
