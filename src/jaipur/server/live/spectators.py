"""Spectators see what both players see, with a delay, so that they cannot help a player."""

from jaipur.server.live.tables import TableService
from jaipur.table.options import SECOND, Millis
from jaipur.table.table import Table

DELAY: Millis = 10 * SECOND


async def delayed_table(tables: TableService, table: Table) -> Table:
    """The table as it was one delay ago, but at least its first version."""
    until = tables.now() - DELAY
    if table.last is None or table.last.at <= until:
        return table
    delayed = Table(table.id)
    for entry in await tables.event_log(table.id):
        if entry.version > 1 and entry.at > until:
            break
        delayed.apply(entry)
    return delayed
