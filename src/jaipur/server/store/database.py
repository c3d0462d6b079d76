"""The database of the event store: an SQLite file or a PostgreSQL server, opened by URL and migrated.

`Work` is a function that takes a connection. With PostgreSQL it runs on the event loop. With SQLite it runs in a
thread, and only one of the threads writes. This needs one thread switch per transaction, while an asynchronous driver
for SQLite needs one per statement.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Protocol, TypeVar

import sqlalchemy as sa

from jaipur.server.store.append import Append, append_in_one, append_in_steps
from jaipur.server.store.database_file import DatabaseFile
from jaipur.server.store.schema import StoreError, migrate

T = TypeVar("T")
Work = Callable[[sa.Connection], T]

READERS = 4
CONNECT_TIMEOUT = 5.0
"""The maximum seconds to wait for a file lock, or for a connection to a database server."""
STATEMENT_TIMEOUT = 20.0
"""The maximum seconds to wait for the result of a statement."""


class Database(Protocol):
    """Runs work on its own connections. Every failure raises `StoreError`.

    In `read_one_state`, all statements see the same state of the database, even if others write to it.
    When `write` or `append` returns, the data is durable. If they fail, the data may or may not be written.
    """

    async def read(self, work: Work[T]) -> T: ...
    async def read_one_state(self, work: Work[T]) -> T: ...
    async def write(self, work: Work[T]) -> T: ...
    async def append(self, appends: Sequence[Append]) -> set[str]: ...
    async def close(self) -> None: ...


def connect(url: str) -> Database:
    """Connect to `sqlite:///path` or `postgresql://user:password@host/name`. The schema is not checked."""
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        parsed = sa.URL.create("nothing")
    if parsed.drivername == "sqlite":
        return SqliteDatabase(parsed)
    if parsed.drivername in ("postgresql", "postgres"):
        return PostgresDatabase(parsed)
    raise StoreError(
        "A database is given as sqlite:///path/to/file or postgresql://user:password@host/name."
    )


async def open_database(url: str) -> Database:
    """Open a database and migrate it to the newest schema."""
    database = connect(url)
    try:
        await database.write(migrate)
    except TypeError as error:  # the driver raises this for an unknown option
        await database.close()
        raise StoreError(f"The URL of the database has an unknown option: {error}.") from None
    except StoreError:
        await database.close()
        raise
    return database


@contextmanager
def _store_errors(name: str, *others: type[Exception]) -> Iterator[None]:
    failures: tuple[type[Exception], ...] = (sa.exc.SQLAlchemyError, OSError, *others)
    try:
        yield
    except failures as error:
        # Leave out the cause, because the details of some database errors contain the row that could not be written.
        raise StoreError(f"The database {name} cannot be used: {_reason(error)}.") from None


def _reason(error: Exception) -> str:
    """Return the first line of an error. If the error is about a wrong value, return only its class.

    The message of such an error contains the value.
    """
    cause = getattr(error, "orig", None) or error
    wrong_value = isinstance(cause.__cause__, ValueError) or str(
        getattr(cause, "sqlstate", "")
    ).startswith("22")
    text = "" if wrong_value else str(cause).strip()
    return (text or type(error).__name__).splitlines()[0].rstrip(".")


class SqliteDatabase:
    """An SQLite file in write-ahead mode. When a commit returns, its data is on the disk."""

    def __init__(self, url: sa.URL) -> None:
        if url.database in (None, "", ":memory:"):
            raise StoreError("An SQLite database needs a file: sqlite:///path/to/file.")
        if url.query:
            raise StoreError(
                "The URL of an SQLite database has no options, that is, nothing after “?”."
            )
        self._name = str(url.database)
        with _store_errors(self._name):
            self._file = DatabaseFile(self._name)
        self._engine = sa.create_engine(
            url,
            pool_size=READERS + 1,
            max_overflow=0,
            hide_parameters=True,
            connect_args={"isolation_level": None, "timeout": CONNECT_TIMEOUT},
        )
        sa.event.listen(self._engine, "connect", _configure)
        self._readers = ThreadPoolExecutor(READERS, "store-reader")
        self._writer = ThreadPoolExecutor(1, "store-writer")
        self._connection: sa.Connection | None = None

    async def read(self, work: Work[T]) -> T:
        with _store_errors(self._name, sqlite3.Error):
            return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def read_one_state(self, work: Work[T]) -> T:
        return await self.read(partial(_in_transaction, work=work))

    async def write(self, work: Work[T]) -> T:
        with _store_errors(self._name, sqlite3.Error):
            return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    async def append(self, appends: Sequence[Append]) -> set[str]:
        return await self.write(partial(append_in_steps, appends=appends))

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _read(self, work: Work[T]) -> T:
        self._file.check()
        with self._engine.connect() as connection:
            return work(connection)

    def _write(self, work: Work[T]) -> T:
        self._file.check()
        # Keep the connection. Getting a connection from the pool would take a third of the time of a small commit.
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            with self._connection.begin():
                # Begin the transaction here, because the driver does not. IMMEDIATE excludes other writers at once.
                driver = self._connection.connection.driver_connection
                assert driver is not None
                driver.execute("BEGIN IMMEDIATE")
                self._file.check_all()
                result = work(self._connection)
            self._file.check_all()
            return result
        except BaseException:
            self._drop_connection()
            raise

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _close(self) -> None:
        self._readers.shutdown()
        self._writer.shutdown()
        self._drop_connection()
        self._engine.dispose()


def _in_transaction(connection: sa.Connection, work: Work[T]) -> T:
    """Run a `Work` function in a read transaction of SQLite. It sees the state at its first statement."""
    with connection.begin():
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute("BEGIN")
        return work(connection)


def _configure(connection: sqlite3.Connection, _record: object) -> None:
    deadline = time.monotonic() + CONNECT_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # SQLite does not always wait for the lock that this statement needs. Therefore wait here.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


class PostgresDatabase:
    """A database on a PostgreSQL server. Other processes may use it at the same time."""

    def __init__(self, url: sa.URL) -> None:
        try:
            import asyncpg  # type: ignore[import-untyped]  # noqa: PLC0415  # optional, without types
            from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415  # optional, slow
        except ImportError:
            raise StoreError("PostgreSQL needs an extra: pip install 'jaipur[hosting]'.") from None
        self._name = url.set(query={}).render_as_string(hide_password=True)
        self._failures = (asyncpg.PostgresError, asyncpg.InterfaceError)
        # asyncpg calls the option `ssl`; other programs call it `sslmode`.
        query = {"ssl" if key == "sslmode" else key: value for key, value in url.query.items()}
        self._engine = create_async_engine(
            url.set(drivername="postgresql+asyncpg", query=query),
            pool_size=READERS + 1,
            max_overflow=0,
            hide_parameters=True,
            connect_args={"timeout": CONNECT_TIMEOUT, "command_timeout": STATEMENT_TIMEOUT},
        )
        self._autocommit = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    async def read(self, work: Work[T]) -> T:
        try:
            return await self._run_autocommit(work)
        except StoreError:  # the server may have closed an idle connection
            return await self._run_autocommit(work)

    async def _run_autocommit(self, work: Work[T]) -> T:
        """Run a `Work` function. Each of its statements is its own transaction."""
        with _store_errors(self._name, *self._failures):
            async with self._autocommit.connect() as connection:
                return await connection.run_sync(work)

    async def read_one_state(self, work: Work[T]) -> T:
        with _store_errors(self._name, *self._failures):
            async with self._engine.connect() as connection:
                await connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
                return await connection.run_sync(work)

    async def write(self, work: Work[T]) -> T:
        with _store_errors(self._name, *self._failures):
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)

    async def append(self, appends: Sequence[Append]) -> set[str]:
        # Do not retry, because the data may be written although the connection was lost.
        return await self._run_autocommit(partial(append_in_one, appends=appends))

    async def close(self) -> None:
        await self._engine.dispose()
