"""Backups: complete while games run, portable between databases, verified, and refused if they are damaged."""

import asyncio
import gzip
import json
import os
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event

import httpx
import pytest
import sqlalchemy as sa

from command import jaipur
from jaipur.server.store import backup, backup_file, schema
from jaipur.server.store.database import connect, open_database
from jaipur.server.store.event_store import EventStore, StoreError, open_event_store
from jaipur.table.events import LogEntry
from jaipur.table.options import Millis
from jaipur.table.table import Table
from server.serving import Client, play_game, run_server, two_players, wait_for
from table.live_table import finished_game, open_table

pytestmark = pytest.mark.anyio

NOW: Millis = 1_800_000_000_000
NAMES = [f"{number:016x}" for number in range(3)]


@contextmanager
def silent(_unit: str, _total: int) -> Iterator[Callable[[int], None]]:
    yield lambda _steps: None


async def store_games(store: EventStore) -> dict[str, list[LogEntry]]:
    """Two finished games and a running one."""
    games = [finished_game(1).entries, finished_game(2).entries, open_table().entries]
    stored = dict(zip(NAMES, games, strict=True))
    for name, entries in stored.items():
        await store.append(name, entries, Table.replay(name, entries).status)
    return stored


async def filled(url: str) -> dict[str, list[LogEntry]]:
    store = await open_event_store(url)
    try:
        return await store_games(store)
    finally:
        await store.close()


async def rows_of(url: str) -> list[list[tuple[object, ...]]]:
    """All rows of the tables and of their event logs."""

    def read(connection: sa.Connection) -> list[list[tuple[object, ...]]]:
        statements = [
            sa.select(table).order_by(*table.primary_key)
            for table in (schema.tables, schema.entries)
        ]
        return [[tuple(row) for row in connection.execute(each)] for each in statements]

    database = await open_database(url)
    try:
        return await database.read(read)
    finally:
        await database.close()


@pytest.fixture(params=["sqlite", "postgres"])
def other_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Another empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/other.db"
    url: str = request.getfixturevalue("postgres").new_database()
    return url


@pytest.fixture
async def file(sqlite_url: str, tmp_path: Path) -> Path:
    """A backup of three games."""
    await filled(sqlite_url)
    path = tmp_path / "jaipur.backup"
    await backup.back_up(sqlite_url, path, NOW, silent)
    return path


async def test_a_backup_restores_every_row_into_either_kind_of_database(
    database_url: str, other_url: str, tmp_path: Path
) -> None:
    stored = await filled(database_url)
    path = tmp_path / "jaipur.backup"
    written = await backup.back_up(database_url, path, NOW, silent)
    assert written == backup.Backup(3, sum(map(len, stored.values())), damaged=[])
    assert await backup.restore(other_url, path, silent) == 3
    assert await rows_of(other_url) == await rows_of(database_url)
    again = await open_event_store(other_url)
    for name, entries in stored.items():
        assert await again.read(name) == entries
    await again.close()


async def test_a_backup_has_one_state_of_a_database_that_changes(
    database_url: str, tmp_path: Path
) -> None:
    """While it is written, every table gets more events and a table is added."""
    store = await open_event_store(database_url)
    live = [open_table(seed=seed) for seed in range(4)]
    names = [f"{number:016x}" for number in range(4)]
    for name, each in zip(names, live, strict=True):
        await store.append(name, each.entries, each.table.status)
    before = await rows_of(database_url)
    loop = asyncio.get_running_loop()

    async def change() -> None:
        for name, each in zip(names, live, strict=True):
            since = len(each.entries)
            each.play("+S")
            await store.append(name, each.entries[since:], each.table.status)
        added = open_table(seed=9)
        await store.append("f" * 16, added.entries, added.table.status)

    changing: list[asyncio.Future[None]] = []

    @contextmanager
    def changing_meanwhile(_unit: str, _total: int) -> Iterator[Callable[[int], None]]:
        def progress(_steps: int) -> None:
            if not changing:
                # The first table is written. In a thread, wait until the database has changed.
                future = asyncio.run_coroutine_threadsafe(change(), loop)
                changing.append(asyncio.wrap_future(future, loop=loop))
                if not _in_loop():
                    future.result(20)

        yield progress

    path = tmp_path / "jaipur.backup"
    await backup.back_up(database_url, path, NOW, changing_meanwhile)
    await changing[0]
    await store.close()
    assert await rows_of(database_url) != before
    saved = {table.id: len(table.entries) for table in backup_file.read_backup(path)}
    assert saved == dict.fromkeys(names, 2)


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def test_a_backup_of_a_running_server_has_every_acknowledged_event(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    file = tmp_path / "jaipur.backup"
    acknowledged: dict[str, int] = {}
    finished = Event()

    def play(players: list[Client], rng: Random) -> None:
        while not finished.is_set() and play_game(players, rng, max_moves=1):
            acknowledged[players[0].table] = players[0].get_table()["version"]

    with run_server(first) as server, httpx.Client(base_url=server.address, timeout=60) as http:
        games = [two_players(http) for _ in range(2)]
        rngs = [Random(number) for number in range(2)]
        with ThreadPoolExecutor(2) as pool:
            playing = [pool.submit(play, *each) for each in zip(games, rngs, strict=True)]
            wait_for(lambda: len(acknowledged) == 2)
            before = dict(acknowledged)
            done = jaipur("backup", file, "--database", f"sqlite:///{server.database}")
            finished.set()
        for each in playing:
            each.result()
        later = {players[0].table: players[0].messages() for players in games}
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{file} is written and verified (tables: 2, ")
    database = f"sqlite:///{second}/tables.sqlite"
    assert jaipur("restore", file, "--database", database).stdout == "Tables restored: 2.\n"
    with run_server(second) as server, httpx.Client(base_url=server.address, timeout=60) as http:
        for players in games:
            restored = Client(http, players[0].table, players[0].secret, players[0].seat)
            messages = restored.messages()
            assert len(messages) >= before[restored.table]
            assert messages == later[restored.table][: len(messages)]


async def test_only_the_owner_may_read_a_backup(file: Path) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_a_database_that_is_not_empty_is_refused(
    file: Path, sqlite_url: str, database_url: str
) -> None:
    if database_url != sqlite_url:
        await filled(database_url)
    before = await rows_of(database_url)
    with pytest.raises(StoreError, match=r"The database is not empty\. A backup is restored only"):
        await backup.restore(database_url, file, silent)
    assert await rows_of(database_url) == before


def without_end(lines: list[bytes]) -> list[bytes]:
    return lines[:-1]


def without_a_table(lines: list[bytes]) -> list[bytes]:
    return [*lines[:1], *lines[2:]]


def with_a_changed_event(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[1].replace(b"played", b"Played", 1), *lines[2:]]


def with_a_changed_time(lines: list[bytes]) -> list[bytes]:
    table = json.loads(lines[1])
    table["entries"][0][1] += 1
    return [lines[0], json.dumps(table).encode() + b"\n", *lines[2:]]


def with_more(lines: list[bytes]) -> list[bytes]:
    return [*lines, b"{}\n"]


def with_another_format(lines: list[bytes]) -> list[bytes]:
    return [lines[0].replace(b"backup-1", b"backup-9"), *lines[1:]]


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (without_end, "its end is missing"),
        (without_a_table, "the line after 2 tables cannot be read"),
        (with_a_changed_event, "its checksum is wrong"),
        (with_a_changed_time, "its checksum is wrong"),
        (with_more, "there is something after its end"),
        (with_another_format, "its format is “jaipur-backup-9”, not “jaipur-backup-1”"),
    ],
)
async def test_a_damaged_backup_is_refused_and_nothing_is_restored(
    file: Path, tmp_path: Path, damage: Callable[[list[bytes]], list[bytes]], problem: str
) -> None:
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    file.write_bytes(gzip.compress(b"".join(damage(lines))))
    new = f"sqlite:///{tmp_path}/new.db"
    with pytest.raises(StoreError) as error:
        await backup.restore(new, file, silent)
    assert str(error.value) == f"{file} is not a complete backup: {problem}."
    assert await rows_of(new) == [[], []]


@pytest.mark.parametrize("cut", [0, 1, 20, 500, -1])
async def test_a_backup_that_is_cut_off_is_refused(file: Path, cut: int, tmp_path: Path) -> None:
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(backup_file.DamagedBackupError):
        await backup.restore(f"sqlite:///{tmp_path}/new.db", file, silent)


async def test_the_command_refuses_a_damaged_backup_in_one_sentence(
    file: Path, tmp_path: Path
) -> None:
    file.write_bytes(file.read_bytes()[:-9])
    done = jaipur("restore", file, "--database", f"sqlite:///{tmp_path}/new.db")
    assert (done.returncode, done.stdout) == (2, "")
    problem = "is not a complete backup: it cannot be decompressed"
    assert done.stderr == f"jaipur: {file} {problem}.\n"


async def test_every_changed_byte_is_noticed(file: Path) -> None:
    original = file.read_bytes()
    # The first ten bytes are the gzip header; some of its fields have no meaning.
    for place in range(10, len(original), 97):
        changed = bytearray(original)
        changed[place] ^= 0x10
        file.write_bytes(changed)
        with pytest.raises(backup_file.DamagedBackupError):
            list(backup_file.read_backup(file))


async def test_a_backup_that_cannot_be_written_leaves_the_older_one(
    file: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = file.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(
        StoreError, match=r"The backup cannot be written: No space left on device\."
    ):
        await backup.back_up(sqlite_url, file, NOW, silent)
    assert file.read_bytes() == older
    assert not list(file.parent.glob(".*part"))


async def test_a_damaged_table_is_reported_and_contained(sqlite_url: str, tmp_path: Path) -> None:
    await filled(sqlite_url)
    database = await open_database(sqlite_url)
    broken = "DELETE FROM entries WHERE table_id = '0000000000000001' AND version = 7"
    await database.write(lambda connection: connection.exec_driver_sql(broken))
    await database.close()
    file = tmp_path / "jaipur.backup"
    done = jaipur("backup", str(file), "--database", sqlite_url)
    assert done.returncode == 1
    assert done.stderr.startswith("jaipur: Damaged tables: 1 (0000000000000001). ")
    new = f"sqlite:///{tmp_path}/new.db"
    assert jaipur("restore", str(file), "--database", new).returncode == 0
    assert await rows_of(new) == await rows_of(sqlite_url)


async def test_the_database_of_another_version_is_not_changed(
    database_url: str, tmp_path: Path
) -> None:
    """An older schema is read as it is. A newer one may have tables that this version does not know."""
    await filled(database_url)
    file = tmp_path / "jaipur.backup"

    async def run(sql: str) -> None:
        database = connect(database_url)
        await database.write(lambda connection: connection.exec_driver_sql(sql))
        await database.close()

    await run("DROP TABLE snapshots")
    await run("UPDATE alembic_version SET version_num = '0001'")
    assert (await backup.back_up(database_url, file, NOW, silent)).tables == 3
    await run("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="written by a newer version of jaipur"):
        await backup.back_up(database_url, file, NOW, silent)


def test_a_database_that_does_not_exist_is_not_created(tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"
    done = jaipur("backup", str(tmp_path / "new"), "--database", f"sqlite:///{missing}")
    assert (done.returncode, done.stderr) == (2, f"jaipur: There is no database {missing}.\n")
    assert not list(tmp_path.iterdir())


def test_a_backup_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    done = jaipur("backup", str(tmp_path), "--database", f"sqlite:///{tmp_path}/empty.db")
    assert done.returncode == 2
    assert done.stderr.startswith(f"jaipur: {tmp_path} is not a file")


def test_a_backup_does_not_replace_its_own_database(tmp_path: Path) -> None:
    database, link = tmp_path / "tables.db", tmp_path / "link.db"
    database.write_bytes(b"games")
    link.symlink_to(database)
    for path in (database, link):
        done = jaipur("backup", str(path), "--database", f"sqlite:///{database}")
        assert done.returncode == 2
        assert done.stderr.startswith(f"jaipur: {path} is the database itself")
    assert database.read_bytes() == b"games"


async def test_an_interrupted_restore_leaves_an_empty_database(file: Path, other_url: str) -> None:
    task: asyncio.Task[int]

    async def cancel() -> None:
        task.cancel()
        await asyncio.sleep(0)  # the task learns of it before the next step of the restore

    @contextmanager
    def interrupt(_unit: str, total: int) -> Iterator[Callable[[int], None]]:
        left = total - 1
        loop = asyncio.get_running_loop()

        def progress(_steps: int) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                cancelled = asyncio.run_coroutine_threadsafe(cancel(), loop)
                if not _in_loop():
                    cancelled.result(20)

        yield progress

    task = asyncio.create_task(backup.restore(other_url, file, interrupt))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await rows_of(other_url) == [[], []]
    assert await backup.restore(other_url, file, silent) == 3
