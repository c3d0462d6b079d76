"""Opening a database: its schema, concurrent opening, and one clear sentence if it cannot be opened."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from jaipur.server.store import database, schema
from jaipur.server.store.event_store import StoreError, open_event_store
from jaipur.table.events import Chair, LogEntry, Opened
from jaipur.table.options import TableOptions
from jaipur.table.state import DamagedLog, TableStatus
from server.services import Postgres

pytestmark = pytest.mark.anyio

OLD_DATABASE = Path(__file__).parents[1] / "fixtures" / "server-0.1" / "tables.sql"
RUNNING = TableStatus("running", computer=True, due=5)
LOG = [LogEntry(1, 1, Opened((Chair(), Chair()), TableOptions()))]


def schema_differences(connection: sa.Connection) -> list[object]:
    context = MigrationContext.configure(connection)
    found: list[object] = compare_metadata(context, schema.metadata)
    return found


async def test_a_new_database_has_the_schema(database_url: str) -> None:
    opened = await database.open_database(database_url)
    assert await opened.read(schema_differences) == []
    await opened.close()


async def test_a_database_of_version_0_1_has_the_schema_after_migration(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(OLD_DATABASE.read_text())
    connection.close()
    opened = await database.open_database(f"sqlite:///{path}")
    assert await opened.read(schema_differences) == []
    await opened.close()


@pytest.mark.parametrize("version", ["0001", "0002", "0003"])
async def test_an_older_database_gets_the_newer_tables_and_indexes(
    database_url: str, version: str
) -> None:
    store = await open_event_store(database_url)
    await store.append("one", LOG, RUNNING)
    await store.close()
    older = await database.open_database(database_url)

    def undo(connection: sa.Connection) -> None:
        connection.exec_driver_sql("DROP INDEX tables_owner")
        connection.exec_driver_sql("ALTER TABLE tables DROP COLUMN owner")
        if version < "0003":
            connection.exec_driver_sql("DROP INDEX tables_over")
        if version < "0002":
            schema.snapshots.drop(connection)
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")

    await older.write(undo)
    await older.close()
    opened = await database.open_database(database_url)
    assert await opened.read(schema_differences) == []
    await opened.close()
    again = await open_event_store(database_url)
    assert await again.read("one") == LOG
    await again.close()


async def test_a_reopened_database_has_the_same_entries(database_url: str) -> None:
    store = await open_event_store(database_url)
    await store.append("one", LOG, RUNNING)
    await store.close()
    again = await open_event_store(database_url)
    assert await again.read("one") == LOG
    await again.close()


async def test_opening_sqlite_imports_no_optional_package(sqlite_url: str) -> None:
    script = f"""
import asyncio, sys
from jaipur.server.store.event_store import open_event_store
async def main():
    await (await open_event_store({sqlite_url!r})).close()
asyncio.run(main())
assert not [name for name in ("alembic", "asyncpg", "greenlet", "redis") if name in sys.modules]
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


async def test_several_processes_open_an_empty_database_at_once(database_url: str) -> None:
    script = f"""
import asyncio
from jaipur.server.store.event_store import open_event_store
async def main():
    await (await open_event_store({database_url!r})).close()
asyncio.run(main())
"""
    command = [sys.executable, "-c", script]
    running = [await asyncio.create_subprocess_exec(*command) for _ in range(2)]
    stores = await asyncio.gather(*(open_event_store(database_url) for _ in range(2)))
    assert [await process.wait() for process in running] == [0, 0]
    await stores[0].append("one", LOG, RUNNING)
    assert await stores[1].read("one") == LOG
    for store in stores:
        await store.close()


async def test_every_lookup_uses_its_index(sqlite_url: str) -> None:
    await (await open_event_store(sqlite_url)).close()
    wanted = {
        "tables_due": schema.DUE,
        "tables_computer": schema.COMPUTERS,
        "tables_open": schema.UNJOINED,
        "tables_owner": schema.COUNT_UNFINISHED,
    }
    engine = sa.create_engine(sqlite_url)
    with engine.connect() as connection:
        for index, statement in wanted.items():
            compiled = statement.compile(engine)
            sql = f"EXPLAIN QUERY PLAN {compiled}"
            plan = connection.exec_driver_sql(sql, (1,) * sql.count("?"))
            assert index in str(plan.all())
    engine.dispose()


@pytest.mark.parametrize(
    ("revision", "sentence"),
    [("9000", r"newer version of jaipur \(its schema is 9000"), ("0000", "another program")],
)
async def test_a_database_of_another_version_or_program_is_refused(
    database_url: str, revision: str, sentence: str
) -> None:
    opened = await database.open_database(database_url)
    sql = f"UPDATE alembic_version SET version_num = '{revision}'"
    await opened.write(lambda connection: connection.exec_driver_sql(sql))
    await opened.close()
    with pytest.raises(StoreError, match=sentence):
        await open_event_store(database_url)


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ('UPDATE entries SET event = \'{"kind":"sneezed"}\'', "version 1 cannot be read"),
        ("UPDATE entries SET event = '{'", "version 1 cannot be read"),
        ("UPDATE entries SET version = 2", "it has no version 1"),
    ],
)
async def test_an_invalid_entry_is_named(database_url: str, sql: str, sentence: str) -> None:
    store = await open_event_store(database_url)
    await store.append("one", LOG, RUNNING)
    await store._database.write(lambda connection: connection.exec_driver_sql(sql))
    with pytest.raises(DamagedLog, match=f"table one is damaged: {sentence}"):
        await store.read("one")
    await store.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "mysql://localhost/jaipur",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:////no/such/folder/events.db",
        "sqlite:////proc/version",
        "sqlite:////proc",
        "postgresql://localhost:nothing/jaipur",
        "postgresql://ana:secret@localhost:1/jaipur",
        "postgresql://ana:secret@localhost:1/jaipur?colour=red",
        "postgresql://ana:secret@localhost:1/jaipur?sslmode=perhaps",
        "postgresql://ana:secret@no-such-host.invalid/jaipur",
    ],
)
async def test_a_database_that_cannot_be_opened_is_explained_in_one_sentence(url: str) -> None:
    with pytest.raises(StoreError) as error:
        await open_event_store(url)
    sentence = str(error.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert "secret" not in sentence
    assert len(sentence) < 250


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("Dear Ana, this is no database." * 100)
    with pytest.raises(StoreError, match="not a database"):
        await open_event_store(f"sqlite:///{file}")


async def test_a_missing_database_is_named(postgres: Postgres) -> None:
    url = sa.make_url(postgres.new_database()).set(database="nowhere")
    with pytest.raises(StoreError, match="nowhere"):
        await open_event_store(url.render_as_string(hide_password=False))


async def test_without_the_postgres_driver_the_error_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(StoreError, match=r"pip install 'jaipur\[hosting\]'"):
        await open_event_store("postgresql://localhost/jaipur")
