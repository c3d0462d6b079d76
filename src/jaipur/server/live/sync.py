"""Keeps loaded tables up to date when other processes write to the event store.

A notification contains the id of a table and its new version. Notifications can be lost. Therefore every table counts
as outdated after a lost connection. A process can also crash before it sends a notification. Therefore the versions of
the tables are regularly compared with the store. A catch-up that fails is repeated until it succeeds.
"""

import logging

from jaipur.server.live.background import BackgroundTasks, repeat
from jaipur.server.live.tables import TableService
from jaipur.server.log_format import message_of

RETRY_EVERY = 1.0
COMPARE_EVERY = 5.0

log = logging.getLogger(__name__)


class TableSync:
    """Decides when the loaded tables of this process catch up with the store. `LoadedTable.catch_up` does the work."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables
        self._tasks = BackgroundTasks()

    def start(self) -> None:
        self._tasks.spawn(repeat(RETRY_EVERY, self._catch_up_all))
        if self._tables.shared:
            self._tasks.spawn(repeat(COMPARE_EVERY, self.compare))

    async def close(self) -> None:
        await self._tasks.close()

    def changed(self, table_id: str, version: int) -> None:
        """Call this when another process has stored this version of a table."""
        loaded = self._tables.loaded.get(table_id)
        if loaded is not None:
            loaded.announce(version)
            if loaded.outdated:
                self._tasks.spawn(self._catch_up(table_id))

    def missed(self) -> None:
        """Call this when notifications may have been lost."""
        for loaded in self._tables.loaded.values():
            loaded.announce()
        self._tasks.spawn(self._catch_up_all())

    async def compare(self) -> None:
        """For each table with subscribers, compare the version in memory with the version in the store."""
        loaded = self._tables.loaded.items()
        followed = [table_id for table_id, table in loaded if table.subscribers]
        for table_id, version in (await self._tables.store.versions(followed)).items():
            self.changed(table_id, version)

    async def _catch_up_all(self) -> None:
        for table_id in list(self._tables.loaded):
            await self._catch_up(table_id)

    async def _catch_up(self, table_id: str) -> None:
        loaded = self._tables.loaded.get(table_id)
        if loaded is None or not loaded.outdated:
            return
        try:
            async with self._tables.locked(table_id):
                pass
        except Exception as error:
            log.warning("table %s cannot catch up yet: %s", table_id, message_of(error))
