"""Keeps the journals of tables in a database: the `EventStore` of a server.

Appends are committed in groups: while one commit is under way the next ones gather, and all of them share a single
transaction. Each still succeeds or fails for itself, and returns once it is durable.
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

from jaipur.server.store import schema
from jaipur.server.store.append import Addition
from jaipur.server.store.database import Database, open_database
from jaipur.server.store.schema import Row, StoreError
from jaipur.table.events import AnyEvent, LogEntry
from jaipur.table.options import Millis
from jaipur.table.store import TableStatus, VersionConflict

__all__ = ["SqlEventStore", "StoreError", "open_event_store"]

Observe = Callable[[float, int], None]
"""Told after each commit: the seconds its longest-waiting append took, and how many appends it held."""

GROUP = 64
AT_ONCE = 1000
"""Tables whose versions are asked for in one statement; no database takes any number of them."""

_encode = Encoder().encode
_decode: Decoder[AnyEvent] = Decoder(AnyEvent)


@dataclass(slots=True)
class _Waiting:
    """An append somebody waits for."""

    addition: Addition
    done: asyncio.Future[None]
    since: float

    def tell(self, error: Exception | None) -> None:
        if self.done.done():  # who asked has gone away
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


async def open_event_store(url: str, *, observe: Observe | None = None) -> "SqlEventStore":
    """The storage at `sqlite:///path` or `postgresql://user:password@host/name`, or a `StoreError`."""
    database = await open_database(url)
    return SqlEventStore(database, observe=observe)


class SqlEventStore:
    """A `EventStore` over a database, which other processes may write too."""

    def __init__(self, database: Database, *, observe: Observe | None = None) -> None:
        self._database = database
        self._observe = observe
        self._queue: deque[_Waiting] = deque()
        self._arrived = asyncio.Event()
        self._closing = False
        self._writing = asyncio.create_task(self._write_groups())

    async def append(self, table: str, entries: Sequence[LogEntry], status: TableStatus) -> None:
        """See `EventStore`. Wait for one append to a table before the next.

        After a `StoreError`, or when cancelled, nobody knows whether it was written: read the table again.
        """
        versions = [entry.version for entry in entries]
        assert versions == list(range(versions[0], versions[0] + len(versions))), versions
        assert versions[0] > 0, versions
        assert _can_be_a_name(table), table
        if self._closing:
            raise StoreError("The storage is closed.")
        rows: list[Row] = [
            {
                "table_id": table,
                "version": e.version,
                "at": e.at,
                "event": _encode(e.event).decode(),
            }
            for e in entries
        ]
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(_Waiting(Addition(rows, status), done, time.perf_counter()))
        self._arrived.set()
        await done

    async def read(self, table: str, after: int = 0) -> list[LogEntry]:
        """See `EventStore`."""
        if not _can_be_a_name(table):
            return []
        return await self._database.read(partial(_entries, table=table, after=after))

    async def versions(self, tables: Sequence[str]) -> dict[str, int]:
        """See `EventStore`."""
        found: dict[str, int] = {}
        for start in range(0, len(tables), AT_ONCE):
            some = tables[start : start + AT_ONCE]
            found |= await self._database.read(partial(schema.versions, ids=some))
        return found

    async def due(self, now: Millis) -> list[str]:
        """See `EventStore`; the longest waiting first."""
        return await self._database.read(partial(schema.due, now=now))

    async def waiting_for_computers(self) -> list[str]:
        """See `EventStore`; the longest waiting first."""
        return await self._database.read(schema.waiting_for_computers)

    async def sweep(self, before: Millis) -> int:
        """See `EventStore`."""
        return await self._database.write(partial(schema.sweep, before=before))

    async def ping(self) -> None:
        """`StoreError` where the database does not answer."""
        await self._database.read(_ask)

    async def close(self) -> None:
        """Finish what was asked for, and let go of the database."""
        self._closing = True
        self._arrived.set()
        await self._writing
        await self._database.close()

    async def _write_groups(self) -> None:
        while self._queue or not self._closing:
            if not self._queue:
                self._arrived.clear()
                await self._arrived.wait()
                continue
            group = self._next_group()
            try:
                await self._write(group)
            except (
                Exception
            ) as error:  # whatever it is, nobody waits for ever and the next group gets its turn
                for waiting in group:
                    waiting.tell(error)

    def _next_group(self) -> list[_Waiting]:
        """Those who wait longest, one for each table; a second one waits for what becomes of the first."""
        group: dict[str, _Waiting] = {}
        while self._queue and len(group) < GROUP and self._queue[0].addition.table not in group:
            waiting = self._queue.popleft()
            group[waiting.addition.table] = waiting
        return list(group.values())

    async def _write(self, group: list[_Waiting]) -> None:
        try:
            await self._commit(group, unsure=False)
        except StoreError:
            await self._write_singly(group)

    async def _write_singly(self, group: list[_Waiting]) -> None:
        """Try again after a failure, each alone, so that one nobody can write harms no other."""
        for at, waiting in enumerate(group):
            try:
                await self._commit([waiting], unsure=True)
            except StoreError as error:
                waiting.tell(error)
                try:
                    await self.ping()
                except StoreError as trouble:
                    for other in group[at + 1 :]:
                        other.tell(trouble)
                    return

    async def _commit(self, group: list[_Waiting], unsure: bool) -> None:
        taken = await self._database.add([waiting.addition for waiting in group])
        for waiting in group:
            addition = waiting.addition
            kept = addition.table in taken or (
                unsure and await self._database.read(addition.is_written)
            )
            waiting.tell(None if kept else VersionConflict())
        if self._observe is not None:
            self._observe(time.perf_counter() - group[0].since, len(group))


def _can_be_a_name(table: str) -> bool:
    return table.isascii() and table.isprintable()


def _ask(connection: sa.Connection) -> None:
    connection.scalar(sa.select(1))


def _entries(connection: sa.Connection, table: str, after: int) -> list[LogEntry]:
    found = []
    for expected, (version, at, event) in enumerate(
        schema.read(connection, table, after), after + 1
    ):
        if version != expected:
            raise StoreError(f"The journal of table {table} has no version {expected}.")
        try:
            found.append(LogEntry(version, at, _decode.decode(event)))
        except (DecodeError, ValidationError) as error:
            raise StoreError(
                f"Version {version} of table {table} cannot be read: {error}."
            ) from error
    return found
