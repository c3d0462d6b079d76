"""Thousands of due tables: the sweep does little work at a time, so that requests do not wait for it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from jaipur.server.live import sweep as sweep_module
from jaipur.server.live.server_clock import ServerClock, system_time
from jaipur.server.live.sweep import PAGE, Sweep
from jaipur.server.live.tables import TableService, no_command
from jaipur.server.store import schema
from jaipur.server.store.event_store import EventStore, open_event_store
from jaipur.table.events import Chair, LogEntry, Opened
from jaipur.table.options import DAY, TableOptions
from jaipur.table.state import TableStatus

pytestmark = pytest.mark.anyio

ANN, BO = (Chair("person", name, name) for name in ("Ann", "Bo"))
DUE = TableStatus("running", computer=False, due=1)
TABLES = 5 * PAGE + 7


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[EventStore]:
    store = await open_event_store(sqlite_url)
    yield store
    await store.close()


async def open_tables(store: EventStore, chairs: tuple[Chair, Chair], status: TableStatus) -> None:
    """Many tables that were opened eight days ago."""
    entry = LogEntry(1, system_time() - 8 * DAY, Opened(chairs, TableOptions()))
    names = [f"{number:016x}" for number in range(TABLES)]
    await asyncio.gather(*(store.append(name, [entry], status) for name in names))


class LoopTurns:
    """Counts the turns of the event loop, as a task that is always ready to run."""

    def __init__(self) -> None:
        self.count = 0
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            self.count += 1
            await asyncio.sleep(0)

    def stop(self) -> None:
        self._task.cancel()


async def test_a_sweep_visits_one_table_per_turn_of_the_event_loop(store: EventStore) -> None:
    await open_tables(store, (ANN, BO), DUE)
    turns, visited = LoopTurns(), dict[str, int]()

    async def visit(
        table_id: str,
    ) -> bool:  # does not suspend, as for a loaded table without events
        visited[table_id] = turns.count
        return True

    await Sweep(TableService(store), visit).visit_due()
    turns.stop()
    assert len(visited) == TABLES
    assert len(set(visited.values())) == TABLES


async def test_a_sweep_leaves_no_table_in_memory_and_reads_small_pages(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_tables(store, (ANN, BO), DUE)
    tables = TableService(store)
    pages, most = [], 0
    due = store.due

    async def count(*arguments: object) -> list[tuple[int, str]]:
        pages.append(await due(*arguments))  # type: ignore[arg-type]
        return pages[-1]

    monkeypatch.setattr(store, "due", count)

    async def visit(table_id: str) -> bool:
        nonlocal most
        await tables.act(table_id, no_command)
        most = max(most, len(tables.loaded))
        return True

    await Sweep(tables, visit).visit_due()
    assert max(map(len, pages)) == PAGE
    assert (most, len(tables.loaded)) == (1, 0)


async def test_a_command_that_waits_for_a_swept_table_is_not_lost(store: EventStore) -> None:
    """The sweep unloads the table while a command waits for its lock."""
    await open_tables(store, (ANN, BO), DUE)
    tables = TableService(store)
    table_id = f"{3:016x}"
    async with tables.locked(table_id):
        waiting = asyncio.create_task(tables.act(table_id, lambda table: table.leave(0)))
        await asyncio.sleep(0)
    tables.release(table_id)
    await waiting
    assert tables.loaded[table_id].table.away == [True, False]


async def test_a_table_that_stays_due_is_not_visited_every_time(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_tables(store, (ANN, BO), DUE)
    visits: list[str] = []

    async def visit(table_id: str) -> bool:
        visits.append(table_id)
        return False

    sweep = Sweep(TableService(store), visit)
    await sweep.visit_due()
    await sweep.visit_due()
    assert len(visits) == TABLES
    monkeypatch.setattr(sweep_module, "RETRY_AFTER", -1)
    sweep = Sweep(TableService(store), visit)
    await sweep.visit_due()
    await sweep.visit_due()
    assert len(visits) == 3 * TABLES


async def test_unjoined_tables_are_deleted_between_the_moves_of_others(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_tables(store, (ANN, Chair()), TableStatus("open", computer=False, due=None))
    write, writes = store._database.write, 0

    async def count(work: object) -> object:
        nonlocal writes
        writes += 1
        return await write(work)  # type: ignore[arg-type]

    monkeypatch.setattr(store._database, "write", count)
    entry = LogEntry(1, system_time(), Opened((ANN, BO), TableOptions()))
    deleting = asyncio.create_task(
        Sweep(TableService(store, clock=ServerClock(None)), no_visit).delete_unjoined()
    )
    await asyncio.sleep(0)
    await store.append("f" * 16, [entry], DUE)
    assert not deleting.done(), "the move did not wait for all deletions"
    await deleting
    assert writes == TABLES // PAGE + 1 + 1, "the deletions and the move"
    left = sa.select(sa.func.count()).select_from(schema.tables)
    assert await store._database.read(lambda connection: connection.scalar(left)) == 1


async def no_visit(_table_id: str) -> bool:
    raise AssertionError("no table is due")
