"""`jaipur play`: a game in the terminal."""

import argparse
import os
from dataclasses import fields

from jaipur.cli.arguments import integer
from jaipur.players import LEVELS
from jaipur.words import LANGUAGES

HELP = "play in the terminal"
DESCRIPTION = "Play Jaipur in the terminal, against the computer or a friend at the same keyboard."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    levels = ", ".join(level.name for level in LEVELS)
    option = parser.add_argument
    option("--against", metavar="LEVEL|friend", help=f"{levels}; or friend (default: greedy)")
    first = parser.add_mutually_exclusive_group().add_argument
    first("--first", action="store_const", const=0, help="you start round one")
    other = "the other starts round one"
    first("--second", action="store_const", dest="first", const=1, help=other)
    language = "the language (default: your locale's)"
    option("--lang", dest="language", choices=LANGUAGES, help=language)
    option("--plain", action="store_true", help="short sentences line by line, for a screen reader")
    name = "your name; a second time: your friend's name"
    option("--name", dest="names", metavar="NAME", action="append", default=[], help=name)
    herds = ("open", "hidden")
    option("--herds", choices=herds, help="whether herds are shown (default: open)")
    time = "thinking time of the computer per move"
    option("--time", dest="milliseconds", type=_time, metavar="MS", help=time)
    seed = "seed of the shuffle: the same seed gives the same deals"
    option("--seed", type=_seed, metavar="S", help=seed)
    option("--save", metavar="FILE", help="add the record of the finished game to this file")
    which = parser.add_mutually_exclusive_group().add_argument
    resume = "continue the unfinished game, or the one in a file"
    which("--resume", nargs="?", const="", metavar="FILE", help=resume)
    which("--new", action="store_true", help="start a new game without asking")
    parser.set_defaults(command=parser.prog)


def run(arguments: argparse.Namespace) -> int:
    from jaipur.terminal.app import PlayOptions, play

    options = {field.name: getattr(arguments, field.name) for field in fields(PlayOptions)}
    return play(PlayOptions(**options), os.environ)


def _time(text: str) -> int:
    from jaipur.terminal.local_game import MAX_MILLISECONDS

    return integer(1, MAX_MILLISECONDS)(text)


def _seed(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("a seed must be valid text") from None
    return text
