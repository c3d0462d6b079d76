"""What can be wrong with a text: a `NotationError` cannot be read, a `WrongRecord` reads well and is not true.

Both know where they happened, from the outside in: “game 3, round 2, move 17 (+DG-LM): …”.
"""

from collections.abc import Iterator
from contextlib import contextmanager

_SHOWN = 60


class PlacedError(ValueError):
    """An error that knows where in a record it happened."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.where: list[str] = []

    def __str__(self) -> str:
        return f"{', '.join(self.where)}: {self.message}" if self.where else self.message


class NotationError(PlacedError):
    """A text that cannot be read, with the place where reading stopped."""

    def __init__(self, message: str, text: str = "", place: int | None = None) -> None:
        super().__init__(message + _shown(text, place))
        self.text = text
        self.place = place


class WrongRecord(PlacedError):  # noqa: N818  # said of a record
    """A record that can be read and breaks the rules, or whose numbers do not add up."""


@contextmanager
def within(place: str) -> Iterator[None]:
    """Tell errors that come through here where they happened."""
    try:
        yield
    except PlacedError as error:
        error.where.insert(0, place)
        raise


def printable(text: str) -> str:
    """The same text without what could upset a terminal."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def _shown(text: str, place: int | None) -> str:
    """The text, or a printable piece of it around the place: it may be long and hold anything."""
    if not text:
        return ""
    first = max(0, (place or 0) - _SHOWN // 2)
    before = "…" if first else ""
    after = "…" if first + _SHOWN < len(text) else ""
    where = "" if place is None else f" at place {place + 1}"
    return f" (“{before}{printable(text[first : first + _SHOWN])}{after}”{where})"
