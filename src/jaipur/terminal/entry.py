"""Understanding what a person types: a number of the list, a command in their language or English, or a move.

Moves are read more kindly than the notation is written: letters and groups in any order, any dash for a minus.
"""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from jaipur.rules import LETTERS, Move
from jaipur.words import Words

Name = Literal["help", "moves", "table", "log", "save", "quit"]
COMMANDS: tuple[Name, ...] = get_args(Name)

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_LONGEST_NUMBER = 4


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and what follows it."""

    name: Name
    rest: str = ""


def understand(text: str, words: Words) -> int | Command | Move:
    """What was meant; `NotationError` where it is nothing we know."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER:
        return int(text)
    first, _, rest = text.partition(" ")
    for name in COMMANDS:
        if is_spelt(first, name, words):
            return Command(name, rest.strip())
    return Move.parse(in_order(text))


def is_spelt(word: str, name: str, words: Words) -> bool:
    """Whether a word is a command's, in the language or in English."""
    return word.casefold() in (*spellings(words, name), *spellings(Words("en"), name))


def spellings(words: Words, name: str) -> list[str]:
    """The words for a command; the first is the one to show."""
    return words.say(f"command.{name}").split()


def shown(words: Words) -> dict[str, str]:
    """Every command as it is shown in a language."""
    return {name: spellings(words, name)[0] for name in COMMANDS}


def in_order(text: str) -> str:
    """The same move with what is taken first and every group in the order of the letters."""
    tidy = "".join(text.translate(_DASHES).upper().split())
    groups = re.findall(r"[+-][^+-]*", tidy)
    signs = [group[0] for group in groups]
    # Only what would read as a move once sorted is touched: errors should show what was typed.
    if "".join(groups) != tidy or signs not in (["+"], ["-"], ["+", "-"], ["-", "+"]):
        return text
    if any(letter not in LETTERS for group in groups for letter in group[1:]):
        return text
    return "".join(
        group[0] + "".join(sorted(group[1:], key=LETTERS.index)) for group in sorted(groups)
    )


def yes_or_no(text: str, words: Words, usual: bool) -> bool | None:
    """An answer to a question; nothing at all is the usual one, and None is neither."""
    answer = text.strip().casefold()
    for meant, key in ((True, "answer.yes"), (False, "answer.no")):
        if answer in words.say(key).split() + Words("en").say(key).split():
            return meant
    return None if answer else usual
