"""The request and response bodies of the API. Unknown fields in a request are an error, so that typos are noticed.

The types of tables and events are in `jaipur.table.message_types`. The type of errors is in `problems`.
"""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import ClientException, ValidationException
from msgspec import Meta, Struct

from jaipur import __version__
from jaipur.rules import Seat
from jaipur.server.http.problems import Problem
from jaipur.table.message_types import UpcomingRound
from jaipur.table.options import TableOptions

PlayerName = Annotated[
    str, Meta(max_length=24, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*(?!\n)$")
]
"""A name has no control characters, line breaks or changes of text direction."""
NewSecret = Annotated[
    str | None,
    Meta(description="Send it as `Authorization: Bearer …`. Null if the request had a secret."),
]
Contributes = Annotated[
    bool, Meta(description="Whether the first deal waits up to 3 seconds for your contribution.")
]
Upcoming = Annotated[
    UpcomingRound | None, Meta(description="The next round: note its commitment, then contribute.")
]
LevelName = Annotated[str, Meta(max_length=40, description="From /api/levels; default `greedy`.")]


class StrictRequest(Request[None, None, State]):
    """A request whose JSON body must have exactly the declared types. Litestar would also accept `"3"` for a number."""

    async def json(self) -> Any:  # noqa: ANN401  # the type of the route's parameter `data`
        data = self.route_handler.parsed_data_field
        assert data is not None, "only routes with a body call this method"
        try:
            return msgspec.json.decode(await self.body(), type=data.annotation)
        except msgspec.ValidationError as error:
            field = str(error).partition(" - at `$.")[2].rstrip("`")
            problem = {"key": field, "message": str(error)}  # as in the errors of Litestar
            raise ValidationException(extra=[problem]) from None
        except msgspec.DecodeError as error:
            raise ClientException(str(error)) from None


class OpenTableRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A new table: the opponent, the names and the options."""

    against: Literal["computer", "friend", "one_screen"]
    level: LevelName | None = None
    name: PlayerName = ""
    other_name: Annotated[PlayerName, Meta(description="The second player on one screen.")] = ""
    seat: Annotated[int, Meta(ge=0, le=1, description="Your seat; random if left out.")] | None = (
        None
    )
    contributes: Contributes = False
    options: TableOptions = TableOptions()


class OpenTableResponse(Struct, frozen=True):
    """The new table and your seat at it."""

    id: str
    seat: Annotated[Seat | None, Meta(description="Your seat; null if you play both.")]
    secret: NewSecret
    invitation: Annotated[str | None, Meta(description="For takeSeat; works once.")]
    version: int
    upcoming: Upcoming


class TakeSeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The invitation to the free seat of a table."""

    invitation: Annotated[str, Meta(max_length=128)]
    name: PlayerName = ""
    contributes: Contributes = False


class TakeSeatResponse(Struct, frozen=True):
    """Your seat."""

    seat: Seat
    secret: NewSecret
    version: int
    upcoming: Upcoming


class PlayMoveRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A move, and the version of the table for which it was chosen."""

    move: Annotated[str, Meta(max_length=200)]
    version: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    seat: Annotated[int, Meta(ge=0, le=1, description="Only if you play both seats.")] | None = None


class ContributeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """256 random bits for the deal of a round."""

    round: Annotated[int, Meta(ge=1, le=2**31 - 1, description="From `upcoming`.")]
    value: Annotated[
        str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$", description="In hexadecimal digits.")
    ]


class CommandResponse(Struct, frozen=True):
    """The command was successful, and its result is stored."""

    version: Annotated[int, Meta(description="The version of the table after it.")]


class RematchResponse(Struct, frozen=True):
    """The state of a rematch: offered, or accepted by both players."""

    version: int
    next: Annotated[str | None, Meta(description="The new table, once both have offered.")]


class MoveCheck(Struct, frozen=True):
    """Whether a move is legal now and, if not, the reason."""

    legal: bool
    problem: Problem | None = None


class LevelInfo(Struct, frozen=True):
    """A computer player."""

    name: str
    line: Annotated[str, Meta(description="One sentence about it.")]


class VisitorResponse(Struct, frozen=True):
    """The browser now has a cookie."""

    known: Annotated[bool, Meta(description="Whether it had a valid one before.")]


class Health(Struct, frozen=True):
    """The state of the server."""

    status: str
    version: str = __version__
