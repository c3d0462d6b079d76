"""The tables of this process. `TableService` loads, locks and changes them, and publishes events to subscribers.

Every command has the same steps: catch up with the event store, validate the command, apply its events in memory, store
them, publish them. Several processes can share a store. If two processes write the same version, the second one gets a
conflict, catches up and starts again.
"""

import asyncio
import logging
import re
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import islice
from random import Random, SystemRandom
from typing import NamedTuple

from msgspec.structs import replace

from jaipur.notation.fair import new_salt
from jaipur.server.live.background import BackgroundTasks
from jaipur.server.live.history import History
from jaipur.server.live.loaded import LoadedTable
from jaipur.server.live.replay import KeyedLocks, Replay, Turns
from jaipur.server.live.server_clock import ServerClock
from jaipur.server.live.subscribers import EncodedMessage, Subscriber, encode_latest
from jaipur.server.store.event_store import EventStore, StoreError, VersionConflict
from jaipur.server.store.snapshots import SNAPSHOT_EVERY
from jaipur.table.events import AnyEvent, LogEntry, Opened, Rematched
from jaipur.table.options import Millis
from jaipur.table.refusals import AlreadyPlayed, RefusalCode, Refused
from jaipur.table.snapshot import Snapshot, take_snapshot
from jaipur.table.state import DamagedLog
from jaipur.table.table import Table

MAX_CONFLICTS = 10
"""A command fails after this many version conflicts for which the store has no newer entries."""
CONFLICT_PAUSE = 0.01
MAX_LOADED = 1000
"""The number of loaded tables above which unused tables are unloaded at once. One table needs about 60 kB."""

log = logging.getLogger(__name__)

_TABLE_ID = re.compile(r"[0-9a-f]{16}")

Command = Callable[[Table], list[AnyEvent]]


def no_command(_table: Table) -> list[AnyEvent]:
    """Create no events. Run this command to apply the events that are due."""
    return []


class CommandOutcome(NamedTuple):
    table: Table
    version: int
    """The version of the last event of the command. For a repeated request, it is the version of the first request.

    If the command created no event, it is the version of the table.
    """


class TableService:
    """Opens, loads, changes and unloads tables."""

    def __init__(
        self,
        store: EventStore,
        *,
        shared: bool = False,
        clock: ServerClock | None = None,
        now: Callable[[], Millis] | None = None,
    ) -> None:
        self.store = store
        self.clock = clock or ServerClock(None)
        self.now = now or self.clock.now
        self.shared = shared
        """Whether other processes write to the store."""
        self.loaded: OrderedDict[str, LoadedTable] = OrderedDict()
        """Sorted by last use."""
        self.after_append: list[Callable[[Table, Sequence[LogEntry]], None]] = []
        """Functions that are called after this process has stored entries."""
        self.after_catch_up: list[Callable[[LoadedTable, bool], None]] = []
        """Functions that are called after a catch-up.

        The second argument is true if the new entries may include entries of this process.
        """
        self._rng: Random = SystemRandom()
        self._turns = Turns()
        # Use other turns than the requests for past messages, so that they do not delay the loading of tables.
        self.history = History(store, Turns())
        self._loading = KeyedLocks()
        self._tasks = BackgroundTasks()

    async def close(self) -> None:
        await self._tasks.close()

    def time_ago(self, age: Millis) -> Millis:
        """Return the time that lies `age` before now. The last outage does not count."""
        began, ended = self.clock.outage
        return self.now() - age - (ended - began)

    async def open(self, table_id: str, event: Opened) -> Table:
        """Create a table with a salt for its first deal, or load the table if it already exists."""
        table = Table(table_id)
        entry = LogEntry(1, self.now(), replace(event, salt=new_salt(self._rng)))
        table.apply(entry)
        with suppress(VersionConflict):
            await self.store.append(table_id, [entry], table.status)
        return (await self.act(table_id, no_command)).table

    async def act(self, table_id: str, command: Command) -> CommandOutcome:
        """Run a command, and apply the events that are due before and after it.

        Raise `Refused` if the table refuses the command. Raise `DamagedLog` if the row of the table does not match the
        event log, so that nothing can be appended.
        """
        async with self._locked(table_id) as loaded:
            conflicts = 0
            while conflicts < MAX_CONFLICTS:
                published = loaded.published
                try:
                    return await self._run(loaded, command)
                except VersionConflict:
                    await self._catch_up(loaded)
                # If the log has no newer entries, the row of the table may have a wrong version.
                if loaded.published == published:
                    conflicts += 1
                    await asyncio.sleep(CONFLICT_PAUSE)
        raise DamagedLog(table_id, "the row of the table has another version than the log")

    @asynccontextmanager
    async def locked(self, table_id: str) -> AsyncIterator[Table]:
        """Lock a table and yield it, up to date. The table does not change inside the `with` block."""
        async with self._locked(table_id) as loaded:
            yield loaded.table

    async def delayed_table(self, table_id: str) -> Table:
        """Return the table as spectators see it. Call this only inside `locked`."""
        return await self._delayed(self._still_loaded(table_id))

    def reserve(self, table_id: str, subscriber: Subscriber, limit: int, client_limit: int) -> bool:
        """Count a stream, unless its audience, or its client in this audience, already has too many streams.

        Call this only inside `locked`.
        """
        subscribers = self._still_loaded(table_id).subscribers
        clients = [each.client for each in subscribers if each.audience == subscriber.audience]
        if len(clients) >= limit or clients.count(subscriber.client) >= client_limit:
            return False
        subscribers.append(subscriber)
        return True

    async def replay(
        self, table_id: str, subscriber: Subscriber, after: int | None
    ) -> AsyncIterator[Sequence[EncodedMessage]]:
        """Yield the messages with a version above `after`, or the latest message if `after` is None.

        Afterwards the subscriber is live: it gets all later messages in its queue.
        """
        while True:
            async with self._locked(table_id) as loaded:
                audience = subscriber.audience
                table = loaded.table if audience is not None else await self._delayed(loaded)
                if after is None or after >= table.version - 1:
                    subscriber.live = not subscriber.closed
                    missed = [] if after == table.version else [encode_latest(table, audience)]
                    break
                last = table.version
            # Replay the log without the lock, so that no command has to wait. Then check for newer events.
            async for page in self.history.messages(table_id, audience, after, last):
                yield page
            after = last
        if missed:
            yield missed

    def unsubscribe(self, table_id: str, subscriber: Subscriber) -> None:
        loaded = self.loaded.get(table_id)
        if loaded is not None and subscriber in loaded.subscribers:
            loaded.subscribers.remove(subscriber)

    def subscribers(self, table_id: str) -> Sequence[Subscriber]:
        """Return the subscribers of a table in this process."""
        return self.loaded[table_id].subscribers if table_id in self.loaded else ()

    def stream_count(self) -> int:
        return sum(len(loaded.subscribers) for loaded in self.loaded.values())

    def close_streams(self) -> None:
        for loaded in self.loaded.values():
            for subscriber in loaded.subscribers:
                subscriber.close()

    def unload(self, since: float) -> None:
        """Unload tables that have no subscribers and were not used after `since`, a time of the monotonic clock."""
        for table_id, loaded in list(self.loaded.items()):
            if loaded.last_used < since:
                self.release(table_id)

    def release(self, table_id: str) -> None:
        """Unload a table, unless it is in use."""
        loaded = self.loaded.get(table_id)
        if loaded is not None and not loaded.subscribers and not loaded.lock.locked():
            del self.loaded[table_id]

    def forget(self, table_ids: Sequence[str]) -> None:
        """Unload tables that were deleted from the store, and close their streams."""
        for table_id in table_ids:
            loaded = self.loaded.pop(table_id, None)
            for subscriber in loaded.subscribers if loaded is not None else ():
                subscriber.close()

    @asynccontextmanager
    async def _locked(self, table_id: str) -> AsyncIterator[LoadedTable]:
        while True:
            loaded = self.loaded.get(table_id) or await self._load(table_id)
            async with loaded.lock:
                if self.loaded.get(table_id) is not loaded:
                    continue  # it was unloaded while this task waited for the lock
                loaded.last_used = time.monotonic()
                self.loaded.move_to_end(table_id)
                if self.shared or loaded.outdated:
                    await self._catch_up(loaded)
                yield loaded
                return

    async def _load(self, table_id: str) -> LoadedTable:
        if not _TABLE_ID.fullmatch(table_id):
            raise Refused(RefusalCode.NO_SUCH_TABLE)
        # If several requests need the same table, the first one loads it and the others wait.
        async with self._loading[table_id]:
            if table_id not in self.loaded:
                replay = Replay(self.store, self._turns, Table(table_id))
                await replay.skip()
                await replay.forward()
                if not replay.table.version:
                    raise Refused(RefusalCode.NO_SUCH_TABLE)
                self._unload_oldest()
                self.loaded[table_id] = LoadedTable(replay.table, replay.snapshot_version)
                self._write_snapshot(self.loaded[table_id])
            return self.loaded[table_id]

    def _unload_oldest(self) -> None:
        """Unload up to two tables per loaded table, so that requests for many tables cannot fill the memory."""
        for table_id in list(islice(self.loaded, 2)) if len(self.loaded) >= MAX_LOADED else ():
            self.loaded.move_to_end(table_id)  # a table in use stays; the next call tries others
            self.release(table_id)

    def _still_loaded(self, table_id: str) -> LoadedTable:
        """Return a locked table. Raise `Refused` if it was deleted while this task waited for the lock."""
        if table_id not in self.loaded:
            raise Refused(RefusalCode.NO_SUCH_TABLE)
        return self.loaded[table_id]

    async def _delayed(self, loaded: LoadedTable) -> Table:
        now = lambda: self.now()  # noqa: E731, PLW0108  # a test can replace the clock later
        return await loaded.delayed_table(self.store, self._turns, now)

    async def _catch_up(self, loaded: LoadedTable) -> None:
        before = loaded.published
        reloaded = await loaded.catch_up(self.store, self._turns)
        if not loaded.table.version:  # another process has deleted the table
            self.forget([loaded.table.id])
            raise Refused(RefusalCode.NO_SUCH_TABLE)
        if reloaded or loaded.published > before:
            for call in self.after_catch_up:
                call(loaded, reloaded)

    def _write_snapshot(self, loaded: LoadedTable) -> None:
        """Write a snapshot in the background, if the log has grown enough since the last snapshot."""
        table = loaded.table
        if table.version - loaded.snapshot_version >= SNAPSHOT_EVERY:
            loaded.snapshot_version = table.version
            self._tasks.spawn(self._store_snapshot(table.id, take_snapshot(table)))

    async def _store_snapshot(self, table_id: str, snapshot: Snapshot) -> None:
        try:
            await self.store.write_snapshot(table_id, snapshot)
        except StoreError as error:  # the table loads without it, only more slowly
            log.warning("table %s has no new snapshot: %s", table_id, error)

    async def _run(self, loaded: LoadedTable, command: Command) -> CommandOutcome:
        """Validate the command, then store and publish its events."""
        refused: Refused | None = None
        version: int | None = None
        # Use the same time for all steps, so that a player whose time is up cannot move.
        now = self.now()
        advance = partial(Table.advance, now=now, rng=self._rng, outage=self.clock.outage)
        try:
            for step in (advance, command, advance, advance):
                for event in step(loaded.table):
                    if isinstance(event, Rematched):
                        await self.open(event.table, loaded.table.rematch())
                    loaded.add(event, now)
                    if step is command:
                        version = loaded.table.version
        except AlreadyPlayed as repeated:
            version = repeated.version
        except Refused as refusal:
            refused = refusal
        if entries := await loaded.save(self.store):
            self._write_snapshot(loaded)
            for call in self.after_append:
                call(loaded.table, entries)
        if refused is not None:
            raise refused
        return CommandOutcome(loaded.table, version or loaded.table.version)
