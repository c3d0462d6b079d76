"""The tables of this process: load, lock, change, and publish to subscribers.

Every command runs the same way: catch up with the event store, let the table decide, append the events, then publish
them. Two processes can share a store: the second writer of a version gets a conflict, catches up and decides again.
"""

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
from jaipur.table.table import Table

_TABLE_ID = re.compile(r"[0-9a-f]{16}")

Command = Callable[[Table], list[AnyEvent]]


def no_command(_table: Table) -> list[AnyEvent]:
    """Only let happen what is due."""
    return []


def system_time() -> Millis:
    return time.time_ns() // 1_000_000


class CommandOutcome(NamedTuple):
    """The result of a command."""

    table: Table
    version: int
    """The version that the command made, now or when it was first sent; else the table's version."""


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
        """Called when this process has stored entries."""
        self.after_catch_up: list[Callable[[LoadedTable, bool], None]] = []
        """Called when a table has caught up; with True if entries of this process may have been among the new ones."""
        self._rng: Random = SystemRandom()

    async def open(self, table_id: str, event: Opened) -> Table:
        """Create a table, or find it if it exists already."""
        table = Table(table_id)
        entry = LogEntry(1, self.now(), event)
        table.apply(entry)
        with suppress(VersionConflict):
            await self.store.append(table_id, [entry], table.status)
        return (await self.act(table_id, no_command)).table

    async def act(self, table_id: str, command: Command) -> CommandOutcome:
        """Run a command at a table, with everything that is due before and after it; or raise `Refused`."""
        async with self._locked(table_id) as loaded:
            while True:
                try:
                    return await self._run(loaded, command)
                except VersionConflict:
                    await self._catch_up(loaded)

    @asynccontextmanager
    async def locked(self, table_id: str) -> AsyncIterator[Table]:
        """The current table; it does not change while the context is open."""
        async with self._locked(table_id) as loaded:
            yield loaded.table

    async def event_log(self, table_id: str) -> list[LogEntry]:
        """All entries of a table."""
        entries = await self.store.read(table_id) if _TABLE_ID.fullmatch(table_id) else []
        if not entries:
            raise Refused(RefusalCode.NO_SUCH_TABLE)
        return entries

    async def subscribe(
        self, table_id: str, subscriber: Subscriber, after: int | None
    ) -> list[EncodedMessage]:
        """Add a subscriber and return the messages after a version; without one, the latest message."""
        missed: list[EncodedMessage] = []
        while True:
            async with self._locked(table_id) as loaded:
                table = loaded.table
                if after is None or after >= table.version - 1:
                    loaded.subscribers.append(subscriber)
                    if after != table.version:
                        missed.append(encode_latest(table, subscriber.audience))
                    return missed
            # Replay without the lock, so that no command waits for it; then check for newer events.
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
        """Drop the tables without subscribers that were last used before a time of the monotonic clock."""
        for table_id, loaded in list(self.loaded.items()):
            if loaded.last_used < since and not loaded.subscribers and not loaded.lock.locked():
                del self.loaded[table_id]

    async def _history(self, table_id: str, audience: Audience, after: int) -> list[EncodedMessage]:
        """The messages after a version, replayed from the event log."""
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
            # Another task may have loaded it meanwhile.
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
        """Let the table decide, then store and publish the events."""
        refused: Refused | None = None
        version: int | None = None
        # One time for all steps: a player whose flag has fallen cannot move.
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
