"""`jaipur moves FILE`: prints the legal moves in the last position of each game, one line per game."""

import argparse

from jaipur.cli.arguments import add_file, replay_records

HELP = "list the legal moves of each game of a file"
DESCRIPTION = (
    "Print one line per game: the legal moves of its current position in a fixed order, separated by "
    "spaces. The line is empty if no round is running."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)


def run(arguments: argparse.Namespace) -> int:
    for _, game in replay_records(arguments.file):
        print(*game.legal_moves())
    return 0
