"""Finished games are deleted after some days, with their logs and snapshots, in short transactions."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa

from jaipur.server.live import retention as live_retention
from jaipur.server.live.retention import Retention
from jaipur.server.live.tables import TableService
from jaipur.server.store import retention, schema
from jaipur.server.store.database import open_database
from jaipur.server.store.event_store import EventStore, open_event_store
from jaipur.table.events import Chair, Left, LogEntry, Opened, Returned
from jaipur.table.options import DAY, Millis, TableOptions
from jaipur.table.refusals import Refused
from jaipur.table.snapshot import FORMAT, Snapshot
from jaipur.table.state import TableStatus
from server.serving import run_in_thread, store_game
from tables import dealt

pytestmark = pytest.mark.anyio

NOW: Millis = 1_800_000_000_000
OPENED = Opened((Chair(), Chair()), TableOptions())
OVER = TableStatus("over", computer=False, due=None)
RUNNING = TableStatus("running", computer=False, due=None)


def log(entries: int, at: Millis) -> list[LogEntry]:
    coming = [Left(0) if version % 2 else Returned(0) for version in range(3, entries + 2)]
    return [LogEntry(version, at, event) for version, event in enumerate([OPENED, *coming], 1)]


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[EventStore]:
    store = await open_event_store(url)
    try:
        yield store
    finally:
        await store.close()


async def delete_all(store: EventStore, before: Millis) -> list[str]:
    deleted: list[str] = []
    while (some := await store.delete_finished(before)) is not None:
        deleted += some
    return deleted


async def rows(url: str) -> dict[str, int]:
    """The number of rows of every table of the database."""
    database = await open_database(url)
    try:
        return await database.read(
            lambda connection: {
                name: connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
                for name, table in schema.metadata.tables.items()
            }
        )
    finally:
        await database.close()


async def test_only_old_finished_games_are_deleted_with_all_their_rows(database_url: str) -> None:
    async with opened(database_url) as store:
        await store.append("old", log(5, NOW - 2 * DAY), OVER)
        await store.write_snapshot("old", Snapshot(4, NOW - 2 * DAY, FORMAT, "{}"))
        await store.append("new", log(5, NOW), OVER)
        await store.append("running", log(5, NOW - 2 * DAY), RUNNING)
        assert await delete_all(store, NOW - DAY) == ["old"]
        assert await store.read("old") == []
        assert [len(await store.read(name)) for name in ("new", "running")] == [5, 5]
    assert await rows(database_url) == {"tables": 2, "entries": 10, "snapshots": 0}


async def test_one_call_deletes_a_bounded_number_of_rows(database_url: str) -> None:
    sizes = {"a": 900, "b": 900, "c": 900, "long": 4_500, "z": 10}
    async with opened(database_url) as store:
        for age, (name, size) in enumerate(sizes.items()):
            await store.append(name, log(size, NOW - 9 * DAY + age), OVER)
        left, calls = [sum(sizes.values())], []
        while (deleted := await store.delete_finished(NOW - DAY)) is not None:
            calls.append(deleted)
            left.append((await rows(database_url))["entries"])
    assert calls == [["a", "b"], ["c"], [], [], ["long"], ["z"]]
    steps = [before - after for before, after in pairwise(left)]
    assert max(steps) <= retention.MOST_ROWS
    assert await rows(database_url) == {"tables": 0, "entries": 0, "snapshots": 0}


async def test_moves_are_stored_while_many_games_are_deleted(sqlite_url: str) -> None:
    """The deletion of 600 games is interleaved with appends: none of them waits for the end."""
    async with opened(sqlite_url) as store:
        await asyncio.gather(
            *(store.append(f"{n:016x}", log(30, NOW - 2 * DAY), OVER) for n in range(600))
        )
        await store.append("f" * 16, log(1, NOW), RUNNING)
        tables = TableService(store, now=lambda: NOW)
        deleting = asyncio.create_task(Retention(tables, 1).delete_old())
        appended = 1
        while not deleting.done():
            coming = Left(0) if appended % 2 else Returned(0)
            entry = LogEntry(appended + 1, NOW, coming)
            await store.append("f" * 16, [entry], RUNNING)
            appended += 1
            await asyncio.sleep(0)
        await deleting
        await tables.close()
        assert len(await store.read("f" * 16)) == appended
        assert appended > 600 * 30 // retention.MOST_ROWS
    assert (await rows(sqlite_url))["tables"] == 1


def test_a_deleted_game_is_unloaded_and_its_streams_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_retention, "EVERY", 0.05)
    with run_in_thread(tmp_path, keep_days=1) as host:
        seats = store_game(host.database, host.http, dealt("DDLCC GGSPM LP"))
        seats[0].post("/resign").raise_for_status()
        now = host.tables.now
        with seats[1].stream() as messages:
            next(messages)
            monkeypatch.setattr(host.tables, "now", lambda: now() + 2 * DAY)
            assert list(messages) == []
        assert seats[0].get().json()["code"] == "no_such_table"


async def test_nothing_is_deleted_unless_asked(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        await store.append("0" * 16, log(3, 0), OVER)
        tables = TableService(store, now=lambda: NOW)
        keeping = Retention(tables, 0)
        keeping.start()
        assert not keeping._tasks._tasks
        await keeping.close()
        await tables.close()


async def test_a_game_that_any_process_deleted_does_not_exist(database_url: str) -> None:
    async with opened(database_url) as store:
        here, there = (TableService(store, shared=True, now=lambda: NOW) for _ in range(2))
        await store.append("0" * 16, log(3, 0), OVER)
        for tables in (here, there):
            async with tables.locked("0" * 16):
                pass
        await Retention(here, 1).delete_old()
        for tables in (here, there):
            with pytest.raises(Refused, match="no_such_table"):
                await tables.act("0" * 16, lambda _table: [Left(0)])
            assert not tables.loaded
            await tables.close()
