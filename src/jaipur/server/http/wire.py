"""What comes in over the wire. Unknown fields are refused, so that a slip of the pen is told and not passed over."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from jaipur.rules import Seat
from jaipur.server.http.problems import Problem
from jaipur.table.options import TableOptions

Name = Annotated[
    str, Meta(max_length=24, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*(?!\n)$")
]
"""How a person is called at the table; nothing that a terminal or a page would not show."""
SeatNumber = Annotated[int, Meta(ge=0, le=1)]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table one would like to have."""

    against: Literal["computer", "friend", "one_screen"]
    level: Annotated[str, Meta(max_length=40)] | None = None
    """Which computer; the levels are listed at /api/levels."""
    name: Name = ""
    other_name: Name = ""
    """How the second trader is called, on one screen."""
    seat: SeatNumber | None = None
    """Where to sit; left out, chance decides."""
    options: TableOptions = TableOptions()


class TableOpened(Struct, frozen=True):
    """A table that is set up."""

    id: str
    seat: Seat | None
    """Where you sit; null where you play both seats."""
    secret: str | None
    """Send it as `Authorization: Bearer …`. Null where you came with a secret of your own."""
    invitation: str | None
    """What the other trader needs to take the free seat, once."""
    version: int


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody comes with an invitation."""

    invitation: Annotated[str, Meta(max_length=128)]
    name: Name = ""


class SeatTaken(Struct, frozen=True):
    """A seat that is yours."""

    seat: Seat
    secret: str | None
    """Send it as `Authorization: Bearer …`. Null where you came with a secret of your own."""
    version: int


class PlayMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move, and the version of the table it was chosen at."""

    move: Annotated[str, Meta(max_length=200)]
    version: Version
    seat: SeatNumber | None = None
    """Only where you play both seats: which one moves. Left out, the one whose turn it is."""


class Acknowledged(Struct, frozen=True):
    """It is done and will not be lost."""

    version: int
    """The version that it made."""


class RematchAnswer(Struct, frozen=True):
    """A rematch is asked for, or on."""

    version: int
    next: str | None
    """The table of the rematch, when both want it."""


class LevelShape(Struct, frozen=True):
    """A computer to play against, from the weakest up."""

    name: str
    line: str


class Visitor(Struct, frozen=True):
    """A browser that has been given its cookie."""

    known: bool
    """Whether it had one already."""


class Verdict(Struct, frozen=True):
    """Whether a move can be played, and what speaks against it."""

    legal: bool
    problem: Problem | None = None
