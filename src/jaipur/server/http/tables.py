"""The routes of a table: open it, take a seat, contribute to a deal, get its state, play, explain a move, and so on."""

import secrets
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from litestar import Controller, get, post
from litestar.openapi.spec import Operation
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from jaipur.notation.records import write_record
from jaipur.players import LEVELS
from jaipur.rules import Seat
from jaipur.server.http import identity, problems, wire
from jaipur.server.http.identity import AppRequest, table_service
from jaipur.server.http.language import words_for
from jaipur.server.http.limits import charge_events
from jaipur.server.http.problems import BODY, RATE_LIMITED, SEATED, STORED, WRITE, error_responses
from jaipur.server.http.unfinished_tables import UnfinishedTableLimit
from jaipur.server.live.tables import CommandOutcome
from jaipur.table.events import AnyEvent, Chair, Opened
from jaipur.table.message_types import TableView
from jaipur.table.projection import table_view, upcoming_round
from jaipur.table.record import table_record
from jaipur.table.refusals import RefusalCode, Refused
from jaipur.table.state import digest
from jaipur.table.table import Table, parse_move

DEFAULT_LEVEL = "greedy"

post_command = partial(post, status_code=HTTP_200_OK)
"""A POST route with status 200. Litestar's default is 201, Created."""

_CONTRIBUTE = "weak_secret not_seated game_over no_commitment already_dealt already_contributed"
_PLAY = "weak_secret not_seated unreadable game_over not_started not_your_turn stale ahead illegal"

TableId = FromPath[str]
MoveQuery = Annotated[str, QueryParameter(name="move", max_length=200)]
SeatQuery = Annotated[
    int | None,
    QueryParameter(name="seat", ge=0, le=1, description="Only if you play both seats."),
]


@dataclass
class _WithoutBadRequest(Operation):
    """Removes the status 400, which Litestar documents for path parameters. Our path parameters accept every string."""

    def __post_init__(self) -> None:
        if self.responses is not None:
            del self.responses["400"]


class TablesController(Controller):
    path = "/api/tables"
    tags = ("tables",)

    @post(
        summary="Open a table",
        description="Against a computer, a friend who gets an invitation, or both seats on one screen.",
        response_description="The new table.",
        responses=error_responses(
            WRITE, BODY, "bad_name no_such_level weak_secret too_many_tables unavailable"
        ),
        opens_table=True,
    )
    async def open_table(
        self, request: AppRequest, data: JSONBody[wire.OpenTableRequest]
    ) -> wire.OpenTableResponse:
        sent_secret = identity.secret_of(request)
        secret = sent_secret or identity.new_secret()
        invitation = identity.new_secret() if data.against == "friend" else None
        seat = secrets.randbelow(2) if data.seat is None else data.seat
        own = Chair("person", data.name, digest(secret), data.contributes)
        other = _other_chair(data, own, invitation)
        chairs = (own, other) if seat == 0 else (other, own)
        table_id = secrets.token_hex(8)
        async with _table_limit(request).opening(digest(secret)):
            table = await table_service(request).open(table_id, Opened(chairs, data.options))
        return wire.OpenTableResponse(
            id=table_id,
            seat=None if data.against == "one_screen" else seat,
            secret=None if sent_secret else secret,
            invitation=invitation,
            version=table.version,
            upcoming=upcoming_round(table),
        )

    @post_command(
        "/{table_id:str}/seat",
        summary="Take the free seat",
        description="With the invitation, which works once. Repeating the request with the same secret is safe.",
        response_description="Your seat.",
        responses=error_responses(
            WRITE, BODY, STORED, "bad_name weak_secret not_invited seat_taken"
        ),
    )
    async def take_seat(
        self, request: AppRequest, table_id: TableId, data: JSONBody[wire.TakeSeatRequest]
    ) -> wire.TakeSeatResponse:
        sent_secret = identity.secret_of(request)
        secret = sent_secret or identity.new_secret()
        outcome = await table_service(request).act(
            table_id,
            lambda table: table.take_seat(data.invitation, secret, data.name, data.contributes),
        )
        table = outcome.table
        return wire.TakeSeatResponse(
            table.seats_of(secret)[0],
            None if sent_secret else secret,
            table.version,
            upcoming_round(table),
        )

    @get(
        "/{table_id:str}",
        summary="Get a table",
        description="From your seat, with your legal moves. Without a seat you get what both players see, "
        "10 seconds late.",
        response_description="The table.",
        responses=error_responses(RATE_LIMITED, STORED, SEATED),
    )
    async def get_table(
        self, request: AppRequest, table_id: TableId, seat: SeatQuery = None
    ) -> TableView:
        async with identity.visible_table(request, table_id, seat) as (table, audience):
            return table_view(table, audience, table_service(request).now())

    @post_command(
        "/{table_id:str}/contribution",
        summary="Contribute to a deal",
        description="Adds your random bits to the deal of a round, so that the server cannot choose the deal alone. "
        "Note the commitment of the round first. Repeating the request is safe.",
        response_description="The contribution is stored.",
        responses=error_responses(WRITE, BODY, STORED, _CONTRIBUTE),
    )
    async def contribute(
        self, request: AppRequest, table_id: TableId, data: JSONBody[wire.ContributeRequest]
    ) -> wire.CommandResponse:
        def contribute(table: Table) -> list[AnyEvent]:
            seats = identity.seats_of(table, request, None)
            if not seats:
                raise Refused(RefusalCode.NOT_SEATED)
            return table.contribute(table.contributor(seats), data.round, data.value)

        outcome = await table_service(request).act(table_id, contribute)
        return wire.CommandResponse(outcome.version)

    @post_command(
        "/{table_id:str}/play",
        summary="Play a move",
        description="The response comes once the move is durable. Repeating the same move for the same version "
        "is safe: it is played once.",
        response_description="The move is durable.",
        responses=error_responses(WRITE, BODY, STORED, _PLAY),
    )
    async def play_move(
        self, request: AppRequest, table_id: TableId, data: JSONBody[wire.PlayMoveRequest]
    ) -> wire.CommandResponse:
        def play(table: Table) -> list[AnyEvent]:
            seats = identity.seats_of(table, request, data.seat)
            if not seats:
                raise Refused(RefusalCode.NOT_SEATED)
            move = parse_move(data.move)
            return table.play(table.mover(seats, move, data.version), move, data.version)

        outcome = await table_service(request).act(table_id, play)
        return wire.CommandResponse(outcome.version)

    @get(
        "/{table_id:str}/why",
        summary="Check a move without playing it",
        description="Says in your language why a move cannot be played now.",
        response_description="The result of the check.",
        responses=error_responses(RATE_LIMITED, STORED, SEATED),
    )
    async def explain_move(
        self, request: AppRequest, table_id: TableId, move: MoveQuery, seat: SeatQuery = None
    ) -> wire.MoveCheck:
        async with table_service(request).locked(table_id) as table:
            refused = table.why_not(identity.require_seat(table, request, seat), move)
        problem = None if refused is None else problems.problem_for(refused, words_for(request))
        return wire.MoveCheck(legal=refused is None, problem=problem)

    @post_command(
        "/{table_id:str}/resign",
        summary="Resign the game",
        description="The other player wins. Repeating the request is safe.",
        response_description="The game is over.",
        responses=error_responses(WRITE, STORED, SEATED, "game_over not_started"),
    )
    async def resign(
        self, request: AppRequest, table_id: TableId, seat: SeatQuery = None
    ) -> wire.CommandResponse:
        outcome = await _act(request, table_id, seat, Table.resign)
        return wire.CommandResponse(outcome.version)

    @post_command(
        "/{table_id:str}/leave",
        summary="Leave the table for a while",
        description="Marks you as away; the game and its clock continue. Playing a move or opening a stream marks "
        "you as present.",
        response_description="You are marked as away.",
        responses=error_responses(WRITE, STORED, SEATED),
    )
    async def leave_table(
        self, request: AppRequest, table_id: TableId, seat: SeatQuery = None
    ) -> wire.CommandResponse:
        outcome = await _act(request, table_id, seat, Table.leave)
        return wire.CommandResponse(outcome.version)

    @post_command(
        "/{table_id:str}/rematch",
        summary="Offer a rematch",
        description="Agreed once both players have offered it; a computer always agrees. The new table has the "
        "seats swapped and accepts the same secrets.",
        response_description="The offer is stored.",
        responses=error_responses(WRITE, STORED, SEATED, "not_over too_many_tables"),
        opens_table=True,
    )
    async def offer_rematch(
        self, request: AppRequest, table_id: TableId, seat: SeatQuery = None
    ) -> wire.RematchResponse:
        async with table_service(request).locked(table_id) as table:
            repeated = table.next is not None
        owner = digest(identity.secret_of(request) or "")
        async with nullcontext() if repeated else _table_limit(request).opening(owner):
            outcome = await _act(request, table_id, seat, Table.offer_rematch)
        return wire.RematchResponse(outcome.table.version, outcome.table.next)

    @get(
        "/{table_id:str}/record",
        summary="Get the record of the game",
        description="One line of JSON. While the game runs, it holds the finished rounds in full and of the "
        "current round only what both players have seen.",
        response_description="The record.",
        media_type="application/jsonl",
        operation_class=_WithoutBadRequest,
        responses=error_responses(RATE_LIMITED, STORED, "weak_secret no_watching"),
    )
    async def get_record(self, request: AppRequest, table_id: TableId) -> str:
        async with identity.visible_table(request, table_id) as (table, _audience):
            await charge_events(request, table.version)
            return write_record(table_record(table)) + "\n"


def _table_limit(request: AppRequest) -> UnfinishedTableLimit:
    limit: UnfinishedTableLimit = request.app.state.table_limit
    return limit


async def _act(
    request: AppRequest,
    table_id: str,
    seat: Seat | None,
    command: Callable[[Table, Seat], list[AnyEvent]],
) -> CommandOutcome:
    """Run a command of the client's seat."""
    return await table_service(request).act(
        table_id, lambda table: command(table, identity.require_seat(table, request, seat))
    )


def _other_chair(data: wire.OpenTableRequest, own: Chair, invitation: str | None) -> Chair:
    match data.against:
        case "computer":
            if data.level not in (None, *(level.name for level in LEVELS)):
                raise problems.RequestError("no_such_level")
            return Chair("computer", data.level or DEFAULT_LEVEL)
        case "friend":
            return Chair("nobody", secret=digest(invitation or ""))
        case "one_screen":
            return Chair("person", data.other_name, own.secret)
