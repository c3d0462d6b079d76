"""`jaipur show FILE`: draw a position as a table, from a seat or from above, at any move."""

import argparse
from typing import TYPE_CHECKING

from jaipur.cli.arguments import Place, add_place, find_place
from jaipur.notation import printable
from jaipur.rules import draw, draw_view, view_of

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "show",
        help="draw a position of a record",
        description="Draw a position as a table: from above with every card, or as one seat may know it.",
    )
    parser.add_argument("file", metavar="FILE", help="records, one a line; - is standard input")
    add_place(parser)
    parser.add_argument(
        "--seat", choices=["0", "1", "above"], default="above", help="who looks (default: above)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    place = find_place(arguments)
    players = " – ".join(printable(name) for name in place.record.players)
    print(f"{players}, round {place.round}, {_after(place)}")
    if arguments.seat == "above":
        print(draw(place.position))
    else:
        print(draw_view(view_of(place.position, int(arguments.seat), place.record.herds)))
    return 0


def _after(place: Place) -> str:
    if not place.moves:
        return "as it was dealt"
    return (
        f"after move {place.moves} ({place.record.rounds[place.round - 1].moves[place.moves - 1]})"
    )
