"""Watching: without a seat one sees what both traders can see, and that a little later, so as to help neither."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jaipur.rules import Seat
from jaipur.server.http.identity import AppRequest, audience_at, house_of
from jaipur.server.live.tables import TableService
from jaipur.table.options import SECOND, Millis
from jaipur.table.projection import Audience
from jaipur.table.table import Table

DELAY: Millis = 10 * SECOND


@asynccontextmanager
async def table_for(
    request: AppRequest, name: str, asked: Seat | None = None
) -> AsyncIterator[tuple[Table, Audience]]:
    """A table as whoever asks may see it, and who that is."""
    house = house_of(request)
    async with house.look(name) as table:
        audience = audience_at(table, request, asked)
        yield (table if audience is not None else await as_watched(house, name)), audience


async def as_watched(house: TableService, name: str) -> Table:
    """A table as it was a little while ago; at least as it was set up."""
    shown = Table(name)
    for entry in await house.journal(name):
        if entry.version > 1 and entry.at > house.now() - DELAY:
            break
        shown.apply(entry)
    return shown
