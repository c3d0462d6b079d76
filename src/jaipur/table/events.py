"""The events of a table and the entries of its event log, as they are stored.

Deals and moves are stored in the notation of records. The log contains every secret of the game, so entries never
leave the server: `projection` derives from them what each seat may know.
"""

from typing import Literal, Self

from msgspec import Struct

from jaipur.rules import Deal, Seat
from jaipur.rules.cards import LETTERS
from jaipur.table.options import Millis, TableOptions

PlayerKind = Literal["person", "computer", "nobody"]


class Chair(Struct, frozen=True):
    """The occupant of a seat."""

    player: PlayerKind = "nobody"
    name: str = ""
    """The name of a person, the level of a computer."""
    secret: str | None = None
    """Digest of the person's secret; of the invitation while the seat is free."""


class Event(Struct, frozen=True, tag_field="kind", tag=str.lower):
    """Base of all events."""


class Opened(Event, frozen=True):
    """The table was created."""

    chairs: tuple[Chair, Chair]
    options: TableOptions
    previous: str | None = None
    """The table that this one is a rematch of."""


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
    """A player moved."""

    seat: Seat
    move: str


class Resigned(Event, frozen=True):
    """A player resigned the game."""

    seat: Seat


class Flagged(Event, frozen=True):
    """A player's time ran out."""

    seat: Seat


class Abandoned(Event, frozen=True):
    """Nothing happened for so long that the game ended."""


class Left(Event, frozen=True):
    """A player left the table."""

    seat: Seat


class Returned(Event, frozen=True):
    """A player who had left came back."""

    seat: Seat


class Offered(Event, frozen=True):
    """A player offered a rematch."""

    seat: Seat


class Rematched(Event, frozen=True):
    """Both players agreed on a rematch, at the table with this id."""

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
    """One entry of a table's event log. Versions count from 1 without gaps."""

    version: int
    at: Millis
    event: AnyEvent
