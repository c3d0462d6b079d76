"""A store that cannot write: the file is gone, the disk is full, a write hangs. Errors contain no stored values."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from command import jaipur
from jaipur.server.store import write_probe
from jaipur.server.store.database import Work
from jaipur.server.store.event_store import StoreError, open_event_store
from jaipur.table.events import Chair, Dealt, LogEntry, Opened, Played
from jaipur.table.options import TableOptions
from jaipur.table.state import TableStatus
from server.services import Postgres
from server.serving import open_table, run_in_thread, two_players
from server.waiting import LIMIT

pytestmark = pytest.mark.anyio

RUNNING = TableStatus("running", computer=False, due=None)
OPENED = LogEntry(1, 1, Opened((Chair(), Chair()), TableOptions()))
MOVE = LogEntry(2, 2, Played(0, "+D"))
FULL_DISK = (
    "CREATE TRIGGER full BEFORE INSERT ON tables BEGIN SELECT RAISE(ABORT, 'disk full'); END"
)


def delete(file: Path) -> None:
    file.unlink()


def replace(file: Path) -> None:
    copy = file.with_suffix(".copy")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)


def delete_wal(file: Path) -> None:
    Path(f"{file}-wal").unlink()


def replace_wal(file: Path) -> None:
    replace(Path(f"{file}-wal"))


def run_sql(file: Path, sql: str) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute(sql)
    connection.close()


@pytest.mark.parametrize("change", [delete, replace, delete_wal, replace_wal])
async def test_a_write_to_a_deleted_or_replaced_file_is_not_acknowledged(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    file = tmp_path / "events.db"
    store = await open_event_store(f"sqlite:///{file}")
    await store.append("one", [OPENED], RUNNING)
    change(file)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"deleted or replaced .* restart the server"):
            await store.append("one", [MOVE], RUNNING)
        with pytest.raises(StoreError, match=r"deleted or replaced|I/O error"):
            await store.check_writable()
    assert change is not delete or not file.exists(), "no empty database takes its place"
    await store.close()


def test_a_move_is_refused_while_the_database_file_is_gone(tmp_path: Path) -> None:
    with run_in_thread(tmp_path) as host:
        clients = two_players(host.http)
        table = clients[0].get_table()
        mover = clients[table["turn"]]
        move = mover.get_table()["moves"][0]
        aside = host.database.rename(tmp_path / "aside")
        response = mover.play(move, table["version"])
        assert (response.status_code, response.json()["code"]) == (503, "unavailable")
        assert host.http.get("/ready").status_code == 503
        assert host.http.get("/health").status_code == 200
        aside.rename(host.database)
        mover.play(move, table["version"]).raise_for_status()
        assert host.http.get("/ready").status_code == 200


async def test_a_server_with_a_damaged_database_ends_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    await (await open_event_store(f"sqlite:///{file}")).close()
    run_sql(file, "DROP TABLE tables")
    done = jaipur("serve", "--port", "0", "--database", f"sqlite:///{file}")
    assert done.returncode > 0
    assert f"The database {file} cannot be used: no such table" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_that_cannot_write_is_not_ready(tmp_path: Path) -> None:
    with run_in_thread(tmp_path) as host:
        run_sql(host.database, FULL_DISK)
        assert host.http.get("/ready").status_code == 503
        run_sql(host.database, "DROP TRIGGER full")
        assert host.http.get("/ready").status_code == 200
        # The last write counts for some seconds, unless a later one fails.
        run_sql(host.database, FULL_DISK)
        assert host.http.get("/ready").status_code == 200
        with pytest.raises(Exception, match="503"):
            open_table(host.http, "friend")
        assert host.http.get("/ready").status_code == 503


async def test_readiness_writes_rarely_and_leaves_nothing(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_event_store(database_url)
    write, writes = store._database.write, 0

    async def count(work: Work[None]) -> None:
        nonlocal writes
        writes += 1
        await write(work)

    monkeypatch.setattr(store._database, "write", count)
    await asyncio.gather(*(store.check_writable() for _ in range(20)))
    await store.check_writable()
    assert writes == 1
    sql = "SELECT count(*) FROM tables"
    assert await store._database.read(lambda c: c.exec_driver_sql(sql).scalar()) == 0
    await store.close()


async def test_a_write_that_hangs_is_reported_and_not_repeated(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_probe, "PROBE_TIMEOUT", 0.01)
    store = await open_event_store(sqlite_url)
    write, writes, continued = store._database.write, 0, asyncio.Event()

    async def hang(work: Work[None]) -> None:
        nonlocal writes
        writes += 1
        await continued.wait()
        await write(work)

    monkeypatch.setattr(store._database, "write", hang)
    for _ in range(3):
        with pytest.raises(StoreError, match="does not finish a write"):
            await store.check_writable()
    assert writes == 1
    continued.set()
    monkeypatch.setattr(write_probe, "PROBE_TIMEOUT", LIMIT)
    await store.check_writable()
    await store.close()


@pytest.mark.parametrize(
    ("sql", "secret"),
    [
        # The details of this error contain the whole row.
        ("ALTER TABLE entries ADD CHECK (length(event) < 9)", "ZZZdealZZZ"),
        # The first line of this error contains the value.
        ("ALTER TABLE entries ALTER event TYPE integer USING 1", "ZZZdealZZZ"),
        # The driver raises this error: the text has no encoding.
        ("SELECT 1", "ZZZ\ud800ZZZ"),
    ],
)
async def test_errors_of_postgres_contain_no_values(
    postgres: Postgres, postgres_url: str, sql: str, secret: str
) -> None:
    store = await open_event_store(postgres_url)
    postgres.run(postgres_url, sql)
    dealt = LogEntry(1, 1, Dealt(0, secret, (), "salt"))
    with pytest.raises(Exception) as raised:  # noqa: PT011  # every error counts
        await store.append("one", [dealt], RUNNING)
    assert "ZZZ" not in str(raised.value)
    assert raised.value.__suppress_context__ or "\ud800" in secret
    await store.close()
