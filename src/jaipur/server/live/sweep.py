"""The sweep over the tables whose due time is reached, and the deletion of tables that nobody joined.

Thousands of tables can be due at once, for example after a long outage. So the sweep reads them in pages, handles one
table per turn of the event loop and keeps none of them in memory. Deletions are small transactions.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

from jaipur.server.live.tables import TableService
from jaipur.table.options import DAY, Millis

PAGE = 100
"""The number of tables that one statement reads or deletes."""
RETRY_AFTER = 30.0
"""Seconds after which the sweep visits a table again that is still due."""
UNJOINED_FOR = 7 * DAY
"""The age at which a table with a free seat is deleted."""


class Sweep:
    """Calls `visit` for every due table. The function returns whether the table has changed."""

    def __init__(self, tables: TableService, visit: Callable[[str], Awaitable[bool]]) -> None:
        self._tables = tables
        self._visit = visit
        self._later: dict[str, float] = {}
        """The tables that a visit did not change, with the time of the next visit. They are still due."""

    async def visit_due(self) -> None:
        started = time.monotonic()
        self._later = {table: again for table, again in self._later.items() if again > started}
        now, (began, ended) = self._tables.now(), self._tables.clock.outage
        # Time in an outage does not count, so the tables that were due in it wait.
        await self._visit_between(-1, now - (ended - began))
        if ended > began:
            await self._visit_between(ended - 1, now)

    async def _visit_between(self, after: Millis, until: Millis) -> None:
        last, more = (after, ""), True
        while more:
            page = await self._tables.store.due(until, PAGE, last)
            for last in page:
                if last[1] not in self._later:
                    await self._visit_one(last[1])
                # Visiting a loaded table may not suspend this task. Let waiting requests run.
                await asyncio.sleep(0)
            more = len(page) == PAGE

    async def _visit_one(self, table_id: str) -> None:
        used = table_id in self._tables.loaded
        if not await self._visit(table_id):
            self._later[table_id] = time.monotonic() + RETRY_AFTER
        if not used:
            self._tables.release(table_id)

    async def delete_unjoined(self) -> None:
        before = self._tables.time_ago(UNJOINED_FOR)
        while await self._tables.store.delete_unjoined(before, PAGE) == PAGE:
            await asyncio.sleep(0)
