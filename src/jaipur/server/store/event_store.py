"""The event logs of tables in a database.

Appends are committed in batches: appends that arrive during a commit share the next transaction. Each append still
succeeds or fails on its own, and returns when its entries are durable.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import sqlalchemy as sa
from msgspec import DecodeError, ValidationError
from msgspec.json import Decoder, Encoder

from jaipur.server.store import retention, schema, snapshots
from jaipur.server.store.append import Append
from jaipur.server.store.database import Database, open_database
from jaipur.server.store.schema import Row, StoreError
from jaipur.server.store.write_probe import WriteProbe
from jaipur.table.events import AnyEvent, LogEntry, Opened
from jaipur.table.options import Millis
from jaipur.table.snapshot import Snapshot
from jaipur.table.state import DamagedLog, TableStatus

__all__ = ["EventStore", "StoreError", "VersionConflict", "open_event_store"]

Observe = Callable[[float, int], None]
"""A function that is called after each commit, with the duration of the slowest append and the number of appends."""

BATCH_SIZE = 64
MAX_PARAMETERS = 1000
"""A statement that reads versions has at most this many tables."""

_encode = Encoder().encode
_decode: Decoder[AnyEvent] = Decoder(AnyEvent)


class VersionConflict(Exception):  # noqa: N818  # an answer, not a failure
    """Another writer has already stored this version of the table. Nothing was written."""


@dataclass(slots=True)
class _Pending(Append):
    """An append in the queue. Its caller waits for the result."""

    done: asyncio.Future[None]
    since: float

    def resolve(self, error: Exception | None) -> None:
        if self.done.done():  # the caller was cancelled
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


async def open_event_store(url: str, *, observe: Observe | None = None) -> "EventStore":
    """Open `sqlite:///path` or `postgresql://user:password@host/name`. Raise `StoreError` if it cannot be opened."""
    return EventStore(await open_database(url), observe=observe)


class EventStore:
    """Stores the event logs of tables in a database. Other processes may write to the same database."""

    def __init__(self, database: Database, *, observe: Observe | None = None) -> None:
        self._database = database
        self._observe = observe
        self._queue: deque[_Pending] = deque()
        self._arrived = asyncio.Event()
        self._closing = False
        self._probe = WriteProbe(lambda: database.write(schema.try_write))
        self._writer = asyncio.create_task(self._write_batches())

    async def append(self, table: str, entries: Sequence[LogEntry], status: TableStatus) -> None:
        """Append all entries or none. When this returns, the entries are durable.

        The first version is 1. Raise `VersionConflict` if one of the versions exists already. Await an append before
        the next append to the same table. After a `StoreError` or a cancellation, the entries may or may not be stored.
        The caller must then read the table again.
        """
        versions = [entry.version for entry in entries]
        assert versions == list(range(versions[0], versions[0] + len(versions))), versions
        assert versions[0] > 0, versions
        assert _is_valid_id(table), table
        if self._closing:
            raise StoreError("The event store is closed.")
        rows = [
            Row(table_id=table, version=e.version, at=e.at, event=_encode(e.event).decode())
            for e in entries
        ]
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(_Pending(rows, status, owner_of(entries[0]), done, time.perf_counter()))
        self._arrived.set()
        await done

    async def read(
        self, table: str, after: int = 0, limit: int = schema.NO_LIMIT
    ) -> list[LogEntry]:
        """Return the first `limit` entries with a version above `after`, in order. Unknown tables have no entries."""
        if not _is_valid_id(table):
            return []
        return await self._database.read(
            partial(read_entries, table=table, after=after, limit=limit)
        )

    async def read_snapshot(self, table: str, version: int, until: Millis) -> Snapshot | None:
        """Return the newest snapshot of a table that is not newer than this version and this time."""
        work = partial(snapshots.read, table=table, version=version, until=until)
        return await self._database.read(work)

    async def write_snapshot(self, table: str, snapshot: Snapshot) -> None:
        await self._database.write(partial(snapshots.write, table=table, snapshot=snapshot))

    async def versions(self, tables: Sequence[str]) -> dict[str, int]:
        """Return the last version of each of these tables. Unknown tables are left out."""
        found: dict[str, int] = {}
        for start in range(0, len(tables), MAX_PARAMETERS):
            some = tables[start : start + MAX_PARAMETERS]
            found |= await self._database.read(partial(schema.versions, ids=some))
        return found

    async def due(
        self, now: Millis, limit: int, after: tuple[Millis, str] = (-1, "")
    ) -> list[tuple[Millis, str]]:
        """Return the due times and ids of the first tables after `after` that are due at `now`, in order."""
        values = {"now": now, "limit": limit, "after_due": after[0], "after_id": after[1]}
        return await self._database.read(
            lambda connection: [
                (due, table) for due, table in connection.execute(schema.DUE, values)
            ]
        )

    async def last_event(self) -> Millis | None:
        """Return the time of the newest entry of all tables, or None if there is no table."""
        newest = sa.select(sa.func.max(schema.tables.c.touched_at))
        return await self._database.read(lambda connection: connection.scalar(newest))

    async def waiting_for_computers(self) -> list[str]:
        """Return the tables at which it is the turn of a computer player, oldest first."""
        return await self._database.read(
            lambda connection: list(connection.scalars(schema.COMPUTERS))
        )

    async def count_unfinished(self, owner: str) -> int:
        """Return the number of unfinished tables of a visitor."""
        return await self._database.read(
            lambda connection: connection.scalar(schema.COUNT_UNFINISHED, {"owner": owner}) or 0
        )

    async def delete_unjoined(self, before: Millis, limit: int) -> int:
        """Delete some tables in the phase `open` whose last entry is older than `before`. Return their number."""
        times = {"before": before, "limit": limit}
        return await self._database.write(
            lambda connection: connection.execute(schema.DELETE_UNJOINED, times).rowcount
        )

    async def delete_finished(self, before: Millis) -> list[str] | None:
        """Delete some finished games whose last entry is older than `before`.

        Return their ids, or None if there are no such games.
        """
        return await self._database.write(partial(retention.delete_finished, before=before))

    async def ping(self) -> None:
        """Raise `StoreError` if the database does not respond."""
        await self._database.read(lambda connection: connection.scalar(sa.select(1)))

    async def check_writable(self) -> None:
        """Raise `StoreError` if the database does not respond or cannot be written.

        Calls within a few seconds share the result of one small write.
        """
        await self.ping()
        await self._probe.check()

    async def close(self) -> None:
        """Finish the pending appends and close the database."""
        self._closing = True
        self._arrived.set()
        await self._writer
        await self._database.close()

    async def _write_batches(self) -> None:
        while self._queue or not self._closing:
            if not self._queue:
                self._arrived.clear()
                await self._arrived.wait()
                continue
            batch = self._next_batch()
            try:
                await self._write(batch)
            # Pass the error to the waiting callers, and continue with the next batch.
            except Exception as error:
                for pending in batch:
                    pending.resolve(error)

    def _next_batch(self) -> list[_Pending]:
        """Return the oldest appends, at most one per table. A second append depends on the result of the first."""
        batch: dict[str, _Pending] = {}
        while self._queue and len(batch) < BATCH_SIZE and self._queue[0].table not in batch:
            pending = self._queue.popleft()
            batch[pending.table] = pending
        return list(batch.values())

    async def _write(self, batch: list[_Pending]) -> None:
        try:
            await self._commit(batch, unsure=False)
        except StoreError:
            self._probe.expire()
            await self._write_singly(batch)

    async def _write_singly(self, batch: list[_Pending]) -> None:
        """Repeat the appends of a failed batch one by one. Then one bad append does not make the others fail."""
        for at, pending in enumerate(batch):
            try:
                await self._commit([pending], unsure=True)
            except StoreError as error:
                pending.resolve(error)
                try:
                    await self.ping()
                except StoreError as outage:
                    for other in batch[at + 1 :]:
                        other.resolve(outage)
                    return

    async def _commit(self, batch: list[_Pending], unsure: bool) -> None:
        written = await self._database.append(batch)
        for pending in batch:
            stored = pending.table in written
            if unsure and not stored:
                stored = await self._database.read(pending.is_written)
            pending.resolve(None if stored else VersionConflict())
        if self._observe is not None:
            self._observe(time.perf_counter() - batch[0].since, len(batch))


def owner_of(entry: LogEntry) -> str | None:
    """If the entry opens a table, return the digest of the first person's secret."""
    if not isinstance(entry.event, Opened):
        return None
    return next((chair.secret for chair in entry.event.chairs if chair.player == "person"), None)


def _is_valid_id(table: str) -> bool:
    return table.isascii() and table.isprintable()


def read_entries(connection: sa.Connection, table: str, after: int, limit: int) -> list[LogEntry]:
    """Return the first entries with a version above `after`. Raise `DamagedLog` for a gap or an unreadable entry."""
    found = []
    for expected, (version, at, event) in enumerate(
        schema.read(connection, table, after, limit), after + 1
    ):
        if version != expected:
            raise DamagedLog(table, f"it has no version {expected}")
        try:
            found.append(LogEntry(version, at, _decode.decode(event)))
        except (DecodeError, ValidationError) as error:
            # The message of the error may contain a part of the event.
            reason = type(error).__name__
            raise DamagedLog(table, f"version {version} cannot be read ({reason})") from None
    return found
