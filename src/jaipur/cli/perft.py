"""`jaipur perft`: count move sequences by length, from a deal or from a position of a record."""

import argparse
from random import Random
from time import perf_counter

from jaipur.cli.arguments import add_position_options, find_position, integer
from jaipur.rules import Deal, Position, new_round
from jaipur.rules.perft import divide, perft

HELP = "count move sequences"
DESCRIPTION = "Count move sequences by length, from a new deal (--seed) or from a position of FILE."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option = parser.add_argument
    option("file", metavar="FILE", nargs="?", help="records (default: a new deal)")
    option("--seed", type=integer(0, 2**63), default=0, help="seed of the deal (default: 0)")
    option("--depth", type=integer(1), default=3, help="longest sequence (default: 3)")
    option("--divide", action="store_true", help="also print the count of each first move")
    add_position_options(parser)


def run(arguments: argparse.Namespace) -> int:
    position = _position(arguments)
    for depth in range(1, arguments.depth + 1):
        began = perf_counter()
        count = perft(position, depth)
        print(f"depth {depth}: {count:>15,}   {perf_counter() - began:.2f} s", flush=True)
    if arguments.divide:
        for move, count in divide(position, arguments.depth).items():
            print(f"{move!s:<12} {count:>12,}")
    return 0


def _position(arguments: argparse.Namespace) -> Position:
    if arguments.file is not None:
        return find_position(arguments).position
    return new_round(Deal.shuffled(Random(arguments.seed)))
