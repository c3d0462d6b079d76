"""The routes of a table: open it, take a seat, see it, play, resign, leave, offer a rematch, get the record."""

import secrets
from dataclasses import dataclass
from typing import Annotated

from litestar import Controller, get, post
from litestar.openapi.spec import Operation
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from jaipur.notation.records import write_record
from jaipur.players import LEVELS
from jaipur.server.http import wire
from jaipur.server.http.identity import (
    AppRequest,
    new_secret,
    require_seat,
    require_seats,
    secret_of,
    table_service,
    visible_table,
)
from jaipur.server.http.language import words_for
from jaipur.server.http.problems import (
    BODY,
    RATE_LIMITED,
    SEATED,
    STORED,
    WRITE,
    RequestError,
    error_responses,
    problem_for,
)
from jaipur.server.live.tables import Command
from jaipur.table.events import AnyEvent, Chair, Opened
from jaipur.table.message_types import TableView
from jaipur.table.projection import table_view
from jaipur.table.record import table_record
from jaipur.table.refusals import RefusalCode
from jaipur.table.state import digest
from jaipur.table.table import Table, parse_move

DEFAULT_LEVEL = "greedy"

TableId = FromPath[str]
MoveQuery = Annotated[str, QueryParameter(name="move", max_length=200)]
SeatQuery = Annotated[
    int | None,
    QueryParameter(name="seat", ge=0, le=1, description="Only if you play both seats."),
]


@dataclass
class _WithoutBadRequest(Operation):
    """Litestar documents a 400 for every route with a parameter, but any string is a valid path parameter."""

    def __post_init__(self) -> None:
        if self.responses is not None:
            del self.responses["400"]


class TablesController(Controller):
    path = "/api/tables"
    tags = ("tables",)

    @post(
        operation_id="openTable",
        summary="Open a table",
        description="Against a computer, a friend who gets an invitation, or both seats on one screen.",
        response_description="The new table.",
        responses=error_responses(*WRITE, *BODY, "no_such_level", "weak_secret", "unavailable"),
    )
    async def open_table(
        self, request: AppRequest, data: JSONBody[wire.OpenTableRequest]
    ) -> wire.OpenTableResponse:
        sent_secret = secret_of(request)
        secret = sent_secret or new_secret()
        invitation = new_secret() if data.against == "friend" else None
        seat = secrets.randbelow(2) if data.seat is None else data.seat
        own = Chair("person", data.name, digest(secret))
        other = _other_chair(data, own, invitation)
        chairs = (own, other) if seat == 0 else (other, own)
        table_id = secrets.token_hex(8)
        table = await table_service(request).open(table_id, Opened(chairs, data.options))
        return wire.OpenTableResponse(
            id=table_id,
            seat=None if data.against == "one_screen" else seat,
            secret=None if sent_secret else secret,
            invitation=invitation,
            version=table.version,
        )

    @post(
        "/{table_id:str}/seat",
        operation_id="takeSeat",
        summary="Take the free seat",
        description="With the invitation, which works once. Repeating the request with the same secret is safe.",
        response_description="Your seat.",
        status_code=HTTP_200_OK,
        responses=error_responses(
            *WRITE, *BODY, *STORED, "weak_secret", RefusalCode.NOT_INVITED, RefusalCode.SEAT_TAKEN
        ),
    )
    async def take_seat(
        self, request: AppRequest, table_id: TableId, data: JSONBody[wire.TakeSeatRequest]
    ) -> wire.TakeSeatResponse:
        sent_secret = secret_of(request)
        secret = sent_secret or new_secret()
        outcome = await table_service(request).act(
            table_id, lambda table: table.take_seat(data.invitation, secret, data.name)
        )
        table = outcome.table
        return wire.TakeSeatResponse(
            table.seats_of(secret)[0], None if sent_secret else secret, table.version
        )

    @get(
        "/{table_id:str}",
        operation_id="getTable",
        summary="Get a table",
        description="From your seat, with your legal moves. Without a seat you get what both players see, "
        "10 seconds late.",
        response_description="The table.",
        responses=error_responses(*RATE_LIMITED, *STORED, *SEATED, "bad_request"),
    )
    async def get_table(
        self, request: AppRequest, table_id: TableId, seat: SeatQuery = None
    ) -> TableView:
        async with visible_table(request, table_id, seat) as (table, audience):
            return table_view(table, audience, table_service(request).now())

    @post(
        "/{table_id:str}/play",
        operation_id="playMove",
        summary="Play a move",
        description="The response comes once the move is durable. Repeating the same move for the same version "
        "is safe: it is played once.",
        response_description="The move is durable.",
        status_code=HTTP_200_OK,
        responses=error_responses(
            *WRITE,
            *BODY,
            *STORED,
            "weak_secret",
            RefusalCode.NOT_SEATED,
            RefusalCode.UNREADABLE,
            RefusalCode.GAME_OVER,
            RefusalCode.NOT_STARTED,
            RefusalCode.NOT_YOUR_TURN,
            RefusalCode.STALE,
            RefusalCode.AHEAD,
            RefusalCode.ILLEGAL,
        ),
    )
    async def play_move(
        self, request: AppRequest, table_id: TableId, data: JSONBody[wire.PlayMoveRequest]
    ) -> wire.CommandResponse:
        def play(table: Table) -> list[AnyEvent]:
            seats = require_seats(table, request, data.seat)
            move = parse_move(data.move)
            return table.play(table.mover(seats, move, data.version), move, data.version)

        return await _act(request, table_id, play)

    @get(
        "/{table_id:str}/why",
        operation_id="explainMove",
        summary="Check a move without playing it",
        description="Says in your language why a move cannot be played now.",
        response_description="The result of the check.",
        responses=error_responses(*RATE_LIMITED, *STORED, *SEATED, "bad_request"),
    )
    async def explain_move(
        self, request: AppRequest, table_id: TableId, move: MoveQuery, seat: SeatQuery = None
    ) -> wire.MoveCheck:
        async with table_service(request).locked(table_id) as table:
            refused = table.why_not(require_seat(table, request, seat), move)
        problem = None if refused is None else problem_for(refused, words_for(request))
        return wire.MoveCheck(legal=refused is None, problem=problem)

    @post(
        "/{table_id:str}/resign",
        operation_id="resign",
        summary="Resign the game",
        description="The other player wins. Repeating the request is safe.",
        response_description="The game is over.",
        status_code=HTTP_200_OK,
        responses=error_responses(
            *WRITE, *STORED, *SEATED, "bad_request", RefusalCode.GAME_OVER, RefusalCode.NOT_STARTED
        ),
    )
    async def resign(
        self, request: AppRequest, table_id: TableId, seat: SeatQuery = None
    ) -> wire.CommandResponse:
        return await _act(
            request, table_id, lambda table: table.resign(require_seat(table, request, seat))
        )

    @post(
        "/{table_id:str}/leave",
        operation_id="leaveTable",
        summary="Leave the table for a while",
        description="Marks you as away; the game and its clock continue. Playing a move or opening a stream marks "
        "you as present.",
        response_description="You are marked as away.",
        status_code=HTTP_200_OK,
        responses=error_responses(*WRITE, *STORED, *SEATED, "bad_request"),
    )
    async def leave_table(
        self, request: AppRequest, table_id: TableId, seat: SeatQuery = None
    ) -> wire.CommandResponse:
        return await _act(
            request, table_id, lambda table: table.leave(require_seat(table, request, seat))
        )

    @post(
        "/{table_id:str}/rematch",
        operation_id="offerRematch",
        summary="Offer a rematch",
        description="Agreed once both players have offered it; a computer always agrees. The new table has the "
        "seats swapped and accepts the same secrets.",
        response_description="The offer is stored.",
        status_code=HTTP_200_OK,
        responses=error_responses(*WRITE, *STORED, *SEATED, "bad_request", RefusalCode.NOT_OVER),
    )
    async def offer_rematch(
        self, request: AppRequest, table_id: TableId, seat: SeatQuery = None
    ) -> wire.RematchResponse:
        outcome = await table_service(request).act(
            table_id, lambda table: table.offer_rematch(require_seat(table, request, seat))
        )
        return wire.RematchResponse(outcome.table.version, outcome.table.next)

    @get(
        "/{table_id:str}/record",
        operation_id="getRecord",
        summary="Get the record of the game",
        description="One line of JSON. While the game runs, it holds the finished rounds in full and of the "
        "current round only what both players have seen.",
        response_description="The record.",
        media_type="application/jsonl",
        operation_class=_WithoutBadRequest,
        responses=error_responses(*RATE_LIMITED, *STORED, "weak_secret", RefusalCode.NO_WATCHING),
    )
    async def get_record(self, request: AppRequest, table_id: TableId) -> str:
        async with visible_table(request, table_id) as (table, _audience):
            return write_record(table_record(table)) + "\n"


async def _act(request: AppRequest, table_id: str, command: Command) -> wire.CommandResponse:
    outcome = await table_service(request).act(table_id, command)
    return wire.CommandResponse(outcome.version)


def _other_chair(data: wire.OpenTableRequest, own: Chair, invitation: str | None) -> Chair:
    match data.against:
        case "computer":
            return Chair("computer", _level_name(data.level))
        case "friend":
            return Chair("nobody", secret=digest(invitation or ""))
        case "one_screen":
            return Chair("person", data.other_name, own.secret)


def _level_name(name: str | None) -> str:
    if name is not None and name not in [level.name for level in LEVELS]:
        raise RequestError("no_such_level")
    return name or DEFAULT_LEVEL
