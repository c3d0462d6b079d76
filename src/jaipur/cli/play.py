"""`jaipur play`: a game in the terminal."""

import argparse
import os
from dataclasses import fields
from typing import TYPE_CHECKING

from jaipur.cli.arguments import integer
from jaipur.players import LEVELS
from jaipur.words import LANGUAGES

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "play",
        help="play in the terminal",
        description="Play Jaipur in the terminal, against the computer or a friend at the same keyboard.",
    )
    parser.add_argument(
        "--against",
        metavar="LEVEL|friend",
        help=f"{', '.join(level.name for level in LEVELS)}; or friend (default: greedy)",
    )
    first = parser.add_mutually_exclusive_group()
    first.add_argument(
        "--first", action="store_const", dest="first", const=0, help="you start round one"
    )
    first.add_argument(
        "--second", action="store_const", dest="first", const=1, help="the other starts round one"
    )
    parser.add_argument(
        "--lang", dest="language", choices=LANGUAGES, help="the language (default: your locale's)"
    )
    parser.add_argument(
        "--plain", action="store_true", help="short sentences line by line, for a screen reader"
    )
    parser.add_argument(
        "--name",
        dest="names",
        metavar="NAME",
        action="append",
        type=_name,
        default=[],
        help="your name; a second time: your friend's name",
    )
    parser.add_argument(
        "--herds",
        choices=("open", "hidden"),
        help="whether herds are shown (default: open)",
    )
    parser.add_argument(
        "--time",
        dest="milliseconds",
        type=_time,
        metavar="MS",
        help="thinking time of the computer per move",
    )
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="S",
        help="seed of the shuffle: the same seed gives the same deals",
    )
    parser.add_argument(
        "--save", metavar="FILE", help="add the record of the finished game to this file"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="FILE",
        help="continue the unfinished game, or the one in a file",
    )
    which.add_argument("--new", action="store_true", help="start a new game without asking")
    parser.set_defaults(run=run, command=parser.prog)


def run(arguments: argparse.Namespace) -> int:
    """Play a game with these options."""
    from jaipur.terminal.app import PlayOptions, play

    options = {field.name: getattr(arguments, field.name) for field in fields(PlayOptions)}
    return play(PlayOptions(**options), os.environ)


def _name(text: str) -> str:
    from jaipur.terminal.setup import tidy_name

    return tidy_name(text)


def _time(text: str) -> int:
    from jaipur.terminal.setup import MAX_MILLISECONDS

    milliseconds = integer(1)(text)
    if milliseconds > MAX_MILLISECONDS:
        raise argparse.ArgumentTypeError(f"{text[:40]} is more than {MAX_MILLISECONDS}")
    return milliseconds


def _seed(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("a seed must be valid text") from None
    return text
