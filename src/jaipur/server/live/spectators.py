"""Spectators see what both players see. They see it with a delay, so that they cannot help a player.

All spectators of a table share one delayed state of the table. The state exists from the first request of a spectator
until the table is unloaded.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from jaipur.server.live.replay import Replay, Turns
from jaipur.server.store.event_store import EventStore
from jaipur.table.events import LogEntry
from jaipur.table.options import SECOND, Millis
from jaipur.table.table import Table

DELAY: Millis = 10 * SECOND

Now = Callable[[], Millis]


class DelayedTable:
    """A table as it was `DELAY` ago, but at least its first version. A timer applies later entries."""

    def __init__(
        self,
        table: Table,
        waiting: Iterable[LogEntry],
        now: Now,
        on_change: Callable[[Table], None],
    ) -> None:
        """`waiting` has the log entries that are not yet applied to `table`. `on_change` is called for each of them."""
        self.table = table
        self._waiting = deque(waiting)
        self._now = now
        self._on_change = on_change
        self._timer: asyncio.TimerHandle | None = None

    def add(self, entry: LogEntry) -> None:
        """Add an entry that the players can see now."""
        self._waiting.append(entry)
        self.advance()

    def advance(self) -> None:
        """Apply the entries whose delay is over."""
        until = self._now() - DELAY
        while self._waiting and self._waiting[0].at <= until:
            self.table.apply(self._waiting.popleft())
            self._on_change(self.table)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting:
            seconds = (self._waiting[0].at - until) / SECOND
            self._timer = asyncio.get_running_loop().call_later(seconds, self.advance)


async def load_delayed(
    store: EventStore,
    turns: Turns,
    table: Table,
    now: Now,
    on_change: Callable[[Table], None],
) -> DelayedTable:
    """Return the delayed state of a table. The caller must hold the lock of the table."""
    until = now() - DELAY
    replay = Replay(store, turns, Table(table.id))
    await replay.skip(table.version, until)
    await replay.forward(table.version, until)
    seen = replay.table
    waiting = await store.read(table.id, seen.version, table.version - seen.version)
    return DelayedTable(seen, waiting, now, on_change)
