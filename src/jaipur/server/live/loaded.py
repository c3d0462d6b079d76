"""A table in the memory of this process, and whether it differs from the event store.

The table is behind the store if another process has written to the store. The table is ahead of the store while an
append is running or its result is unknown. `outdated` is true in both cases, and `catch_up` resolves both.
"""

import asyncio
import time
from math import inf

from jaipur.server.live.subscribers import Encoded, Subscriber, encode_for
from jaipur.server.store.event_store import EventStore
from jaipur.table.events import AnyEvent, LogEntry
from jaipur.table.options import Millis
from jaipur.table.table import Table


class LoadedTable:
    """A table, its lock and its subscribers. Only the holder of the lock may read or change the table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.subscribers: list[Subscriber] = []
        self.published = table.version
        """The last version that subscribers have received. It is stored."""
        self.last_used = time.monotonic()
        self._added: list[LogEntry] = []
        """The entries that may not be stored yet."""
        self._messages: list[Encoded] = []
        """The messages about the added entries."""
        self._announced: float = 0
        """The highest version that the store is known to have; infinite if that version is unknown."""

    @property
    def outdated(self) -> bool:
        """Whether the table must catch up before use."""
        return bool(self._added) or self._announced > self.published

    def announce(self, version: float = inf) -> None:
        """Record that the store has this version or, by default, an unknown one."""
        self._announced = max(self._announced, version)

    def add(self, event: AnyEvent, now: Millis) -> None:
        """Apply an event before it is stored."""
        table = self.table
        last = 0 if table.last is None else table.last.at
        entry = LogEntry(table.version + 1, max(now, last), event)
        self._added.append(entry)
        table.apply(entry)
        self._messages.append(encode_for(table, self.subscribers))

    async def save(self, store: EventStore) -> list[LogEntry]:
        """Append the added entries to the store, then publish them. After a failure the table is ahead of the store."""
        entries, messages = self._added, self._messages
        if entries:
            await store.append(self.table.id, entries, self.table.status)
            self._added, self._messages = [], []
            for entry, encoded in zip(entries, messages, strict=True):
                self._publish(entry.version, encoded)
        return entries

    async def catch_up(self, store: EventStore) -> bool:
        """Apply and publish the new entries of the store. Return whether the table was ahead and was reloaded."""
        reload = bool(self._added)
        # An announcement that arrives during the read may be about entries that the read does not return.
        self._announced = 0
        try:
            entries = await store.read(self.table.id, 0 if reload else self.table.version)
        except BaseException:
            self.announce()
            raise
        table = Table(self.table.id) if reload else self.table
        for entry in entries:
            table.apply(entry)
            if entry.version > self.published:
                self._publish(entry.version, encode_for(table, self.subscribers))
        self.table, self._added, self._messages = table, [], []
        return reload

    def _publish(self, version: int, messages: Encoded) -> None:
        self.published = version
        for subscriber in self.subscribers:
            subscriber.send(messages[subscriber.audience])
