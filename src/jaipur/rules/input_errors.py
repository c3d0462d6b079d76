"""Errors in input text.

`NotationError` means that a text cannot be parsed. `WrongRecord` means that a record can be parsed, but its content is
wrong. The message of both errors begins with the location: “game 3, round 2, move 17 (+DG-LM): …”.
"""

from collections.abc import Iterator
from contextlib import contextmanager

_EXCERPT = 60  # characters of the input in a message


class PlacedError(ValueError):
    """An error with its location in a record. `where` lists the parts of the location, largest unit first."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.where: list[str] = []

    def __str__(self) -> str:
        return f"{', '.join(self.where)}: {self.message}" if self.where else self.message


class NotationError(PlacedError):
    """The text cannot be parsed. `place` is the index of the character at which parsing stopped."""

    def __init__(self, message: str, text: str = "", place: int | None = None) -> None:
        super().__init__(message + _excerpt(text, place))
        self.text = text
        self.place = place


class WrongRecord(PlacedError):  # noqa: N818  # the name describes the input
    """The record has an illegal move, or a result that does not follow from its moves."""


@contextmanager
def within(place: str) -> Iterator[None]:
    """Put a location in front of the locations of errors that the `with` block raises."""
    try:
        yield
    except PlacedError as error:
        error.where.insert(0, place)
        raise


def printable(text: str) -> str:
    """Return the text with all control characters replaced, so that it is safe to print in a terminal."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def _excerpt(text: str, place: int | None) -> str:
    """Return a short, printable part of a text around an index."""
    if not text:
        return ""
    first = max(0, (place or 0) - _EXCERPT // 2)
    before = "…" if first else ""
    after = "…" if first + _EXCERPT < len(text) else ""
    where = "" if place is None else f" at place {place + 1}"
    return f" (“{before}{printable(text[first : first + _EXCERPT])}{after}”{where})"
