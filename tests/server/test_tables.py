"""Live tables beside a second process on the same event store, and with a store that fails at the worst moment."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from jaipur.rules import Move, View
from jaipur.server.live import sync as sync_module
from jaipur.server.live import tables as tables_module
from jaipur.server.live.scheduler import Scheduler
from jaipur.server.live.subscribers import EncodedMessage, Subscriber
from jaipur.server.live.sync import TableSync
from jaipur.server.live.tables import TableService, no_command
from jaipur.server.store.database import Database, open_database
from jaipur.server.store.event_store import EventStore, StoreError
from jaipur.server.store.schema import NO_LIMIT
from jaipur.server.workers.pool import ChosenMove
from jaipur.table.events import AnyEvent, Chair, LogEntry, Opened, Played
from jaipur.table.options import TableOptions
from jaipur.table.state import DamagedLog, TableStatus, digest
from jaipur.table.table import Table
from server.waiting import LIMIT

pytestmark = pytest.mark.anyio

TABLE = "0123456789abcdef"
ANN, BO = (Chair("person", name, digest(name)) for name in ("Ann", "Bo"))
COMPUTER = Chair("computer", "greedy")


class InstrumentedStore(EventStore):
    """A store that counts its reads, can run something after a read, and can fail after a write."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.reads = 0
        self.after_read: Callable[[], Awaitable[object]] | None = None
        self.failing_appends = 0

    async def append(self, table: str, entries: Sequence[LogEntry], status: TableStatus) -> None:
        await super().append(table, entries, status)
        if self.failing_appends:
            self.failing_appends -= 1
            raise StoreError("The connection was lost.")

    async def read(self, table: str, after: int = 0, limit: int = NO_LIMIT) -> list[LogEntry]:
        self.reads += 1
        found = await super().read(table, after, limit)
        if self.after_read is not None:
            await self.after_read()
        return found


async def choose_first_move(
    _level: str, _view: View, moves: Sequence[Move], _client: str
) -> ChosenMove:
    return ChosenMove(moves[0], 0.0)


class Process:
    """What one server process has."""

    def __init__(self, store: InstrumentedStore, shared: bool) -> None:
        self.store = store
        self.tables = TableService(self.store, shared=shared)
        self.scheduler = Scheduler(self.tables, choose_first_move)
        self.sync = TableSync(self.tables)

    async def close(self) -> None:
        await self.sync.close()
        await self.scheduler.close()
        await self.tables.close()

    async def subscribe(self, subscriber: Subscriber, after: int | None) -> list[EncodedMessage]:
        """Open a stream; the messages that it missed."""
        async with self.tables.locked(TABLE):
            assert self.tables.reserve(TABLE, subscriber, limit=1, client_limit=1)
        pages = self.tables.replay(TABLE, subscriber, after)
        return [message async for page in pages for message in page]


@asynccontextmanager
async def processes(url: str, number: int) -> AsyncIterator[list[Process]]:
    async with AsyncExitStack() as stack:
        started = []
        for _ in range(number):
            store = InstrumentedStore(await open_database(url))
            stack.push_async_callback(store.close)
            started.append(Process(store, shared=number > 1))
            stack.push_async_callback(started[-1].close)
        yield started


def first_move(table: Table) -> list[AnyEvent]:
    assert table.turn is not None
    return table.play(table.turn, table.game.legal_moves()[0], table.version)


async def next_message(subscriber: Subscriber) -> EncodedMessage:
    async with asyncio.timeout(LIMIT):
        message = await subscriber.receive()
    assert message is not None
    return message


@pytest.mark.parametrize("moment", range(1, 4))
async def test_a_resumed_stream_has_each_version_once_whenever_another_process_writes(
    sqlite_url: str, moment: int
) -> None:
    """The other process plays during the first, second … read here, and notifies at once."""
    async with processes(sqlite_url, 2) as (here, there):
        there.tables.after_append.append(
            lambda table, _entries: here.sync.changed(table.id, table.version)
        )
        await there.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        await here.tables.act(TABLE, no_command)
        here.store.reads = 0

        async def play_there() -> None:
            if here.store.reads == moment:
                await there.tables.act(TABLE, first_move)

        here.store.after_read = play_there
        subscriber = Subscriber(1)
        missed = [each.version for each in await here.subscribe(subscriber, 0)]
        here.store.after_read = None
        if here.store.reads < moment:
            await there.tables.act(TABLE, first_move)
        while missed[-1] < 3:
            missed.append((await next_message(subscriber)).version)
        assert missed == [1, 2, 3]
        assert subscriber.waiting == (0, 0)


async def test_a_subscriber_gets_a_move_whose_process_died_before_it_could_notify(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_module, "COMPARE_EVERY", 0.01)
    async with processes(sqlite_url, 2) as (here, there):
        here.sync.start()
        await here.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        subscriber = Subscriber(1)
        await here.subscribe(subscriber, 0)
        await there.tables.act(TABLE, first_move)
        assert (await next_message(subscriber)).version == 3


async def test_a_subscriber_gets_what_was_written_during_a_gap(sqlite_url: str) -> None:
    async with processes(sqlite_url, 2) as (here, there):
        await here.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        subscriber = Subscriber(1)
        await here.subscribe(subscriber, 2)
        await there.tables.act(TABLE, first_move)
        here.sync.missed()
        assert (await next_message(subscriber)).version == 3


async def test_a_catch_up_that_fails_is_tried_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_module, "RETRY_EVERY", 0.01)
    async with processes(sqlite_url, 2) as (here, there):
        here.sync.start()
        await here.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        subscriber = Subscriber(1)
        await here.subscribe(subscriber, 2)
        await there.tables.act(TABLE, first_move)
        failures = iter(range(3))

        async def fail() -> None:
            if next(failures, None) is not None:
                raise StoreError("The connection was lost.")

        here.store.after_read = fail
        here.sync.changed(TABLE, 3)
        assert (await next_message(subscriber)).version == 3


async def test_of_two_processes_that_write_one_version_the_second_decides_again(
    sqlite_url: str,
) -> None:
    async with processes(sqlite_url, 2) as (here, there):
        await here.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        await there.tables.act(TABLE, no_command)

        async def leave_there() -> None:
            here.store.after_read = None
            await there.tables.act(TABLE, lambda table: table.leave(1))

        here.store.after_read = leave_there
        outcome = await here.tables.act(TABLE, first_move)
        assert outcome.version == 4
        log = await here.store.read(TABLE)
        assert [type(entry.event).__name__ for entry in log] == [
            "Opened",
            "Dealt",
            "Left",
            "Played",
        ]


@pytest.mark.parametrize("wrong", [-1, +1])
async def test_a_table_whose_row_has_another_version_than_its_log_is_reported(
    database_url: str, wrong: int
) -> None:
    async with processes(database_url, 1) as (here,):
        await here.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        sql = f"UPDATE tables SET version = version + ({wrong})"
        await here.store._database.write(lambda connection: connection.exec_driver_sql(sql))
        async with asyncio.timeout(LIMIT):
            with pytest.raises(DamagedLog, match=TABLE):
                await here.tables.act(TABLE, first_move)


async def test_a_stored_move_is_published_although_the_store_reported_a_failure(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_module, "RETRY_EVERY", 0.01)
    async with processes(sqlite_url, 1) as (here,):
        here.sync.start()
        await here.tables.open(TABLE, Opened((ANN, COMPUTER), TableOptions()))
        subscriber = Subscriber(0)
        message = (await here.subscribe(subscriber, None))[-1]
        while b'"turn":0' not in message.body:
            message = await next_message(subscriber)
        # The append of the person's move fails, then that of the computer's reply.
        here.store.failing_appends = 2
        with pytest.raises(StoreError):
            await here.tables.act(TABLE, first_move)
        seats: list[int] = []
        # The log has an entry before its append is reported as failed.
        while seats != [0, 1] or here.store.failing_appends:
            await next_message(subscriber)
            log = await here.store.read(TABLE)
            seats = [each.event.seat for each in log if isinstance(each.event, Played)][-2:]


async def test_a_repeated_move_has_the_version_of_the_first_one(sqlite_url: str) -> None:
    async with processes(sqlite_url, 1) as (here,):
        await here.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        async with here.tables.locked(TABLE) as table:
            seat, move = table.turn, table.game.legal_moves()[0]
        assert seat is not None
        first = await here.tables.act(TABLE, lambda table: table.play(seat, move, 2))
        await here.tables.act(TABLE, lambda table: table.leave(0))
        again = await here.tables.act(TABLE, lambda table: table.play(seat, move, 2))
        assert first.version == 3
        assert (again.version, again.table.version) == (3, 4)


@pytest.mark.parametrize(("after", "versions"), [(None, [4]), (3, [4]), (4, []), (9, [4])], ids=str)
async def test_a_subscriber_that_missed_one_event_or_none_needs_no_event_log(
    sqlite_url: str, after: int | None, versions: list[int]
) -> None:
    async with processes(sqlite_url, 1) as (here,):
        await here.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        for _ in range(2):
            await here.tables.act(TABLE, first_move)
        here.store.reads = 0
        missed = await here.subscribe(Subscriber(0), after)
        assert [each.version for each in missed] == versions
        assert here.store.reads == 0


async def test_a_subscriber_that_missed_more_gets_it_from_the_event_log(sqlite_url: str) -> None:
    async with processes(sqlite_url, 1) as (here,):
        await here.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        for _ in range(2):
            await here.tables.act(TABLE, first_move)
        missed = await here.subscribe(Subscriber(0), 1)
        assert [each.version for each in missed] == [2, 3, 4]


async def test_requests_for_many_tables_keep_few_unused_tables_in_memory(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "MAX_LOADED", 3)
    async with processes(sqlite_url, 1) as (here,):
        await here.tables.open(TABLE, Opened((ANN, BO), TableOptions()))
        await here.subscribe(Subscriber(0), None)
        others = [f"{number:016x}" for number in range(10)]
        for table in others:
            await here.tables.open(table, Opened((ANN, BO), TableOptions()))
        assert set(here.tables.loaded) == {TABLE, *others[-2:]}
