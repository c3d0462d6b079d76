"""The event store on real databases: tests that use `database_url` run on SQLite and on PostgreSQL."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import pytest
import sqlalchemy as sa

from jaipur.server.store import database, event_store
from jaipur.server.store.append import Append
from jaipur.server.store.event_store import (
    EventStore,
    StoreError,
    VersionConflict,
    open_event_store,
)
from jaipur.table.events import (
    Abandoned,
    AnyEvent,
    Chair,
    Contributed,
    Dealt,
    Drawn,
    Flagged,
    Left,
    LogEntry,
    Offered,
    Opened,
    Played,
    Rematched,
    Resigned,
    Returned,
    Seated,
    Stopped,
)
from jaipur.table.options import Daily, Live, TableOptions
from jaipur.table.snapshot import FORMAT, Snapshot
from jaipur.table.state import TableStatus
from server.services import Postgres
from server.waiting import until

pytestmark = pytest.mark.anyio

NOW = 1_900_000_000_000
OPEN = TableStatus("open", computer=False, due=None)
RUNNING = TableStatus("running", computer=False, due=None)
OPENED = Opened((Chair("person", "Ana", "digest"), Chair()), TableOptions())
EVERY_KIND: list[AnyEvent] = [
    OPENED,
    Opened(
        (Chair("computer", "merchant"), Chair("person", "Zoë “\0” ☃", "x")),
        TableOptions("hidden", True, False, Live(300, 5)),
    ),
    Opened((Chair(), Chair()), TableOptions(clock=Daily(3)), previous="other"),
    Seated(1, "Bo", "digest"),
    Dealt(0, "DDGG", ((1, 2), (4,), ()), "salt"),
    Dealt(1, "DDGG", ((1, 2), (4,), ()), "salt", next_salt="next"),
    Contributed(1, 2, "value"),
    Played(0, "+DG-LM"),
    Stopped(),
    Drawn(),
    Resigned(0),
    Flagged(1),
    Abandoned(),
    Left(0),
    Returned(0),
    Offered(1),
    Rematched("next"),
]


def log(events: Sequence[AnyEvent], first: int = 1, at: int = NOW) -> list[LogEntry]:
    return [LogEntry(version, at + version, event) for version, event in enumerate(events, first)]


def move(version: int, text: str = "+D") -> list[LogEntry]:
    return log([Played(0, text)], version)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[EventStore]:
    store = await open_event_store(url)
    try:
        yield store
    finally:
        await store.close()


async def outcome(store: EventStore, table: str, entries: list[LogEntry]) -> bool:
    try:
        await store.append(table, entries, RUNNING)
    except VersionConflict:
        return False
    return True


async def test_every_kind_of_event_is_read_as_it_was_written(database_url: str) -> None:
    assert {type(event) for event in EVERY_KIND} == set(AnyEvent.__args__)
    async with opened(database_url) as store:
        await store.append("one", log(EVERY_KIND), RUNNING)
        await store.append("one", move(len(EVERY_KIND) + 1), RUNNING)
    async with opened(database_url) as store:
        wanted = log([*EVERY_KIND, Played(0, "+D")])
        assert await store.read("one") == wanted
        assert await store.read("one", 5) == wanted[5:]
        assert await store.read("one", 99) == []
        assert await store.read("one", 1, limit=2) == wanted[1:3]


async def test_the_newest_two_snapshots_of_a_table_are_kept(database_url: str) -> None:
    async with opened(database_url) as store:
        await store.append("one", log([OPENED]), OPEN)
        for version in range(500, 2001, 500):
            await store.write_snapshot("one", Snapshot(version, NOW + version, FORMAT, "{}"))

        async def newest(version: int = 9999, until: int = 2 * NOW) -> int | None:
            found = await store.read_snapshot("one", version, until)
            return None if found is None else found.version

        assert await newest() == 2000
        assert await newest(version=1999) == 1500
        assert await newest(until=NOW + 1999) == 1500
        assert await newest(version=1499) is None


async def test_a_snapshot_of_another_format_is_replaced_and_not_read(database_url: str) -> None:
    async with opened(database_url) as store:
        await store.append("one", log([OPENED]), OPEN)
        await store.write_snapshot("one", Snapshot(600, NOW, "another", "{}"))
        assert await store.read_snapshot("one", 9999, NOW) is None
        await store.write_snapshot("one", Snapshot(600, NOW, FORMAT, "{}"))
        assert await store.read_snapshot("one", 9999, NOW) is not None


async def test_a_deleted_table_has_no_snapshots(database_url: str) -> None:
    async with opened(database_url) as store:
        await store.append("old", log([OPENED], at=NOW - 100), OPEN)
        await store.write_snapshot("old", Snapshot(1, NOW - 100, FORMAT, "{}"))
        await store.delete_unjoined(NOW, 100)
        assert await store.read_snapshot("old", 9999, NOW) is None
        with pytest.raises(StoreError):
            await store.write_snapshot("old", Snapshot(1, NOW, FORMAT, "{}"))


async def test_an_unknown_table_has_no_entries(database_url: str) -> None:
    async with opened(database_url) as store:
        for name in ("one", "", "o\0ne", "ö", "\ud800", "'; --"):
            assert await store.read(name) == []


@pytest.mark.parametrize("version", [1, 2, 4, 9])
async def test_only_the_next_version_is_written(database_url: str, version: int) -> None:
    async with opened(database_url) as store:
        await store.append("one", log([OPENED, Seated(1, "Bo", "x")]), RUNNING)
        with pytest.raises(VersionConflict):
            await store.append("one", log([Left(0), Returned(0)], version), OPEN)
        assert len(await store.read("one")) == 2
        assert await store.delete_unjoined(NOW * 2, 100) == 0, "the status did not change"


async def test_the_first_version_of_a_table_is_1(database_url: str) -> None:
    async with opened(database_url) as store:
        with pytest.raises(VersionConflict):
            await store.append("one", move(2), RUNNING)
        assert await store.read("one") == []


async def test_a_conflict_fails_only_its_own_append_in_a_batch(database_url: str) -> None:
    sizes: list[int] = []
    store = await open_event_store(database_url, observe=lambda _seconds, size: sizes.append(size))
    names = [f"table-{number}" for number in range(20)]
    appends = [store.append(name, log([OPENED]), RUNNING) for name in names]
    await asyncio.gather(*appends, store.append("new", log([OPENED]), RUNNING))
    moves = [outcome(store, name, move(3 if name == "table-7" else 2)) for name in names]
    stored = await asyncio.gather(*moves, outcome(store, "new", log([OPENED])))
    assert stored == [name != "table-7" for name in names] + [False]
    assert [len(await store.read(name)) for name in names] == [2] * 7 + [1] + [2] * 12
    assert max(sizes) > 10, "they shared a transaction"
    await store.close()


async def test_two_appends_to_one_table_in_a_row(database_url: str) -> None:
    async with opened(database_url) as store:
        stored = await asyncio.gather(
            outcome(store, "one", log([OPENED])),
            outcome(store, "one", log([Abandoned()])),
            outcome(store, "one", move(2)),
        )
        assert list(stored) == [True, False, True]
        assert await store.read("one") == log([OPENED, Played(0, "+D")])


async def test_of_two_stores_one_wins_each_version(database_url: str) -> None:
    async with opened(database_url) as ours, opened(database_url) as theirs:
        tables = [f"table-{number}" for number in range(6)]
        won: dict[str, list[str]] = {table: [] for table in tables}

        async def compete(store: EventStore, table: str, who: str) -> None:
            for version in range(1, 16):
                if await outcome(store, table, move(version, f"{who}{version}")):
                    won[table].append(f"{who}{version}")
                else:
                    while len(await store.read(table)) < version:
                        await asyncio.sleep(0)

        await asyncio.gather(
            *(compete(ours, table, "a") for table in tables),
            *(compete(theirs, table, "b") for table in reversed(tables)),
        )
        for table in tables:
            written = [entry.event for entry in await ours.read(table)]
            assert written == [Played(0, text) for text in won[table]]
            assert len(written) == 15


async def test_versions_of_many_tables_are_looked_up_in_parts(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_store, "MAX_PARAMETERS", 2)
    async with opened(database_url) as store:
        for number in range(1, 6):
            entries = log([OPENED, *[Left(0)] * (number - 1)])
            await store.append(f"table {number}", entries, OPEN)
        names = ["unknown", *(f"table {number}" for number in range(5, 0, -1))]
        found = {f"table {number}": number for number in range(1, 6)}
        assert await store.versions(names) == found
        assert await store.versions([]) == {}


async def test_due_tables_are_those_whose_time_has_come(database_url: str) -> None:
    async with opened(database_url) as store:
        for name, due in {"late": NOW - 5, "now": NOW, "soon": NOW + 1, "never": None}.items():
            await store.append(name, log([OPENED]), TableStatus("running", False, due))
        assert await store.due(NOW, 100) == [(NOW - 5, "late"), (NOW, "now")]
        await store.append("late", move(2), TableStatus("over", False, None))
        assert await store.due(NOW, 100) == [(NOW, "now")]


async def test_due_tables_are_read_in_pages(database_url: str) -> None:
    async with opened(database_url) as store:
        dues = {f"table-{number}": NOW - number // 3 for number in range(10)}
        for name, due in dues.items():
            await store.append(name, log([OPENED]), TableStatus("running", False, due))
        found: list[tuple[int, str]] = []
        while page := await store.due(NOW, 2, found[-1] if found else (-1, "")):
            found += page
        assert found == sorted((due, name) for name, due in dues.items())


async def test_unjoined_tables_are_deleted_in_parts(database_url: str) -> None:
    async with opened(database_url) as store:
        for number in range(5):
            await store.append(f"table-{number}", log([OPENED]), OPEN)
        assert [await store.delete_unjoined(NOW * 2, 2) for _ in range(4)] == [2, 2, 1, 0]


async def test_tables_where_it_is_a_computers_turn(database_url: str) -> None:
    async with opened(database_url) as store:
        await store.append("one", log([OPENED]), TableStatus("running", True, NOW))
        await store.append("two", log([OPENED]), RUNNING)
        assert await store.waiting_for_computers() == ["one"]
        await store.append("one", move(2), RUNNING)
        assert await store.waiting_for_computers() == []


async def test_only_old_open_tables_are_deleted(database_url: str) -> None:
    async with opened(database_url) as store:
        await store.append("old", log([OPENED, Left(0)], at=NOW - 100), OPEN)
        await store.append("new", log([OPENED]), OPEN)
        await store.append("running", log([OPENED], at=NOW - 100), RUNNING)
        await store.append("over", log([OPENED], at=0), TableStatus("over", False, None))
        assert await store.delete_unjoined(NOW, 100) == 1
        assert await store.read("old") == []
        assert [len(await store.read(name)) for name in ("new", "running", "over")] == [1, 1, 1]
        await store.append("old", log([OPENED]), OPEN)


async def test_closing_finishes_pending_appends(database_url: str) -> None:
    store = await open_event_store(database_url)
    names = [f"table-{number}" for number in range(event_store.BATCH_SIZE + 10)]
    appends = [asyncio.create_task(store.append(n, log([OPENED]), OPEN)) for n in names]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*appends)
    with pytest.raises(StoreError, match="closed"):
        await store.append("late", log([OPENED]), OPEN)
    async with opened(database_url) as again:
        assert [len(await again.read(name)) for name in names] == [1] * len(names)


async def test_a_cancelled_append_does_not_affect_others(database_url: str) -> None:
    async with opened(database_url) as store:
        cancelled = asyncio.create_task(store.append("one", log([OPENED]), OPEN))
        await asyncio.sleep(0)
        cancelled.cancel()
        await store.append("two", log([OPENED]), OPEN)
        assert len(await store.read("two")) == 1


async def test_a_commit_with_a_lost_reply_is_neither_lost_nor_repeated(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as store:
        append = store._database.append
        cut: list[str] = ["connection lost"]

        async def append_and_break(appends: Sequence[Append]) -> set[str]:
            written = await append(appends)
            if cut:
                raise StoreError(cut.pop())
            return written

        await store.append("theirs", move(1, "them"), OPEN)
        monkeypatch.setattr(store._database, "append", append_and_break)
        stored = await asyncio.gather(
            outcome(store, "ours", log([OPENED])), outcome(store, "theirs", move(1, "us"))
        )
        assert list(stored) == [True, False]
        assert await store.read("ours") == log([OPENED])
        assert await store.read("theirs") == move(1, "them")


async def test_a_failed_commit_fails_its_appends_and_the_next_works(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        await store.append("one", log([OPENED]), OPEN)
        change(
            sqlite_url,
            "CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        )
        appends = [
            store.append("one", move(2), RUNNING),
            store.append("two", log([OPENED]), OPEN),
        ]
        results = await asyncio.gather(*appends, return_exceptions=True)
        assert [type(error) for error in results] == [StoreError, StoreError]
        assert "disk full" in str(results[0])
        change(sqlite_url, "DROP TRIGGER full")
        assert await store.read("one") == log([OPENED])
        assert await store.read("two") == []
        await store.append("one", move(2), RUNNING)


async def test_a_locked_file_is_an_error_until_it_is_unlocked(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "CONNECT_TIMEOUT", 0.1)
    async with opened(sqlite_url) as store:
        other = sqlite3.connect(sa.make_url(sqlite_url).database or "", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            await store.append("one", log([OPENED]), OPEN)
        with pytest.raises(StoreError, match="locked"):
            await open_event_store(sqlite_url)
        assert await store.read("one") == []
        other.close()
        await store.append("one", log([OPENED]), OPEN)


async def test_the_store_survives_a_restart_of_postgres(postgres: Postgres) -> None:
    async with opened(postgres.new_database()) as store:
        await store.append("one", log([OPENED]), RUNNING)
        await store.ping()
        await asyncio.to_thread(postgres.stop)
        with pytest.raises(StoreError, match="cannot be used"):
            await store.ping()
        results = await asyncio.gather(
            *(store.append(name, log([OPENED]), OPEN) for name in "abc"), return_exceptions=True
        )
        assert {type(error) for error in results} == {StoreError}
        await asyncio.to_thread(postgres.start)
        await store.append("one", move(2), RUNNING)
        await asyncio.to_thread(postgres.stop)
        await asyncio.to_thread(postgres.start)
        await store.append("one", move(3), RUNNING)
        assert await store.read("one") == log([OPENED, Played(0, "+D"), Played(0, "+D")])


async def test_concurrent_appends_survive_restarts_of_postgres(postgres: Postgres) -> None:
    async with opened(postgres.new_database()) as store:
        written = dict.fromkeys("abcdefgh", 0)
        stop = asyncio.Event()

        async def keep_writing(table: str) -> None:
            while not stop.is_set():
                try:
                    await store.append(table, move(written[table] + 1), RUNNING)
                    written[table] += 1
                except StoreError:  # it is unknown whether the entry was stored
                    with suppress(StoreError):
                        found = len(await store.read(table))
                        assert found in (written[table], written[table] + 1)
                        written[table] = found

        async def everybody_writes(entries: int) -> None:
            goals = {table: count + entries for table, count in written.items()}
            await until(lambda: all(written[table] >= goal for table, goal in goals.items()))

        async with asyncio.TaskGroup() as tasks:
            for table in written:
                tasks.create_task(keep_writing(table))
            for _ in range(2):
                await everybody_writes(5)
                await asyncio.to_thread(postgres.stop)
                await asyncio.to_thread(postgres.start)
            await everybody_writes(5)
            stop.set()
        assert {table: len(await store.read(table)) for table in written} == written


def change(sqlite_url: str, sql: str) -> None:
    with sqlite3.connect(sa.make_url(sqlite_url).database or "") as connection:
        connection.execute(sql)
    connection.close()
