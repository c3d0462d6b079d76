"""The tables of this process: load, lock, change, and publish to subscribers.

Every command has the same steps: catch up with the event store, validate, apply the events in memory, store and publish
them. Processes can share a store: the second writer of a version gets a conflict, catches up and starts again.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from random import Random, SystemRandom
from typing import NamedTuple

from jaipur.server.live.loaded import LoadedTable
from jaipur.server.live.subscribers import EncodedMessage, Subscriber, encode_latest
from jaipur.server.store.event_store import EventStore, VersionConflict
from jaipur.table.events import AnyEvent, LogEntry, Opened, Rematched
from jaipur.table.options import Millis
from jaipur.table.projection import Audience
from jaipur.table.refusals import AlreadyPlayed, RefusalCode, Refused
from jaipur.table.state import DamagedLog
from jaipur.table.table import Table

MAX_CONFLICTS = 10
"""The number of version conflicts without newer entries after which a command fails."""
CONFLICT_PAUSE = 0.01

_TABLE_ID = re.compile(r"[0-9a-f]{16}")

Command = Callable[[Table], list[AnyEvent]]


def no_command(_table: Table) -> list[AnyEvent]:
    """A command that does nothing: only the events that are due happen."""
    return []


def system_time() -> Millis:
    return time.time_ns() // 1_000_000


class CommandOutcome(NamedTuple):
    table: Table
    version: int
    """The version that the command created, now or at its first request. Without an event: the table's version."""


class TableService:
    """Opens, loads, changes and unloads tables."""

    def __init__(
        self, store: EventStore, *, shared: bool = False, now: Callable[[], Millis] = system_time
    ) -> None:
        self.store = store
        self.now = now
        self.shared = shared
        """Whether other processes write to the store."""
        self.loaded: dict[str, LoadedTable] = {}
        self.after_append: list[Callable[[Table, Sequence[LogEntry]], None]] = []
        """Functions called after this process has stored entries."""
        self.after_catch_up: list[Callable[[LoadedTable, bool], None]] = []
        """Functions called after a catch-up. The flag is true if the new entries may include some of this process."""
        self._rng: Random = SystemRandom()

    async def open(self, table_id: str, event: Opened) -> Table:
        """Create a table, or load it if it already exists."""
        table = Table(table_id)
        entry = LogEntry(1, self.now(), event)
        table.apply(entry)
        with suppress(VersionConflict):
            await self.store.append(table_id, [entry], table.status)
        return (await self.act(table_id, no_command)).table

    async def act(self, table_id: str, command: Command) -> CommandOutcome:
        """Run a command, and the events that are due before and after it. Raises `Refused` if the table refuses it.

        Raises `DamagedLog` if the row of the table does not match the event log, so that nothing can be appended.
        """
        async with self._locked(table_id) as loaded:
            conflicts = 0
            while conflicts < MAX_CONFLICTS:
                published = loaded.published
                try:
                    return await self._run(loaded, command)
                except VersionConflict:
                    await self._catch_up(loaded)
                # A conflict without newer entries in the log: the row of the table may have a wrong version.
                if loaded.published == published:
                    conflicts += 1
                    await asyncio.sleep(CONFLICT_PAUSE)
        raise DamagedLog(table_id, "the row of the table has another version than the log")

    @asynccontextmanager
    async def locked(self, table_id: str) -> AsyncIterator[Table]:
        """The up-to-date table. It does not change inside the `with` block."""
        async with self._locked(table_id) as loaded:
            yield loaded.table

    async def event_log(self, table_id: str) -> list[LogEntry]:
        entries = await self.store.read(table_id) if _TABLE_ID.fullmatch(table_id) else []
        if not entries:
            raise Refused(RefusalCode.NO_SUCH_TABLE)
        return entries

    async def subscribe(
        self, table_id: str, subscriber: Subscriber, after: int | None
    ) -> list[EncodedMessage]:
        """Add a subscriber. Return the messages with versions higher than `after` or, if it is None, the latest one."""
        missed: list[EncodedMessage] = []
        while True:
            async with self._locked(table_id) as loaded:
                table = loaded.table
                if after is None or after >= table.version - 1:
                    loaded.subscribers.append(subscriber)
                    if after != table.version:
                        missed.append(encode_latest(table, subscriber.audience))
                    return missed
            # Replay without the lock, so that no command has to wait. Then check for newer events.
            missed += await self._history(table_id, subscriber.audience, after)
            after = missed[-1].version

    def unsubscribe(self, table_id: str, subscriber: Subscriber) -> None:
        loaded = self.loaded.get(table_id)
        if loaded is not None and subscriber in loaded.subscribers:
            loaded.subscribers.remove(subscriber)

    def subscribers(self, table_id: str) -> Sequence[Subscriber]:
        """The subscribers of a table in this process."""
        return self.loaded[table_id].subscribers if table_id in self.loaded else ()

    def stream_count(self) -> int:
        return sum(len(loaded.subscribers) for loaded in self.loaded.values())

    def close_streams(self) -> None:
        for loaded in self.loaded.values():
            for subscriber in loaded.subscribers:
                subscriber.close()

    def unload(self, since: float) -> None:
        """Unload the tables without subscribers that were not used since a time of the monotonic clock."""
        for table_id, loaded in list(self.loaded.items()):
            if loaded.last_used < since and not loaded.subscribers and not loaded.lock.locked():
                del self.loaded[table_id]

    async def _history(self, table_id: str, audience: Audience, after: int) -> list[EncodedMessage]:
        """The messages with a higher version than `after`, replayed from the event log."""
        table, messages = Table(table_id), []
        for entry in await self.event_log(table_id):
            table.apply(entry)
            if entry.version > after:
                messages.append(encode_latest(table, audience))
        return messages

    @asynccontextmanager
    async def _locked(self, table_id: str) -> AsyncIterator[LoadedTable]:
        loaded = self.loaded.get(table_id)
        if loaded is None:
            entries = await self.event_log(table_id)
            # Another task may have loaded the table in the meantime.
            loaded = self.loaded.setdefault(table_id, LoadedTable(Table.replay(table_id, entries)))
        async with loaded.lock:
            loaded.last_used = time.monotonic()
            if self.shared or loaded.outdated:
                await self._catch_up(loaded)
            yield loaded

    async def _catch_up(self, loaded: LoadedTable) -> None:
        before = loaded.published
        reloaded = await loaded.catch_up(self.store)
        if reloaded or loaded.published > before:
            for call in self.after_catch_up:
                call(loaded, reloaded)

    async def _run(self, loaded: LoadedTable, command: Command) -> CommandOutcome:
        """Validate the command, then store and publish its events."""
        refused: Refused | None = None
        version: int | None = None
        # Use the same time for all steps, so that a player whose time is up cannot move.
        now = self.now()
        advance = partial(Table.advance, now=now, rng=self._rng)
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
            for call in self.after_append:
                call(loaded.table, entries)
        if refused is not None:
            raise refused
        return CommandOutcome(loaded.table, version or loaded.table.version)
