"""The events of a table, and the entries of its event log, as they are stored.

Deals and moves are stored in the notation of records. The log contains every secret of the game. Therefore its entries
never leave the server. `projection` creates the messages for each seat from the entries.
"""

from typing import Literal, Self

from msgspec import Struct

from jaipur.rules import Deal, Seat
from jaipur.rules.cards import LETTERS
from jaipur.table.options import Millis, TableOptions

PlayerKind = Literal["person", "computer", "nobody"]


class Chair(Struct, frozen=True):
    """The player who has a seat."""

    player: PlayerKind = "nobody"
    name: str = ""
    """The name of a person, or the level of a computer player."""
    secret: str | None = None
    """The digest of the person's secret. While the seat is free, the digest of the invitation."""
    contributes: bool = False
    """Whether the first deal waits a short time for the contribution of this seat."""


class Event(Struct, frozen=True, tag_field="kind", tag=str.lower):
    """The base class of all events."""


class SeatEvent(Event, frozen=True):
    """The base class of the events that one seat causes."""

    seat: Seat


class Opened(Event, frozen=True):
    """The table was created."""

    chairs: tuple[Chair, Chair]
    options: TableOptions
    previous: str | None = None
    """If this table is a rematch: the id of the previous table."""
    salt: str | None = None
    """The salt of the first round.

    If it is None, the server draws each deal alone, as in version 0.1 and the terminal.
    """


class Seated(SeatEvent, frozen=True):
    """A person took the free seat."""

    name: str
    secret: str
    contributes: bool = False


class Contributed(SeatEvent, frozen=True):
    """A player contributed a random number to the deal of a round."""

    round: int
    value: str


class Dealt(Event, frozen=True):
    """A round was dealt."""

    starts: Seat
    deal: str
    bonus: tuple[tuple[int, ...], ...]
    salt: str
    next_salt: str | None = None
    """The salt of the next round. None at tables that draw each deal alone."""

    @classmethod
    def of(cls, deal: Deal, salt: str, next_salt: str | None = None) -> Self:
        pack = "".join(LETTERS[kind] for kind in deal.pack)
        return cls(deal.starts, pack, deal.bonus, salt, next_salt)


class Played(SeatEvent, frozen=True, omit_defaults=True):
    """A player moved."""

    move: str
    took: Millis | None = None
    """The computation time of a computer player. Its clock counts only this time, and not the time in a queue."""


class Stopped(Event, frozen=True):
    """The round ended because the players exchanged too many times in a row."""


class Drawn(Event, frozen=True):
    """The game ended without a winner because it had too many rounds."""


class Resigned(SeatEvent, frozen=True):
    """A player resigned the game."""


class Flagged(SeatEvent, frozen=True):
    """A player's time ran out."""


class Abandoned(Event, frozen=True):
    """The game ended because nobody played for too long."""


class Left(SeatEvent, frozen=True):
    """A player left the table."""


class Returned(SeatEvent, frozen=True):
    """A player who had left returned."""


class Offered(SeatEvent, frozen=True):
    """A player offered a rematch."""


class Rematched(Event, frozen=True):
    """Both players agreed on a rematch. `table` is the id of the new table."""

    table: str


AnyEvent = (
    Opened | Seated | Contributed | Dealt | Played | Stopped | Drawn | Resigned | Flagged
    | Abandoned | Left | Returned | Offered | Rematched
)  # fmt: skip


class LogEntry(Struct, frozen=True):
    """One entry of the event log of a table. The versions of the entries are 1, 2, 3 and so on."""

    version: int
    at: Millis
    event: AnyEvent
