"""The API for browsers and bots: tables are opened, joined, seen and played at. docs/reference/http-api.md has examples."""

import secrets
from contextlib import suppress
from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from jaipur.notation.records import write_record
from jaipur.players import LEVELS
from jaipur.server.http import wire
from jaipur.server.http.identity import (
    AppRequest,
    cookie_with,
    new_secret,
    seat_at,
    seats_at,
    secret_of,
    table_for,
    tables_of,
)
from jaipur.server.http.problems import Problem, Unusable, problem_of, words_for
from jaipur.server.live.tables import Command
from jaipur.table.events import AnyEvent, Chair, Opened
from jaipur.table.message_types import TableView
from jaipur.table.projection import table_view
from jaipur.table.record import table_record
from jaipur.table.state import digest
from jaipur.table.table import Table

DEFAULT_LEVEL = "greedy"

TableName = FromPath[str]
AskedMove = Annotated[str, QueryParameter(name="move", max_length=200)]
AskedSeat = Annotated[int | None, QueryParameter(name="seat", ge=0, le=1)]

PROBLEMS = {
    status: ResponseSpec(Problem, generate_examples=False, description=about)
    for status, about in (
        (400, "It cannot be understood."),
        (401, "The secret is too short to be one."),
        (403, "It is not for you."),
        (404, "There is no such table."),
        (409, "The table is not in a state for it."),
        (413, "It is too large."),
        (415, "It is not sent as JSON."),
        (422, "The rules do not allow it."),
        (429, "Too much at once."),
    )
}


class Api(Controller):
    """Everything under /api."""

    path = "/api"

    @get("/levels", summary="The computers to play against", responses=PROBLEMS)
    async def levels(self, request: AppRequest) -> list[wire.LevelShape]:
        words = words_for(request)
        return [
            wire.LevelShape(level.name, words.find(f"level.{level.name}") or level.line)
            for level in LEVELS
        ]

    @post(
        "/visitor", summary="Get a cookie to sit with", status_code=HTTP_200_OK, responses=PROBLEMS
    )
    async def visitor(self, request: AppRequest) -> Response[wire.Visitor]:
        """For browsers: a secret in a cookie that no script can read. Bots send theirs as a bearer token."""
        secret = None
        with suppress(Unusable):  # a cookie that cannot be used is replaced
            secret = secret_of(request)
        cookies = [cookie_with(secret or new_secret(), request)]
        return Response(wire.Visitor(known=secret is not None), cookies=cookies)

    @post("/tables", summary="Open a table", responses=PROBLEMS)
    async def open(self, request: AppRequest, data: JSONBody[wire.OpenTable]) -> wire.TableOpened:
        given = secret_of(request)
        secret = given or new_secret()
        invitation = new_secret() if data.against == "friend" else None
        seat = secrets.randbelow(2) if data.seat is None else data.seat
        me = Chair("person", data.name, digest(secret))
        chairs = [me, _other(data, me, invitation)]
        name = secrets.token_hex(8)
        ordered = (chairs[seat], chairs[1 - seat])
        table = await tables_of(request).open(name, Opened(ordered, data.options))
        mine = None if data.against == "one_screen" else seat
        return wire.TableOpened(name, mine, None if given else secret, invitation, table.version)

    @post(
        "/tables/{name:str}/seat",
        summary="Take the free seat",
        status_code=HTTP_200_OK,
        responses=PROBLEMS,
    )
    async def take(
        self, request: AppRequest, name: TableName, data: JSONBody[wire.TakeSeat]
    ) -> wire.SeatTaken:
        """With an invitation, once. Sent again with the same secret, it is answered again."""
        given = secret_of(request)
        secret = given or new_secret()
        table = await tables_of(request).act(
            name, lambda table: table.take_seat(data.invitation, secret, data.name)
        )
        return wire.SeatTaken(table.seats_of(secret)[0], None if given else secret, table.version)

    @get("/tables/{name:str}", summary="See a table", responses=PROBLEMS)
    async def see(self, request: AppRequest, name: TableName, asked: AskedSeat = None) -> TableView:
        """From your seat with your legal moves; without a seat, a little later, what both can see."""
        async with table_for(request, name, asked) as (table, audience):
            return table_view(table, audience, tables_of(request).now())

    @post(
        "/tables/{name:str}/play",
        summary="Play a move",
        status_code=HTTP_200_OK,
        responses=PROBLEMS,
    )
    async def play(
        self, request: AppRequest, name: TableName, data: JSONBody[wire.PlayMove]
    ) -> wire.Acknowledged:
        """Answered once the move cannot be lost. The same move for the same version is played once."""
        mover = 0

        def decide(table: Table) -> list[AnyEvent]:
            nonlocal mover
            seats = seats_at(table, request, data.seat)
            mover = table.who_moves(seats, data.move, data.version)
            return table.play(mover, data.move, data.version)

        table = await tables_of(request).act(name, decide)
        act = table.last_moves[mover]
        return wire.Acknowledged(table.version if act is None else act.version)

    @get("/tables/{name:str}/why", summary="Ask whether a move can be played", responses=PROBLEMS)
    async def why(
        self, request: AppRequest, name: TableName, move: AskedMove, asked: AskedSeat = None
    ) -> wire.Verdict:
        """Nothing is played; what speaks against the move is said in your language."""
        async with tables_of(request).locked(name) as table:
            refused = table.why_not(seat_at(table, request, asked), move)
        problem = None if refused is None else problem_of(refused, words_for(request))
        return wire.Verdict(legal=refused is None, problem=problem)

    @post(
        "/tables/{name:str}/resign",
        summary="Give the game up",
        status_code=HTTP_200_OK,
        responses=PROBLEMS,
    )
    async def resign(
        self, request: AppRequest, name: TableName, asked: AskedSeat = None
    ) -> wire.Acknowledged:
        return await _act(request, name, lambda table: table.resign(seat_at(table, request, asked)))

    @post(
        "/tables/{name:str}/leave",
        summary="Go away for a while",
        status_code=HTTP_200_OK,
        responses=PROBLEMS,
    )
    async def leave(
        self, request: AppRequest, name: TableName, asked: AskedSeat = None
    ) -> wire.Acknowledged:
        """The other is told. The game waits, as long as its clock does; to play or to listen is to be back."""
        return await _act(request, name, lambda table: table.leave(seat_at(table, request, asked)))

    @post(
        "/tables/{name:str}/rematch",
        summary="Ask for a rematch",
        status_code=HTTP_200_OK,
        responses=PROBLEMS,
    )
    async def rematch(
        self, request: AppRequest, name: TableName, asked: AskedSeat = None
    ) -> wire.RematchAnswer:
        """It is on when both have asked: at a new table with seats swapped, where the same secrets sit."""
        table = await tables_of(request).act(
            name, lambda table: table.offer_rematch(seat_at(table, request, asked))
        )
        return wire.RematchAnswer(table.version, table.next)

    @get(
        "/tables/{name:str}/record",
        summary="The record of a game",
        media_type="application/jsonl",
        responses=PROBLEMS,
    )
    async def record(self, request: AppRequest, name: TableName) -> str:
        """One line as docs/reference/notation.md has it. While a game runs, its finished rounds."""
        async with table_for(request, name) as (table, _audience):
            return write_record(table_record(table)) + "\n"


async def _act(request: AppRequest, name: str, decide: Command) -> wire.Acknowledged:
    table = await tables_of(request).act(name, decide)
    return wire.Acknowledged(table.version)


def _other(data: wire.OpenTable, me: Chair, invitation: str | None) -> Chair:
    match data.against:
        case "computer":
            return Chair("computer", _level(data.level))
        case "friend":
            return Chair("nobody", secret=digest(invitation or ""))
        case "one_screen":
            return Chair("person", data.other_name, me.secret)


def _level(asked: str | None) -> str:
    names = [level.name for level in LEVELS]
    if asked is not None and asked not in names:
        raise Unusable("no_such_level", 400)
    return asked or DEFAULT_LEVEL
