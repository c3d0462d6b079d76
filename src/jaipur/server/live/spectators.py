"""Spectators see what both players can see, after a delay, so that they cannot help either of them."""

from jaipur.server.live.tables import TableService
from jaipur.table.options import SECOND, Millis
from jaipur.table.table import Table

DELAY: Millis = 10 * SECOND


async def delayed_table(tables: TableService, name: str) -> Table:
    """A table as it was before the delay; at least as it was opened."""
    shown = Table(name)
    for entry in await tables.event_log(name):
        if entry.version > 1 and entry.at > tables.now() - DELAY:
            break
        shown.apply(entry)
    return shown
