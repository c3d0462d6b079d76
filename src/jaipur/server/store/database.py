"""Where the journals lie: an SQLite file or a PostgreSQL server, opened by URL and brought to the newest schema.

Work is a plain function of a connection. For SQLite it runs in threads, one of which writes: one hop for a whole
transaction, where an asynchronous driver takes one for each step. For PostgreSQL it runs on the event loop.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import sqlalchemy as sa

from jaipur.server.store.append import Addition, add_at_once, add_in_steps
from jaipur.server.store.migrations import migrate
from jaipur.server.store.schema import StoreError

T = TypeVar("T")
Work = Callable[[sa.Connection], T]

READERS = 4
PATIENCE = 5.0
"""Seconds to wait for a lock on a file, or for a server to be reached."""
ANSWER = 20.0
"""Seconds to wait for the answer to a statement."""


class Database(Protocol):
    """Runs work on connections of its own; whatever fails is a `StoreError`.

    What was written is durable when `write` or `add` returns; when it fails, nobody knows whether it is there.
    """

    async def read(self, work: Work[T]) -> T: ...
    async def write(self, work: Work[T]) -> T: ...
    async def add(self, additions: Sequence[Addition]) -> set[str]: ...
    async def close(self) -> None: ...


async def open_database(url: str) -> Database:
    """The database at `sqlite:///path` or `postgresql://user:password@host/name`, at the newest schema."""
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        parsed = sa.URL.create("nothing")
    database: Database
    if parsed.drivername == "sqlite":
        database = Sqlite(parsed)
    elif parsed.drivername in ("postgresql", "postgres"):
        database = Postgres(parsed)
    else:
        raise StoreError(
            "A storage is given as sqlite:///path/to/file or as postgresql://user:password@host/name."
        )
    try:
        await database.write(migrate)
    except TypeError as error:  # what the driver makes of an option it does not know
        await database.close()
        raise StoreError(f"The URL of the storage has an unknown option: {error}.") from error
    except StoreError:
        await database.close()
        raise
    return database


@contextmanager
def _told(name: str, *others: type[Exception]) -> Iterator[None]:
    failures: tuple[type[Exception], ...] = (sa.exc.SQLAlchemyError, OSError, *others)
    try:
        yield
    except failures as error:
        said = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
        reason = said.splitlines()[0].rstrip(".")
        raise StoreError(f"The storage {name} cannot be used: {reason}.") from error


class Sqlite:
    """A file, in write-ahead mode; a commit is on the disk before it returns."""

    def __init__(self, url: sa.URL) -> None:
        if url.database in (None, "", ":memory:"):
            raise StoreError("An SQLite storage needs a file: sqlite:///path/to/file.")
        self._name = str(url.database)
        folder = Path(self._name).resolve().parent
        if not folder.is_dir():
            raise StoreError(
                f"The storage {self._name} cannot be used: there is no folder {folder}."
            )
        self._keep_to_ourselves()
        self._engine = sa.create_engine(
            url,
            pool_size=READERS + 1,
            max_overflow=0,
            hide_parameters=True,
            connect_args={"isolation_level": None, "timeout": PATIENCE},
        )
        sa.event.listen(self._engine, "connect", _set_up)
        self._readers = ThreadPoolExecutor(READERS, "journal-reader")
        self._writer = ThreadPoolExecutor(1, "journal-writer")
        self._connection: sa.Connection | None = None

    def _keep_to_ourselves(self) -> None:
        """The file holds every hidden card: nobody else on this machine reads it, nor what lies beside it."""
        with _told(self._name):
            Path(self._name).touch(mode=0o600)

    async def read(self, work: Work[T]) -> T:
        with _told(self._name, sqlite3.Error):
            return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def write(self, work: Work[T]) -> T:
        with _told(self._name, sqlite3.Error):
            return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    async def add(self, additions: Sequence[Addition]) -> set[str]:
        return await self.write(partial(add_in_steps, additions=additions))

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _read(self, work: Work[T]) -> T:
        with self._engine.connect() as connection:
            return work(connection)

    def _write(self, work: Work[T]) -> T:
        # A third of the time of a small commit would go into taking a connection and giving it back.
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            with self._connection.begin():
                # The driver opens no transaction by itself. This one is the only writer from its first step.
                driver = self._connection.connection.driver_connection
                assert driver is not None
                driver.execute("BEGIN IMMEDIATE")
                return work(self._connection)
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _close(self) -> None:
        self._readers.shutdown()
        self._writer.shutdown()
        self._let_go()
        self._engine.dispose()


def _set_up(connection: sqlite3.Connection, _record: object) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # SQLite itself does not always wait for this lock.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


class Postgres:
    """A server that others may use at the same time."""

    def __init__(self, url: sa.URL) -> None:
        try:
            import asyncpg  # type: ignore[import-untyped]  # noqa: PLC0415  # optional, without types
            from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415  # optional, slow
        except ImportError:
            raise StoreError("PostgreSQL needs an extra: pip install 'jaipur[hosting]'.") from None
        self._name = url.set(query={}).render_as_string(hide_password=True)
        self._failures = (asyncpg.PostgresError, asyncpg.InterfaceError)
        # What other programs call sslmode, this driver calls ssl.
        query = {"ssl" if key == "sslmode" else key: value for key, value in url.query.items()}
        self._engine = create_async_engine(
            url.set(drivername="postgresql+asyncpg", query=query),
            pool_size=READERS + 1,
            max_overflow=0,
            hide_parameters=True,
            connect_args={"timeout": PATIENCE, "command_timeout": ANSWER},
        )
        self._each_alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    async def read(self, work: Work[T]) -> T:
        try:
            return await self._run_alone(work)
        except StoreError:  # the server may have closed this connection long ago
            return await self._run_alone(work)

    async def _run_alone(self, work: Work[T]) -> T:
        """Work in which every statement is a transaction by itself."""
        with _told(self._name, *self._failures):
            async with self._each_alone.connect() as connection:
                return await connection.run_sync(work)

    async def write(self, work: Work[T]) -> T:
        with _told(self._name, *self._failures):
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)

    async def add(self, additions: Sequence[Addition]) -> set[str]:
        # Not tried again by itself: it may be there, although the connection was lost.
        return await self._run_alone(partial(add_at_once, additions=additions))

    async def close(self) -> None:
        await self._engine.dispose()
