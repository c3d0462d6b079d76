"""Identifies the client by its secret. A browser sends the secret in a cookie, a bot in the Authorization header.

There are no accounts. A client that knows the secret of a seat may play this seat. The server stores only a digest of
the secret. A secret is never part of a URL, so it does not appear in logs or Referer headers.
"""

import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from litestar import Request, Response, post
from litestar.datastructures import Cookie, State
from litestar.status_codes import HTTP_200_OK

from jaipur.rules import Seat
from jaipur.server.http.problems import WRITE, RequestError, error_responses
from jaipur.server.http.wire import VisitorResponse
from jaipur.server.live.tables import TableService
from jaipur.table.projection import Audience
from jaipur.table.refusals import RefusalCode, Refused
from jaipur.table.table import Table

AppRequest = Request[None, None, State]

COOKIE = "jaipur"
"""The name of the cookie over HTTP. Over HTTPS the name has a prefix, so that browsers protect the cookie."""
_COOKIES = (f"__Host-{COOKIE}", f"__Secure-{COOKIE}", COOKIE)
"""All names of the cookie that are read, the best protected first. Earlier versions used only the last name."""
_SECRET = re.compile(r"[A-Za-z0-9_-]{22,128}")
"""A secret has at least 22 characters of this alphabet, which is 132 bits."""


def table_service(request: AppRequest) -> TableService:
    service: TableService = request.app.state.tables
    return service


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def secret_of(request: AppRequest) -> str | None:
    """Return the secret of a request, or None if it has none. Raise `RequestError` if the secret is malformed."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    cookies = (request.cookies.get(name) for name in _COOKIES)
    secret = token.strip() if scheme.lower() == "bearer" else next(filter(None, cookies), None)
    if not secret:
        return None
    if not _SECRET.fullmatch(secret):
        raise RequestError("weak_secret")
    return secret


@post(
    "/api/visitor",
    summary="Get a cookie",
    description="Sets a cookie with a secret that scripts cannot read, or renews it. For browsers; "
    "bots send a bearer token instead.",
    response_description="The cookie is set.",
    tags=["visitors"],
    status_code=HTTP_200_OK,
    responses=error_responses(WRITE),
)
async def create_visitor(request: AppRequest) -> Response[VisitorResponse]:
    secret = None
    with suppress(RequestError):  # replace a malformed cookie
        secret = secret_of(request)
    path = request.scope.get("root_path") or "/"
    cookie = Cookie(
        key=_cookie_name(request.url.scheme, path),
        value=secret or new_secret(),
        path=path,
        max_age=400 * 86_400,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return Response(VisitorResponse(known=secret is not None), cookies=[cookie])


def _cookie_name(scheme: str, path: str) -> str:
    """Return the name of the cookie. Browsers accept the prefix `__Host-` only over HTTPS and for the path `/`.

    Other hosts of the same domain cannot set a cookie with this prefix. `__Secure-` only requires HTTPS.
    """
    if scheme != "https":
        return COOKIE
    return f"__Host-{COOKIE}" if path == "/" else f"__Secure-{COOKIE}"


def seats_of(table: Table, request: AppRequest, seat: Seat | None) -> tuple[Seat, ...]:
    """Return the seats of the client. A client who plays alone on one screen has both seats.

    If `seat` is given, return only this seat, or raise `Refused` if it does not belong to the client.
    """
    secret = secret_of(request)
    seats = table.seats_of(secret) if secret else ()
    if seat is None:
        return seats
    if seat not in seats:
        raise Refused(RefusalCode.NOT_SEATED)
    return (seat,)


def require_seat(table: Table, request: AppRequest, seat: Seat | None) -> Seat:
    """Like `find_audience`, but raise `Refused` for spectators."""
    audience = find_audience(table, request, seat)
    if audience is None:
        raise Refused(RefusalCode.NOT_SEATED)
    return audience


def find_audience(table: Table, request: AppRequest, seat: Seat | None) -> Audience:
    """Return the seat whose view the client gets, or None for a spectator.

    A client with both seats gets the view of `seat` or, if `seat` is None, the view of the seat to move.
    """
    seats = seats_of(table, request, seat)
    if seats:
        return seats[0] if len(seats) == 1 else (table.turn or 0)
    if not table.options.watch:
        raise Refused(RefusalCode.NO_WATCHING)
    return None


@asynccontextmanager
async def visible_table(
    request: AppRequest, table_id: str, seat: Seat | None = None
) -> AsyncIterator[tuple[Table, Audience]]:
    """Yield the table as the client may see it, and the audience of the client. Spectators see it with a delay."""
    service = table_service(request)
    async with service.locked(table_id) as table:
        audience = find_audience(table, request, seat)
        yield (table if audience is not None else await service.delayed_table(table_id)), audience
