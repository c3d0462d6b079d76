"""Long event logs and clients that ask for them often: other requests go on, and memory stays bounded."""

import asyncio
import socket
import tracemalloc
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from random import Random

import pytest

from jaipur.server.http import limits
from jaipur.server.live import history, replay, spectators
from jaipur.server.live.history import PAGE, PageCache
from jaipur.server.live.subscribers import (
    QUEUE_BYTES,
    QUEUE_LIMIT,
    EncodedMessage,
    Subscriber,
    encode_latest,
)
from jaipur.server.live.tables import TableService, no_command
from jaipur.server.store.database import open_database
from jaipur.server.store.event_store import EventStore
from jaipur.server.store.schema import NO_LIMIT
from jaipur.server.store.snapshots import SNAPSHOT_EVERY
from jaipur.table.events import AnyEvent, Chair, LogEntry, Opened, Resigned
from jaipur.table.options import SECOND, TableOptions
from jaipur.table.projection import Audience
from jaipur.table.refusals import RefusalCode, Refused
from jaipur.table.state import TableState, digest
from jaipur.table.table import Table
from server.serving import (
    TIMEOUT,
    Client,
    ThreadedServer,
    run_in_thread,
    spectator,
    store_events,
    two_players,
    wait_for,
)
from server.waiting import LIMIT

TABLE = "0123456789abcdef"
SECRETS = ("the-secret-of-seat-0-for-tests", "the-secret-of-seat-1-for-tests")
CHAIRS = tuple(
    Chair("person", name, digest(secret)) for name, secret in zip("AB", SECRETS, strict=True)
)
START = 1_700_000_000_000


@cache
def long_log(length: int) -> tuple[LogEntry, ...]:
    """The log of a game in which the players mostly exchange cards, one event per second."""
    rng, table = Random(length), Table(TABLE)
    log: list[LogEntry] = []
    while len(log) < length:
        moves = [move for move in table.game.legal_moves() if move.taken]
        event: AnyEvent = Opened((CHAIRS[0], CHAIRS[1]), TableOptions())
        if table.turn is not None:
            move = rng.choice([each for each in moves if each.given] or moves)
            (event,) = table.play(table.turn, move, table.version)
        elif log:
            (event,) = table.deal(rng)
        log.append(LogEntry(len(log) + 1, START + len(log) * SECOND, event))
        table.apply(log[-1])
    return tuple(log)


class CountingStore(EventStore):
    """A store that counts the entries it reads."""

    entries_read = 0

    async def read(self, table: str, after: int = 0, limit: int = NO_LIMIT) -> list[LogEntry]:
        found = await super().read(table, after, limit)
        self.entries_read += len(found)
        return found


@asynccontextmanager
async def service(url: str, log: Sequence[LogEntry] = ()) -> AsyncIterator[TableService]:
    """The tables of a process whose database has a table with this log."""
    store = CountingStore(await open_database(url))
    if log:
        await store.append(TABLE, log, Table.replay(TABLE, log).status)
    tables = TableService(store, now=lambda: START + 10**9)
    try:
        yield tables
    finally:
        await tables.close()
        await store.close()


def entries_read(tables: TableService) -> int:
    """The number of entries read since the last call."""
    assert isinstance(tables.store, CountingStore)
    count, tables.store.entries_read = tables.store.entries_read, 0
    return count


async def open_stream(tables: TableService, audience: Audience) -> Subscriber:
    subscriber = Subscriber(audience)
    async with tables.locked(TABLE):
        assert tables.reserve(TABLE, subscriber, limit=99, client_limit=99)
    return subscriber


async def past_messages(
    tables: TableService, audience: Audience, after: int | None = 0
) -> list[EncodedMessage]:
    subscriber = await open_stream(tables, audience)
    pages = [page async for page in tables.replay(TABLE, subscriber, after)]
    tables.unsubscribe(TABLE, subscriber)
    return [message for page in pages for message in page]


def expected(log: Sequence[LogEntry], audience: Audience, after: int = 0) -> list[EncodedMessage]:
    """The messages that a replay of the whole log gives."""
    table, messages = Table(TABLE), []
    for entry in log:
        table.apply(entry)
        if entry.version > after:
            messages.append(encode_latest(table, audience))
    return messages


# Replays


@pytest.mark.anyio
@pytest.mark.parametrize("after", [0, 1, PAGE - 1, PAGE, 299, 640, 700])
async def test_a_replay_has_each_version_once_and_the_same_bytes(
    sqlite_url: str, after: int
) -> None:
    log = long_log(700)
    async with service(sqlite_url, log) as tables:
        for _ in range(2):
            for audience in (0, 1, None):
                found = await past_messages(tables, audience, after)
                assert found == expected(log, audience, after)


@pytest.mark.anyio
async def test_other_tasks_run_while_a_long_log_is_replayed(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the event loop, only a small part of the messages is created between two steps of another task."""
    log = long_log(3000)
    created = 0

    def counted(table: TableState, audience: Audience) -> EncodedMessage:
        nonlocal created
        created += 1
        return encode_latest(table, audience)

    monkeypatch.setattr(history, "encode_latest", counted)
    async with service(sqlite_url, log) as tables:
        replays = [asyncio.create_task(past_messages(tables, seat)) for seat in (0, 1) * 5]
        longest = 0
        while not all(each.done() for each in replays):
            before = created
            await asyncio.sleep(0)
            longest = max(longest, created - before)
        assert [len(await each) for each in replays] == [3000] * 10
        assert 0 < longest < 300
        assert created <= 2 * 3000, "concurrent requests share the messages"


@pytest.mark.anyio
async def test_a_client_that_reads_slowly_misses_nothing_that_happens_meanwhile(
    sqlite_url: str,
) -> None:
    log = long_log(2 * PAGE + 30)
    async with service(sqlite_url, log) as tables:
        subscriber = await open_stream(tables, 0)
        versions = []
        async for page in tables.replay(TABLE, subscriber, 0):
            versions += [message.version for message in page]
            if len(versions) < 4 * PAGE:
                for _ in range(20):
                    await tables.act(TABLE, no_command)
                    await tables.act(TABLE, lambda table: table.leave(0) or table.rejoin(0))
        last = (await tables.act(TABLE, lambda table: table.resign(0))).version
        while versions[-1] < last:
            message = await subscriber.receive()
            assert message is not None
            versions.append(message.version)
        assert versions == list(range(1, last + 1))
        assert subscriber.waiting == (0, 0)


@pytest.mark.anyio
async def test_a_finished_game_is_replayed_once_for_many_requests(sqlite_url: str) -> None:
    log = long_log(240)
    over = LogEntry(241, log[-1].at, Resigned(0))
    async with service(sqlite_url, [*log, over]) as tables:
        first = await past_messages(tables, 1)
        entries_read(tables)
        for _ in range(20):
            assert await past_messages(tables, 1) == first
        assert entries_read(tables) == 0
        await tables.act(TABLE, lambda table: table.offer_rematch(0))
        later = await past_messages(tables, 1)
        assert later[:-1] == first
        assert b'"kind":"offered"' in later[-1].body


def test_the_cache_of_pages_has_a_limit_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "CACHE_BYTES", 1000)
    pages = PageCache()
    for number in range(10):
        pages.put((TABLE, None, number), (EncodedMessage(number, bytes(300)),))
        assert pages.get((TABLE, None, 0)), "the page that is used again stays"
        assert pages.size <= 1000
    pages.put((TABLE, None, 0), (EncodedMessage(0, bytes(300)), EncodedMessage(1, bytes(300))))
    assert pages.size <= 1000
    pages.put((TABLE, 0, 0), (EncodedMessage(0, bytes(2000)),))
    assert pages.size == 0


@pytest.mark.anyio
async def test_a_replay_of_a_table_that_is_deleted_ends(sqlite_url: str) -> None:
    async with service(sqlite_url, long_log(3 * replay.PAGE)) as tables:
        subscriber = await open_stream(tables, 0)
        pages = tables.replay(TABLE, subscriber, 0)
        await anext(pages)
        sql = "DELETE FROM tables"
        await tables.store._database.write(lambda each: each.exec_driver_sql(sql))
        with pytest.raises(Refused) as refused:
            _ = [page async for page in pages]
        assert refused.value.code == RefusalCode.NO_SUCH_TABLE


def test_a_request_for_many_events_counts_as_many_requests(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, requests_a_second=2) as host:
        client = stored_table(host, 700)
        wait_for(lambda: client.get("/events.ndjson", after=699, follow=False).is_success)
        wait_for(lambda: client.get("/events.ndjson", after=0, follow=False).is_success)
        refused = client.get("")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
        assert int(refused.headers["retry-after"]) > 1


# Snapshots


async def has_snapshot(tables: TableService) -> bool:
    return await tables.store.read_snapshot(TABLE, NO_LIMIT, replay.NEVER) is not None


async def wait_for_snapshot(tables: TableService) -> None:
    async with asyncio.timeout(LIMIT):
        while not await has_snapshot(tables):
            await asyncio.sleep(0.005)


@pytest.mark.anyio
async def test_a_long_table_is_loaded_from_a_snapshot(database_url: str) -> None:
    log = long_log(2 * SNAPSHOT_EVERY + 100)
    async with service(database_url, log) as first:
        async with first.locked(TABLE) as table:
            whole = Table.replay(TABLE, log)
            assert table == whole
        await wait_for_snapshot(first)
    async with service(database_url) as second:
        async with second.locked(TABLE) as table:
            assert table == whole
        assert entries_read(second) < len(log) / 2
        outcome = await second.act(TABLE, lambda table: table.leave(0))
        assert outcome.table == Table.replay(TABLE, await second.store.read(TABLE))


@pytest.mark.anyio
async def test_a_table_that_grows_gets_a_snapshot(sqlite_url: str) -> None:
    async with service(sqlite_url, long_log(SNAPSHOT_EVERY - 2)) as tables:
        await tables.act(TABLE, no_command)
        assert not await has_snapshot(tables)
        for _ in range(2):
            await tables.act(TABLE, lambda table: table.leave(0) or table.rejoin(0))
        await wait_for_snapshot(tables)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE snapshots SET state = '{}'",
        "UPDATE snapshots SET format = 'another'",
        f"DELETE FROM entries WHERE version > {SNAPSHOT_EVERY}",
        f"UPDATE entries SET at = at + 1 WHERE version = {SNAPSHOT_EVERY + 10}",
    ],
)
async def test_a_snapshot_that_is_unreadable_or_differs_from_the_log_is_ignored(
    sqlite_url: str, sql: str
) -> None:
    async with service(sqlite_url, long_log(SNAPSHOT_EVERY + 10)) as first:
        async with first.locked(TABLE):
            pass
        await wait_for_snapshot(first)
        await first.store._database.write(lambda each: each.exec_driver_sql(sql))
    async with service(sqlite_url) as second, second.locked(TABLE) as table:
        assert table == Table.replay(TABLE, await second.store.read(TABLE))


@pytest.mark.anyio
async def test_concurrent_requests_load_a_table_once(sqlite_url: str) -> None:
    log = long_log(300)
    async with service(sqlite_url, log) as tables:
        await asyncio.gather(*(tables.act(TABLE, no_command) for _ in range(10)))
        assert entries_read(tables) == len(log)


# Spectators


@pytest.mark.anyio
async def test_the_delayed_state_is_replayed_once_and_moves_forward(sqlite_url: str) -> None:
    log = long_log(200)
    async with service(sqlite_url, log) as tables:
        now = log[149].at + spectators.DELAY
        tables.now = lambda: now
        for version in (150, 150, 151, 160, 200, 200):
            now = log[version - 1].at + spectators.DELAY
            async with tables.locked(TABLE):
                assert await tables.delayed_table(TABLE) == Table.replay(TABLE, log[:version])
            if version == 150:
                entries_read(tables)
        assert entries_read(tables) == 0


@pytest.mark.anyio
async def test_a_spectator_of_a_long_table_needs_no_full_replay(sqlite_url: str) -> None:
    log = long_log(2 * SNAPSHOT_EVERY + 400)
    early = log[: SNAPSHOT_EVERY + 200]
    async with service(sqlite_url, early) as first:
        async with first.locked(TABLE):
            pass
        await wait_for_snapshot(first)
        await first.store.append(TABLE, log[len(early) :], Table.replay(TABLE, log).status)
    async with service(sqlite_url) as second:
        async with second.locked(TABLE):
            await wait_for_snapshot(second)
            entries_read(second)
            second.now = lambda: log[999].at + spectators.DELAY
            assert await second.delayed_table(TABLE) == Table.replay(TABLE, log[:1000])
        assert entries_read(second) < len(log)


# Streams that are not read


@pytest.mark.parametrize("size", [10, QUEUE_BYTES // 10])
def test_the_queue_of_a_subscriber_has_limits_in_messages_and_bytes(size: int) -> None:
    subscriber = Subscriber(0)
    subscriber.live = True
    for version in range(10 * QUEUE_LIMIT):
        if subscriber.live:
            subscriber.send(EncodedMessage(version, bytes(size)))
        count, total = subscriber.waiting
        assert count <= QUEUE_LIMIT
        assert total <= QUEUE_BYTES
    assert subscriber.closed


def stored_table(host: ThreadedServer, events: int) -> Client:
    """A client of a table with a long log."""
    log = [entry.event for entry in long_log(events)]
    store_events(host.database, TABLE, [*log, Resigned(0)], ago=3600 * SECOND)
    return Client(host.http, TABLE, SECRETS[0], 0)


def never_read(host: ThreadedServer, client: Client, path: str) -> socket.socket:
    """A connection that asks for a stream and does not read it."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(TIMEOUT)
    connection.connect(("127.0.0.1", host.port))
    lines = [f"GET {client.path}{path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"Authorization: Bearer {client.secret}", "", ""]
    connection.sendall("\r\n".join(lines).encode())
    return connection


@pytest.mark.parametrize("path", ["/events?after=0", "/events.ndjson?after=0"])
def test_thirty_streams_that_are_never_read_hold_little_memory(tmp_path: Path, path: str) -> None:
    with run_in_thread(tmp_path, send_buffer=4096) as host, ExitStack() as stack:
        client = stored_table(host, 1500)
        assert len(client.messages()) == 1501
        sent = sum(map(len, client.messages()))
        tracemalloc.start()
        stack.callback(tracemalloc.stop)
        for _ in range(30):
            stack.enter_context(never_read(host, client, path))
        wait_for(lambda: len(host.tables.subscribers(TABLE)) == 30)
        for _ in range(20):
            client.get_table()
        held, _peak = tracemalloc.get_traced_memory()
        assert sent > 2_000_000
        assert held < 5 * sent, "each stream holds less than a sixth of its messages"


def test_concurrent_requests_cannot_exceed_the_limit_of_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_STREAMS", 3)
    with run_in_thread(tmp_path) as host, ExitStack() as stack, ThreadPoolExecutor(30) as pool:
        watcher = spectator(two_players(host.http)[0])

        def status(_number: int) -> bytes:
            connection = stack.enter_context(never_read(host, watcher, "/events"))
            return connection.recv(12)[-3:]

        statuses = list(pool.map(status, range(30)))
        assert sorted(statuses) == [b"200"] * 3 + [b"429"] * 27
        assert len(host.tables.subscribers(watcher.table)) == 3
