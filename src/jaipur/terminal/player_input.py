"""Parsing of typed lines: a number of the list of moves, a command in the player's language or in English, or a move.

Moves may be typed more freely than the notation: groups and letters in any order, any dash as the minus sign.
"""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from jaipur.rules import Move
from jaipur.rules.cards import LETTERS
from jaipur.words import Words

CommandName = Literal["help", "moves", "table", "log", "save", "quit"]
COMMANDS: tuple[CommandName, ...] = get_args(CommandName)

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_MAX_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Command:
    """A command and its argument."""

    name: CommandName
    argument: str = ""


def parse_input(text: str, words: Words) -> int | Command | Move:
    """A number, a command or a move; `NotationError` if the text is none of these."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS:
        return int(text)
    first, _, rest = text.partition(" ")
    for name in COMMANDS:
        if is_command(first, name, words):
            return Command(name, rest.strip())
    return Move.parse(normalize_move(text))


def is_command(word: str, name: CommandName, words: Words) -> bool:
    return word.casefold() in (*_command_words(words, name), *_command_words(Words("en"), name))


def command_names(words: Words) -> dict[str, str]:
    """The word to show for every command."""
    return {name: _command_words(words, name)[0] for name in COMMANDS}


def _command_words(words: Words, name: CommandName) -> list[str]:
    return words.say(f"command.{name}").split()


def normalize_move(text: str) -> str:
    """Sort the groups and letters of a move. A text that cannot become a move is unchanged, for the error message."""
    compact = "".join(text.translate(_DASHES).upper().split())
    groups = re.findall(r"[+-][^+-]*", compact)
    signs = [group[0] for group in groups]
    if "".join(groups) != compact or signs not in (["+"], ["-"], ["+", "-"], ["-", "+"]):
        return text
    if any(letter not in LETTERS for group in groups for letter in group[1:]):
        return text
    return "".join(
        group[0] + "".join(sorted(group[1:], key=LETTERS.index)) for group in sorted(groups)
    )


def parse_yes_no(text: str, words: Words, default: bool) -> bool | None:
    """The answer to a question: `default` for an empty line, None if it is neither yes nor no."""
    answer = text.strip().casefold()
    for meaning, key in ((True, "answer.yes"), (False, "answer.no")):
        if answer in words.say(key).split() + Words("en").say(key).split():
            return meaning
    return None if answer else default
