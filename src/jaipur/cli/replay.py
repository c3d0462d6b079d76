"""`jaipur replay FILE`: check all moves and results of a file of records."""

import argparse

from jaipur.cli.arguments import add_file, replay_records

HELP = "check all moves and results of a file of records"
DESCRIPTION = (
    "Check all moves, scores and results. The exit status is 1 if a record is wrong, and 2 if the "
    " file cannot be read."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)


def run(arguments: argparse.Namespace) -> int:
    games = rounds = moves = 0
    for _, game in replay_records(arguments.file):
        games += 1
        rounds += len(game.rounds)
        moves += sum(len(played.moves) for played in game.rounds)
    print(f"All right. Games: {games}, rounds: {rounds}, moves: {moves}.")
    return 0
