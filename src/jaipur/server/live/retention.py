"""Deletes finished games some days after their last event, a few at a time (`jaipur serve --keep DAYS`)."""

import asyncio
import logging

from jaipur.server.live.background import BackgroundTasks, repeat
from jaipur.server.live.tables import TableService
from jaipur.table.options import DAY

log = logging.getLogger(__name__)

EVERY = 60.0
PAUSE = 0.05
"""The seconds between two deletions. Moves are stored during this pause."""


class Retention:
    """Deletes old games in the background. Several processes may do this at the same time."""

    def __init__(self, tables: TableService, keep_days: int) -> None:
        self._tables = tables
        self._keep = keep_days * DAY
        self._tasks = BackgroundTasks()

    def start(self) -> None:
        if self._keep:
            self._tasks.spawn(repeat(EVERY, self.delete_old))

    async def close(self) -> None:
        await self._tasks.close()

    async def delete_old(self) -> None:
        """Delete all games that are old enough."""
        total = 0
        before = self._tables.time_ago(self._keep)
        while (deleted := await self._tables.store.delete_finished(before)) is not None:
            self._tables.forget(deleted)
            total += len(deleted)
            await asyncio.sleep(PAUSE)
        if total:
            log.info("%d finished games were deleted", total)
