"""Parses typed lines: a number in the list of moves, a command in the player's language or in English, or a move.

Typed moves are less strict than the notation. Groups and letters may have any order, and any dash is a minus sign.
"""

import re
from typing import Literal, NamedTuple, get_args

from jaipur.rules import Move
from jaipur.rules.cards import LETTERS
from jaipur.words import Words

CommandName = Literal["help", "moves", "table", "log", "save", "quit"]
COMMANDS: tuple[CommandName, ...] = get_args(CommandName)

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_MAX_DIGITS = 4


class Command(NamedTuple):
    """A command and its argument."""

    name: CommandName
    argument: str = ""


def parse_input(text: str, words: Words) -> int | Command | Move:
    """Parse a number, a command or a move. Raise `NotationError` if the text is none of these."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS:
        return int(text)
    first, _, rest = text.partition(" ")
    for name in COMMANDS:
        if is_word(first, f"command.{name}", words):
            return Command(name, rest.strip())
    return Move.parse(normalize_move(text))


def is_word(text: str, key: str, words: Words) -> bool:
    """Return whether a text is one of the words of a key, in the player's language or in English."""
    return text.strip().casefold() in words.say(key).split() + Words().say(key).split()


def command_names(words: Words) -> dict[str, str]:
    """Return, for every command, the word that is shown to the player."""
    return {name: words.say(f"command.{name}").split()[0] for name in COMMANDS}


def normalize_move(text: str) -> str:
    """Sort the groups and letters of a move. Return other text unchanged, so that the error message quotes it."""
    compact = "".join(text.translate(_DASHES).upper().split())
    groups = re.findall(r"[+-][^+-]*", compact)
    signs = [group[0] for group in groups]
    order = f"+-{LETTERS}"
    unknown = set(compact) - set(order)
    if unknown or "".join(groups) != compact or len(set(signs)) < len(signs):
        return text
    return "".join("".join(sorted(group, key=order.index)) for group in sorted(groups))


def parse_yes_no(text: str, words: Words, default: bool) -> bool | None:
    """Parse the answer to a yes-no question. An empty line means `default`. Return None for any other text."""
    for answer, key in ((True, "answer.yes"), (False, "answer.no")):
        if is_word(text, key, words):
            return answer
    return None if text.strip() else default
