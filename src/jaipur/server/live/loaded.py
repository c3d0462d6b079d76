"""A table in the memory of this process. The class knows whether the table differs from the event store.

The table is behind the store if another process has written to the store. The table is ahead of the store while an
append is running, and when the result of an append is unknown. In both cases `outdated` is true, and `catch_up` makes
the table equal to the store.
"""

import asyncio
import time
from collections.abc import Callable
from math import inf

from jaipur.server.live.replay import Replay, Turns
from jaipur.server.live.spectators import DelayedTable, load_delayed
from jaipur.server.live.subscribers import Encoded, Subscriber, encode_for, encode_latest, publish
from jaipur.server.store.event_store import EventStore
from jaipur.table.events import AnyEvent, LogEntry
from jaipur.table.options import Millis
from jaipur.table.table import Table


class LoadedTable:
    """A table, its lock and its subscribers. Only the holder of the lock may read or change the table."""

    def __init__(self, table: Table, snapshot_version: int = 0) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.subscribers: list[Subscriber] = []
        self.published = table.version
        """The last version that was sent to subscribers. This version is in the store."""
        self.snapshot_version = snapshot_version
        """The version of the newest snapshot, or 0 if there is none."""
        self.last_used = time.monotonic()
        self._delayed: DelayedTable | None = None
        """The table as spectators see it. None until a spectator asks for it."""
        self._added: list[LogEntry] = []
        """The entries that may not be stored yet."""
        self._messages: list[Encoded] = []
        """The messages about the added entries."""
        self._announced: float = 0
        """The store has at least this version. Infinite if the store may have any version."""

    @property
    def outdated(self) -> bool:
        """Whether the table must catch up before use."""
        return bool(self._added) or self._announced > self.published

    def announce(self, version: float = inf) -> None:
        """Note that the store has this version. Without an argument, note that it may have any version."""
        self._announced = max(self._announced, version)

    def add(self, event: AnyEvent, now: Millis) -> None:
        """Apply an event to the table in memory. `save` stores it later."""
        table = self.table
        last = 0 if table.last is None else table.last.at
        entry = LogEntry(table.version + 1, max(now, last), event)
        self._added.append(entry)
        table.apply(entry)
        self._messages.append(encode_for(table, self.subscribers))

    async def save(self, store: EventStore) -> list[LogEntry]:
        """Append the added entries to the store, then publish them. If this fails, the table is ahead of the store."""
        entries, messages = self._added, self._messages
        if entries:
            await store.append(self.table.id, entries, self.table.status)
            self._added, self._messages = [], []
            for entry, encoded in zip(entries, messages, strict=True):
                self._publish(entry, encoded)
        return entries

    async def catch_up(self, store: EventStore, turns: Turns) -> bool:
        """Apply and publish the new entries of the store. If the table was ahead of the store, reload it.

        Return whether the table was reloaded.
        """
        reload = bool(self._added)
        # Reset this before the read. An announcement during the read may be about entries that the read misses.
        self._announced = 0
        replay = Replay(store, turns, Table(self.table.id) if reload else self.table)
        try:
            if reload:
                await replay.skip(self.published)
            await replay.forward(visit=self._publish_newer)
        except BaseException:
            self.announce()
            raise
        self.table, self._added, self._messages = replay.table, [], []
        return reload

    async def delayed_table(
        self, store: EventStore, turns: Turns, now: Callable[[], Millis]
    ) -> Table:
        """Return the table as spectators see it now."""
        if self._delayed is None:
            self._delayed = await load_delayed(store, turns, self.table, now, self._publish_delayed)
        self._delayed.advance()
        return self._delayed.table

    def _publish_newer(self, table: Table) -> None:
        if table.version > self.published:
            assert table.last is not None
            self._publish(table.last, encode_for(table, self.subscribers))

    def _publish(self, entry: LogEntry, messages: Encoded) -> None:
        self.published = entry.version
        publish(messages, self.subscribers)
        if self._delayed is not None:
            self._delayed.add(entry)

    def _publish_delayed(self, table: Table) -> None:
        if any(each.live and each.audience is None for each in self.subscribers):
            publish({None: encode_latest(table, None)}, self.subscribers)
