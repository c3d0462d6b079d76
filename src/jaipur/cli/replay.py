"""`jaipur replay FILE`: check all moves and results of a file of records."""

import argparse
from typing import TYPE_CHECKING

from jaipur.cli.arguments import add_file, replay_records

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "replay",
        help="check all moves and results of a file of records",
        description="Check all moves, scores and results. The exit status is 1 if a record is wrong, and 2 if the "
        " file cannot be read.",
    )
    add_file(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    games = rounds = moves = 0
    for _, game in replay_records(arguments.file):
        games += 1
        rounds += len(game.rounds)
        moves += sum(len(played.moves) for played in game.rounds)
    print(f"All right. Games: {games}, rounds: {rounds}, moves: {moves}.")
    return 0
