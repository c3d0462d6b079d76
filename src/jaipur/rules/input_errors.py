"""Errors of text from outside: a `NotationError` cannot be read, a `WrongRecord` can be read but is not true.

Both carry their place, from the outside in: “game 3, round 2, move 17 (+DG-LM): …”.
"""

from collections.abc import Iterator
from contextlib import contextmanager

_EXCERPT = 60


class PlacedError(ValueError):
    """An error with a place in a record."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.where: list[str] = []

    def __str__(self) -> str:
        return f"{', '.join(self.where)}: {self.message}" if self.where else self.message


class NotationError(PlacedError):
    """A text that cannot be read; `place` is the index at which reading stopped."""

    def __init__(self, message: str, text: str = "", place: int | None = None) -> None:
        super().__init__(message + _excerpt(text, place))
        self.text = text
        self.place = place


class WrongRecord(PlacedError):  # noqa: N818  # describes the record
    """A record that breaks the rules, or whose results are not those of its moves."""


@contextmanager
def within(place: str) -> Iterator[None]:
    """Prepend a place to the errors raised inside."""
    try:
        yield
    except PlacedError as error:
        error.where.insert(0, place)
        raise


def printable(text: str) -> str:
    """The text with every control character replaced, safe for a terminal."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def _excerpt(text: str, place: int | None) -> str:
    """The part of a text around a place: the text may be long and contain control characters."""
    if not text:
        return ""
    first = max(0, (place or 0) - _EXCERPT // 2)
    before = "…" if first else ""
    after = "…" if first + _EXCERPT < len(text) else ""
    where = "" if place is None else f" at place {place + 1}"
    return f" (“{before}{printable(text[first : first + _EXCERPT])}{after}”{where})"
