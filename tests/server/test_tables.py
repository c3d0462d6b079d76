"""The tables beside a second one on the same journal, and with a storage that fails at the worst moment."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from jaipur.rules import Move, View
from jaipur.server.live import scheduler
from jaipur.server.live.scheduler import Scheduler
from jaipur.server.live.subscribers import Subscriber
from jaipur.server.live.tables import TableService, nothing
from jaipur.server.store.event_store import SqlEventStore, StoreError, open_event_store
from jaipur.table.events import AnyEvent, Chair, LogEntry, Opened
from jaipur.table.options import Millis, TableOptions
from jaipur.table.state import digest
from jaipur.table.store import TableStatus
from jaipur.table.table import Table

pytestmark = pytest.mark.anyio

NAME = "0123456789abcdef"
ANN, BO = (Chair("person", name, digest(name)) for name in ("Ann", "Bo"))


class Moody:
    """A store that does something before it reads, and may fail after it has written."""

    def __init__(self, storage: SqlEventStore) -> None:
        self._storage = storage
        self.before_read: Callable[[], Awaitable[object]] | None = None
        self.fails = 0

    async def append(self, table: str, entries: Sequence[LogEntry], status: TableStatus) -> None:
        await self._storage.append(table, entries, status)
        if self.fails:
            self.fails -= 1
            raise StoreError("The connection was lost.")

    async def read(self, table: str, after: int = 0) -> list[LogEntry]:
        found = await self._storage.read(table, after)
        if self.before_read is not None:
            await self.before_read()
        return found

    async def versions(self, tables: Sequence[str]) -> dict[str, int]:
        return await self._storage.versions(tables)

    async def due(self, now: Millis) -> list[str]:
        return await self._storage.due(now)

    async def waiting_for_computers(self) -> list[str]:
        return await self._storage.waiting_for_computers()

    async def sweep(self, before: Millis) -> int:
        return await self._storage.sweep(before)


class Quick:
    """Plays the first move at once."""

    async def choose(self, level: str, view: View, moves: Sequence[Move]) -> Move:  # noqa: ARG002
        return moves[0]


def some_move(table: Table) -> list[AnyEvent]:
    assert table.turn is not None
    return table.play(table.turn, str(table.game.legal_moves()[0]), table.version)


def heard(subscriber: Subscriber) -> list[int]:
    versions = []
    while not subscriber.queue.empty():
        telling = subscriber.queue.get_nowait()
        assert telling is not None
        versions.append(telling.version)
    return versions


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("moment", range(1, 4))
async def test_a_resumed_stream_tells_each_version_once_whenever_the_other_process_plays(
    tmp_path: Path, moment: int
) -> None:
    """The other plays while the journal is read for the first, second … time, and rings at once."""
    url = f"sqlite:///{tmp_path}/tables"
    here, there = [await open_event_store(url) for _ in range(2)]
    moody = Moody(here)
    ours, theirs = TableService(moody, shared=True), TableService(there, shared=True)
    keeper = Scheduler(ours, Quick())
    theirs.after_act.append(lambda table, _entries: keeper.heard(table.id, table.version))
    await theirs.open(NAME, Opened((ANN, BO), TableOptions()))
    await ours.act(NAME, nothing)
    reads = 0

    async def play_there() -> None:
        nonlocal reads
        reads += 1
        if reads == moment:
            await theirs.act(NAME, some_move)

    moody.before_read = play_there
    subscriber = Subscriber(1)
    told = [telling.version for telling in await ours.subscribe(NAME, subscriber, 0)]
    moody.before_read = None
    if reads < moment:
        await theirs.act(NAME, some_move)
    await until(lambda: ours.loaded[NAME].told == 3 and not ours.loaded[NAME].lags)
    assert told + heard(subscriber) == [1, 2, 3]
    await keeper.close()
    await here.close()
    await there.close()


async def test_a_move_is_told_though_the_process_that_kept_it_died_before_it_could_ring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "COMPARE_EVERY", 0.05)
    url = f"sqlite:///{tmp_path}/tables"
    here, there = [await open_event_store(url) for _ in range(2)]
    ours, theirs = TableService(here, shared=True), TableService(there, shared=True)
    keeper = Scheduler(ours, Quick())
    keeper.start()
    await ours.open(NAME, Opened((ANN, BO), TableOptions()))
    subscriber = Subscriber(1)
    await ours.subscribe(NAME, subscriber, 0)
    await theirs.act(NAME, some_move)
    await until(lambda: not subscriber.queue.empty())
    assert heard(subscriber) == [3]
    await keeper.close()
    await here.close()
    await there.close()


async def test_a_move_that_was_kept_though_the_storage_failed_is_told_and_the_game_goes_on(
    tmp_path: Path,
) -> None:
    storage = await open_event_store(f"sqlite:///{tmp_path}/tables")
    moody = Moody(storage)
    tables = TableService(moody)
    keeper = Scheduler(tables, Quick())
    keeper.start()
    await tables.open(NAME, Opened((ANN, Chair("computer", "greedy")), TableOptions()))
    subscriber = Subscriber(0)
    await tables.subscribe(NAME, subscriber, 0)
    await until(lambda: tables.loaded[NAME].table.turn == 0)
    moody.fails = 2  # the person's own move, or the computer's answer and what follows
    with pytest.raises(StoreError):
        await tables.act(NAME, some_move)
    await until(lambda: tables.loaded[NAME].table.turn == 0 and not tables.loaded[NAME].lags)
    kept = [entry.version for entry in await storage.read(NAME)]
    assert kept[-1] >= 4, "the person has moved and the computer has answered"
    assert heard(subscriber)[-1] == kept[-1]
    await keeper.close()
    await storage.close()
