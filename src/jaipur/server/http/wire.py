"""Request and response bodies of the API. Requests with unknown fields are refused, so that typos are noticed.

A table and its events are in `jaipur.table.message_types`, an error in `problems`.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from jaipur import __version__
from jaipur.rules import Seat
from jaipur.server.http.problems import Problem
from jaipur.table.options import TableOptions

PlayerName = Annotated[
    str, Meta(max_length=24, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*(?!\n)$")
]
"""No control characters, line breaks or changes of text direction."""
SeatNumber = Annotated[int, Meta(ge=0, le=1)]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class OpenTableRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A new table: the opponent, the names and the options."""

    against: Literal["computer", "friend", "one_screen"]
    level: Annotated[str, Meta(max_length=40)] | None = None
    """The computer player, a name from /api/levels; `greedy` if left out."""
    name: PlayerName = ""
    other_name: PlayerName = ""
    """The name of the second player on one screen."""
    seat: SeatNumber | None = None
    """Your seat; random if left out."""
    options: TableOptions = TableOptions()


class OpenTableResponse(Struct, frozen=True):
    """The new table and your seat at it."""

    id: str
    seat: Seat | None
    """Your seat; null if you play both."""
    secret: str | None
    """Send it as `Authorization: Bearer …`. Null if your request had a secret."""
    invitation: str | None
    """Your friend takes the free seat with it, once."""
    version: int


class TakeSeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The invitation to the free seat of a table."""

    invitation: Annotated[str, Meta(max_length=128)]
    name: PlayerName = ""


class TakeSeatResponse(Struct, frozen=True):
    """Your seat."""

    seat: Seat
    secret: str | None
    """Send it as `Authorization: Bearer …`. Null if your request had a secret."""
    version: int


class PlayMoveRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A move, and the version of the table for which it was chosen."""

    move: Annotated[str, Meta(max_length=200)]
    version: Version
    seat: SeatNumber | None = None
    """Only if you play both seats: the one that moves. The one to move if left out."""


class CommandResponse(Struct, frozen=True):
    """The command is done and durable."""

    version: int
    """The version of the table after it."""


class RematchResponse(Struct, frozen=True):
    """A rematch is offered or agreed."""

    version: int
    next: str | None
    """The table of the rematch once both players have offered it."""


class MoveCheck(Struct, frozen=True):
    """Whether a move is legal now, and why not."""

    legal: bool
    problem: Problem | None = None


class LevelInfo(Struct, frozen=True):
    """A computer player."""

    name: str
    line: str
    """One sentence about it."""


class VisitorResponse(Struct, frozen=True):
    """The browser has a cookie now."""

    known: bool
    """Whether it had a valid one before."""


class Health(Struct, frozen=True):
    """The state of the server."""

    status: str
    version: str = __version__
