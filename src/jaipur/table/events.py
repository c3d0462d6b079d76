"""What happens at a table, as it is kept: a journal of entries, each an event with its version and its moment.

The journal is the record in pieces: deals, moves and results are written as `notation` writes them. It holds every
secret, so entries never leave the house; `messages` tells a seat what it may know of them.
"""

from typing import Literal, Self

from msgspec import Struct

from jaipur.rules import LETTERS, Deal, Seat
from jaipur.table.options import Millis, TableOptions

PlayerKind = Literal["person", "computer", "nobody"]


class Chair(Struct, frozen=True):
    """Who sits on a seat, or that nobody does yet."""

    player: PlayerKind = "nobody"
    name: str = ""
    """The name of a person, the level of a computer."""
    secret: str | None = None
    """The digest of the secret that lets a person sit here; or of the invitation, while nobody does."""


class Event(Struct, frozen=True, tag_field="kind", tag=str.lower):
    """Something that happened."""


class Opened(Event, frozen=True):
    """The table was set up."""

    chairs: tuple[Chair, Chair]
    options: TableOptions
    previous: str | None = None
    """The table this one is a rematch of."""


class Seated(Event, frozen=True):
    """A person took the free seat."""

    seat: Seat
    name: str
    secret: str


class Dealt(Event, frozen=True):
    """A round was dealt."""

    starts: Seat
    deal: str
    bonus: tuple[tuple[int, ...], ...]
    salt: str

    @classmethod
    def of(cls, deal: Deal, salt: str) -> Self:
        return cls(deal.starts, "".join(LETTERS[kind] for kind in deal.pack), deal.bonus, salt)


class Played(Event, frozen=True):
    """A trader moved."""

    seat: Seat
    move: str


class Resigned(Event, frozen=True):
    """A trader gave the game up."""

    seat: Seat


class Flagged(Event, frozen=True):
    """A trader's time ran out."""

    seat: Seat


class Abandoned(Event, frozen=True):
    """Nobody came back to the game for a long time."""


class Left(Event, frozen=True):
    """A trader went away from the table."""

    seat: Seat


class Returned(Event, frozen=True):
    """A trader who had left came back."""

    seat: Seat


class Offered(Event, frozen=True):
    """A trader would like a rematch."""

    seat: Seat


class Rematched(Event, frozen=True):
    """Both wanted a rematch, and it is at this table."""

    table: str


AnyEvent = (
    Opened
    | Seated
    | Dealt
    | Played
    | Resigned
    | Flagged
    | Abandoned
    | Left
    | Returned
    | Offered
    | Rematched
)


class LogEntry(Struct, frozen=True):
    """One line of a table's journal. Versions count from 1 without a gap."""

    version: int
    at: Millis
    event: AnyEvent
