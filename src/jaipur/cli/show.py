"""`jaipur show FILE`: draw a position of a record, with all cards or as one seat sees it."""

import argparse
from typing import TYPE_CHECKING

from jaipur.cli.arguments import (
    RecordPosition,
    add_file,
    add_position_options,
    find_position,
)
from jaipur.rules.input_errors import printable

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "show",
        help="draw a position of a record",
        description="Draw a position with all cards, or as one seat sees it.",
    )
    add_file(parser)
    add_position_options(parser)
    parser.add_argument(
        "--seat",
        choices=["0", "1", "above"],
        default="above",
        help="view of a seat, or above for all cards (default)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    found = find_position(arguments)
    players = " – ".join(printable(name) for name in found.record.players)
    print(f"{players}, round {found.round}, {_after(found)}")
    if arguments.seat == "above":
        print(str(found.position))
    else:
        print(str(found.position.view(int(arguments.seat), found.record.herds)))
    return 0


def _after(found: RecordPosition) -> str:
    if not found.moves:
        return "after the deal"
    return (
        f"after move {found.moves} ({found.record.rounds[found.round - 1].moves[found.moves - 1]})"
    )
