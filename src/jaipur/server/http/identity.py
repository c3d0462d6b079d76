"""Who asks: a secret that a person's browser keeps in a cookie, or that a bot sends with every request.

There are no accounts. Whoever knows the secret of a seat sits there; only its digest is kept. A secret is never part
of an address, so that neither logs nor referrers hold it.
"""

import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Request
from litestar.datastructures import Cookie, State

from jaipur.rules import Seat
from jaipur.server.http.problems import Unusable
from jaipur.server.live.spectators import delayed_table
from jaipur.server.live.tables import TableService
from jaipur.table.projection import Audience
from jaipur.table.refusals import RefusalCode, Refused
from jaipur.table.table import Table

AppRequest = Request[None, None, State]

COOKIE = "jaipur"
BYTES = 24
_LASTS = 400 * 86_400
_SECRET = re.compile(r"[A-Za-z0-9_-]{22,128}")
"""22 characters of this alphabet are 132 bits."""


def tables_of(request: AppRequest) -> TableService:
    tables: TableService = request.app.state.tables
    return tables


def new_secret() -> str:
    return secrets.token_urlsafe(BYTES)


def secret_of(request: AppRequest) -> str | None:
    """The secret a request comes with, if it has one that may be used."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    secret = token.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE)
    if not secret:
        return None
    if not _SECRET.fullmatch(secret):
        raise Unusable("weak_secret", 401)
    return secret


def cookie_with(secret: str, request: AppRequest) -> Cookie:
    """The cookie in which a browser keeps a secret, out of reach of any script."""
    return Cookie(
        key=COOKIE,
        value=secret,
        path=request.scope.get("root_path") or "/",
        max_age=_LASTS,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


@asynccontextmanager
async def table_for(
    request: AppRequest, name: str, asked: Seat | None = None
) -> AsyncIterator[tuple[Table, Audience]]:
    """A table as the sender of a request may see it, and the seat they see it from."""
    tables = tables_of(request)
    async with tables.locked(name) as table:
        audience = audience_at(table, request, asked)
        yield (table if audience is not None else await delayed_table(tables, name)), audience


def seats_at(table: Table, request: AppRequest, asked: Seat | None = None) -> tuple[Seat, ...]:
    """The seats of whoever asks, or the one of them they ask for."""
    secret = secret_of(request)
    seats = table.seats_of(secret) if secret else ()
    wanted = seats if asked is None else tuple(seat for seat in seats if seat == asked)
    if not wanted:
        raise Refused(RefusalCode.NOT_SEATED)
    return wanted


def seat_at(table: Table, request: AppRequest, asked: Seat | None = None) -> Seat:
    """The seat that whoever asks sits on; where they play both, the one they ask for, or the one to move."""
    audience = audience_at(table, request, asked)
    if audience is None:
        raise Refused(RefusalCode.NOT_SEATED)
    return audience


def audience_at(table: Table, request: AppRequest, asked: Seat | None = None) -> Audience:
    """The seat of whoever asks, or None where they may only watch."""
    secret = secret_of(request)
    seats = table.seats_of(secret) if secret else ()
    if asked is not None and asked not in seats:
        raise Refused(RefusalCode.NOT_SEATED)
    if len(seats) == 2:
        return asked if asked is not None else (table.turn or 0)
    if seats:
        return seats[0]
    if not table.options.watch:
        raise Refused(RefusalCode.NO_WATCHING)
    return None
