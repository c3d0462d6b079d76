"""Replays event logs in short steps, so that no replay delays other requests.

A log is read in pages. If a long log has a snapshot, the replay starts at the newest snapshot.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from jaipur.server.store.event_store import EventStore
from jaipur.server.store.schema import NO_LIMIT
from jaipur.server.store.snapshots import SNAPSHOT_EVERY
from jaipur.table.options import Millis
from jaipur.table.snapshot import restore
from jaipur.table.table import Table

if TYPE_CHECKING:
    from jaipur.table.events import LogEntry

PAGE = 200
"""The number of entries per read. Most games have fewer entries, so one read loads them."""
STEP_SECONDS = 0.001
"""After this many seconds, a replay lets the event loop do other work."""
NEVER: Millis = 2**62


class Turns:
    """Long computations take turns. Between its other work, the event loop runs one step of only one computation."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def wait(self) -> None:
        async with self._lock:
            await asyncio.sleep(0)


class KeyedLocks:
    """A lock for each key. A lock exists only while it is in use."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def __getitem__(self, key: Hashable) -> asyncio.Lock:
        return self._locks.setdefault(key, asyncio.Lock())


def _ignore(_table: Table) -> None:
    pass


class Replay:
    """A table that moves forward through its event log."""

    def __init__(self, store: EventStore, turns: Turns, table: Table) -> None:
        self.table = table
        self.snapshot_version = 0
        """The version of the snapshot at which the replay started, or 0 if there was none."""
        self._store = store
        self._turns = turns
        self._entries: deque[LogEntry] = deque()
        """The entries that were read but not applied yet."""

    async def skip(self, version: int = NO_LIMIT, until: Millis = NEVER) -> None:
        """Start at the newest snapshot that is not after this version and time."""
        await self._read()
        if len(self._entries) < PAGE or version < SNAPSHOT_EVERY:
            return
        snapshot = await self._store.read_snapshot(self.table.id, version, until)
        table = None if snapshot is None else restore(snapshot)
        if table is None:
            return
        page = await self._store.read(table.id, table.version - 1, PAGE)
        # The log decides: a snapshot whose last entry is not in the log is ignored.
        if page and page[0] == table.last:
            self.table, self.snapshot_version = table, table.version
            self._entries = deque(page[1:])

    async def forward(
        self,
        version: float = inf,
        until: Millis = NEVER,
        visit: Callable[[Table], None] = _ignore,
    ) -> None:
        """Apply the entries up to a version and a time, and call `visit` after each entry.

        The first entry is applied in any case.
        """
        table = self.table
        end = perf_counter() + STEP_SECONDS
        while table.version < version and (self._entries or await self._read()):
            if table.version and self._entries[0].at > until:
                return
            table.apply(self._entries.popleft())
            visit(table)
            if perf_counter() >= end:
                await self._turns.wait()
                end = perf_counter() + STEP_SECONDS

    async def _read(self) -> bool:
        """Read the next page. Return whether there are entries to apply."""
        self._entries.extend(await self._store.read(self.table.id, self.table.version, PAGE))
        return bool(self._entries)
