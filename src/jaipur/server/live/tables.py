"""The tables: all tables of this process, each acted on by one at a time, and those who listen to them.

Every act runs the same way: catch up with the journal, ask the table, keep the events, and only then tell those who
listen. A second process on the same journal is no danger: whoever comes second finds the version taken, catches up
and asks again.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from math import inf
from random import Random, SystemRandom

from jaipur.server.live.subscribers import EncodedMessage, Subscriber, encode_for, encode_latest
from jaipur.table.events import AnyEvent, LogEntry, Opened, Rematched
from jaipur.table.options import Millis
from jaipur.table.projection import Audience
from jaipur.table.refusals import RefusalCode, Refused
from jaipur.table.store import EventStore, VersionConflict
from jaipur.table.table import Table

_NAME = re.compile(r"[0-9a-f]{16}")

Command = Callable[[Table], list[AnyEvent]]


def nothing(_table: Table) -> list[AnyEvent]:
    """What somebody decides who only looks."""
    return []


def system_time() -> Millis:
    return time.time_ns() // 1_000_000


class LoadedTable:
    """A table in this process. Whoever holds the lock may see it; nobody else sees what is not durable yet."""

    __slots__ = ("behind", "lock", "spoilt", "subscribers", "table", "told", "used")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.told = table.version
        self.lock = asyncio.Lock()
        self.subscribers: list[Subscriber] = []
        self.spoilt = False
        """Whether the table holds what may not have been kept, so that the journal must be read anew."""
        self.behind = False
        """Whether the journal may hold more than has happened here."""
        self.used = time.monotonic()

    @property
    def lags(self) -> bool:
        return self.spoilt or self.behind


class TableService:
    """Opens, finds, changes and forgets tables."""

    def __init__(
        self, store: EventStore, *, shared: bool = False, now: Callable[[], Millis] = system_time
    ) -> None:
        self.store = store
        self.now = now
        self.loaded: dict[str, LoadedTable] = {}
        self.after_act: list[Callable[[Table, Sequence[LogEntry]], None]] = []
        """Called with a table and what happened there whenever this process let something happen."""
        self._shared = shared
        self._rng: Random = SystemRandom()

    async def open(self, name: str, event: Opened) -> Table:
        """Set a table up; if it is there already, it is the same one."""
        table = Table(name)
        entry = LogEntry(1, self.now(), event)
        table.apply(entry)
        with suppress(VersionConflict):
            await self.store.append(name, [entry], table.status)
        return await self.act(name, nothing)

    async def act(self, name: str, decide: Command) -> Table:
        """Do at a table what somebody wants and what follows from it; `Refused` where it is not to be."""
        async with self._locked(name) as loaded:
            while True:
                refusal = await self._try(loaded, decide)
                if not loaded.spoilt:
                    break
                await self._catch_up(loaded)
            if refusal is not None:
                raise refusal
            return loaded.table

    @asynccontextmanager
    async def locked(self, name: str) -> AsyncIterator[Table]:
        """The table as it is now, held still."""
        async with self._locked(name) as loaded:
            yield loaded.table

    async def event_log(self, name: str) -> list[LogEntry]:
        """Everything that happened at a table."""
        entries = await self.store.read(name) if _NAME.fullmatch(name) else []
        if not entries:
            raise Refused(RefusalCode.NO_SUCH_TABLE)
        return entries

    async def subscribe(
        self, name: str, subscriber: Subscriber, after: int | None
    ) -> list[EncodedMessage]:
        """Add a subscriber, who gets what happens from now on. What came after a version, or how things stand now."""
        told = [] if after is None else await self.history(name, subscriber.audience, after)
        async with self._locked(name) as loaded:
            table = loaded.table
            loaded.subscribers.append(subscriber)
            if after is None or after > table.version:
                return [encode_latest(table, subscriber.audience)]
            last = told[-1].version if told else after
            # The long way was gone before anybody had to wait for it; this is what came meanwhile.
            if last < table.version:
                told += await self.history(name, subscriber.audience, last, table.version)
            return told

    def unsubscribe(self, name: str, subscriber: Subscriber) -> None:
        loaded = self.loaded.get(name)
        if loaded is not None and subscriber in loaded.subscribers:
            loaded.subscribers.remove(subscriber)

    async def history(
        self, name: str, audience: Audience, after: int, until: float = inf
    ) -> list[EncodedMessage]:
        """What happened at a table after a version, told anew."""
        table, told = Table(name), []
        for entry in await self.event_log(name):
            if entry.version > until:
                break
            table.apply(entry)
            if entry.version > after:
                told.append(encode_latest(table, audience))
        return told

    def fall_behind(self, name: str | None = None, version: float = inf) -> None:
        """Another process has kept this version of a table, or who knows what of any table."""
        for loaded in self.loaded.values() if name is None else [self.loaded.get(name)]:
            if loaded is not None and loaded.told < version:
                loaded.behind = True

    async def compare(self) -> None:
        """Fall behind where the journal has more: another process may have died between keeping and telling."""
        if not self._shared:
            return
        followed = [name for name, loaded in self.loaded.items() if loaded.subscribers]
        for name, version in (await self.store.versions(followed)).items():
            self.fall_behind(name, version)

    def subscribers(self, name: str) -> Sequence[Subscriber]:
        """Those who listen to a table here."""
        return self.loaded[name].subscribers if name in self.loaded else ()

    def streams(self) -> int:
        return sum(len(loaded.subscribers) for loaded in self.loaded.values())

    def hang_up(self) -> None:
        """End every stream."""
        for loaded in self.loaded.values():
            for subscriber in loaded.subscribers:
                subscriber.hang_up()

    def unload(self, since: float) -> None:
        """Let go of the tables that nobody has used since a moment of the monotonic clock."""
        for name, loaded in list(self.loaded.items()):
            if loaded.used < since and not loaded.subscribers and not loaded.lock.locked():
                del self.loaded[name]

    @asynccontextmanager
    async def _locked(self, name: str) -> AsyncIterator[LoadedTable]:
        loaded = self.loaded.get(name)
        if loaded is None:
            entries = await self.event_log(name)
            # Somebody else may have loaded it meanwhile.
            loaded = self.loaded.setdefault(name, LoadedTable(Table.replay(name, entries)))
        async with loaded.lock:
            loaded.used = time.monotonic()
            if self._shared or loaded.lags:
                await self._catch_up(loaded)
            yield loaded

    async def _catch_up(self, loaded: LoadedTable) -> None:
        """Let happen what was kept and has not happened here."""
        # Whoever rings while the journal is read may mean more than is in it: then we are behind again.
        loaded.behind = False
        try:
            entries = await self.store.read(
                loaded.table.id, 0 if loaded.spoilt else loaded.table.version
            )
        except BaseException:
            loaded.behind = True
            raise
        table = Table(loaded.table.id) if loaded.spoilt else loaded.table
        for entry in entries:
            table.apply(entry)
            if entry.version > loaded.told:
                self._tell(loaded, entry.version, encode_for(table, loaded.subscribers))
        loaded.table, loaded.spoilt = table, False

    async def _try(self, loaded: LoadedTable, decide: Command) -> Refused | None:
        """Let the table decide, keep what it says, and tell; until it is kept, the table is spoilt."""
        entries: list[LogEntry] = []
        news: list[dict[Audience, EncodedMessage]] = []
        refusal = None
        # One moment for all of it: nobody moves after their flag has fallen.
        now = self.now()
        advance = partial(Table.advance, now=now, rng=self._rng)
        try:
            for step in (advance, decide, advance, advance):
                for event in step(loaded.table):
                    if isinstance(event, Rematched):
                        await self.open(event.table, loaded.table.rematch())
                    loaded.spoilt = True
                    entries.append(_happen(loaded.table, event, now))
                    news.append(encode_for(loaded.table, loaded.subscribers))
        except Refused as refused:
            refusal = refused
        if not entries:
            return refusal
        with suppress(VersionConflict):
            await self.store.append(loaded.table.id, entries, loaded.table.status)
            loaded.spoilt = False
            for entry, told in zip(entries, news, strict=True):
                self._tell(loaded, entry.version, told)
            for call in self.after_act:
                call(loaded.table, entries)
        return refusal

    def _tell(
        self, loaded: LoadedTable, version: int, told: dict[Audience, EncodedMessage]
    ) -> None:
        loaded.told = version
        for subscriber in loaded.subscribers:
            subscriber.tell(told[subscriber.audience])


def _happen(table: Table, event: AnyEvent, now: Millis) -> LogEntry:
    last = 0 if table.last is None else table.last.at
    entry = LogEntry(table.version + 1, max(now, last), event)
    table.apply(entry)
    return entry
