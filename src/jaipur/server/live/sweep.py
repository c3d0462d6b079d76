"""Visits the tables that are due, and deletes tables that nobody joined.

Thousands of tables can be due at once, for example after a long outage. Therefore the sweep reads them in pages, visits
one table per turn of the event loop and keeps no table in memory. Deletions are small transactions.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

from jaipur.server.live.tables import TableService
from jaipur.table.options import DAY, Millis

PAGE = 100
"""One statement reads or deletes at most this many tables."""
RETRY_AFTER = 30.0
"""If a table is still due after a visit, the sweep visits it again after this many seconds."""
UNJOINED_FOR = 7 * DAY
"""A table whose second seat stays free for this long is deleted."""


class Sweep:
    """Calls the function `visit` for every due table. `visit` returns whether the table has changed."""

    def __init__(self, tables: TableService, visit: Callable[[str], Awaitable[bool]]) -> None:
        self._tables = tables
        self._visit = visit
        self._later: dict[str, float] = {}
        """The tables that are still due because a visit did not change them, with the time of the next visit."""

    async def visit_due(self) -> None:
        started = time.monotonic()
        self._later = {table: again for table, again in self._later.items() if again > started}
        now, (began, ended) = self._tables.now(), self._tables.clock.outage
        # The time of an outage does not count. Tables that became due during the outage therefore wait.
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
                # A visit to a loaded table does not always let other tasks run. Let waiting requests run now.
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
