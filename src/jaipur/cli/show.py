"""`jaipur show FILE`: draw a position of a record, with all cards or as one seat sees it."""

import argparse

from jaipur.cli.arguments import add_file, add_position_options, find_position
from jaipur.rules.input_errors import printable

HELP = "draw a position of a record"
DESCRIPTION = "Draw a position with all cards, or as one seat sees it."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_position_options(parser)
    seat = "view of a seat, or above for all cards (default)"
    parser.add_argument("--seat", choices=["0", "1", "above"], default="above", help=seat)


def run(arguments: argparse.Namespace) -> int:
    found = find_position(arguments)
    players = " – ".join(printable(name) for name in found.record.players)
    last = found.record.rounds[found.round - 1].moves[: found.moves][-1:]
    after = f"move {found.moves} ({last[0]})" if last else "the deal"
    print(f"{players}, round {found.round}, after {after}")
    if arguments.seat == "above":
        print(found.position)
    else:
        print(found.position.view(int(arguments.seat), found.record.herds))
    return 0
