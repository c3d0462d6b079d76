"""Nothing acknowledged is lost or applied twice when processes are killed during games.

Afterwards the event logs are compared with what every player sent and received: each acknowledged move is stored once,
and each stream had every version once, in order, with the same bytes that a replay gives.
"""

import asyncio
import resource
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import httpx
import pytest

from server.crash_servers import CrashServer, games, some_moves
from server.services import Postgres, Redis

pytestmark = pytest.mark.anyio

FRIENDS = [None]
LEVELS = ["random", None, "peddler", "greedy", "broker", "merchant", "vizier"]
FULL = resource.RLIMIT_FSIZE
SOAK = pytest.mark.long


class Start(Protocol):
    """Starts a server process."""

    def __call__(self, url: str, *arguments: str) -> CrashServer: ...


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with ExitStack() as stack:

        def begin(url: str, *arguments: str) -> CrashServer:
            server = CrashServer(tmp_path / "log", url, *arguments)
            stack.callback(server.kill)
            return server

        yield begin


@pytest.fixture
def two_servers(start: Start, postgres_url: str, redis: Redis) -> list[CrashServer]:
    servers = [start(postgres_url, "--redis", redis.url) for _ in range(2)]
    for server in servers:
        server.wait()
    return servers


@pytest.mark.parametrize(
    ("kind", "kills", "friends"),
    [
        ("sqlite", 6, 30),
        ("postgres", 3, 20),
        pytest.param("sqlite", 60, 50, marks=SOAK),
        pytest.param("postgres", 50, 40, marks=SOAK),
    ],
)
async def test_nothing_is_lost_when_the_server_is_killed(
    kind: str, kills: int, friends: int, request: pytest.FixtureRequest, start: Start
) -> None:
    database_url: str = request.getfixturevalue(f"{kind}_url")
    server = start(database_url)
    seats = [*LEVELS, *FRIENDS * friends]
    last_moves = 5 if kills < 20 else None
    async with games(database_url, [server], 1, seats, last_moves) as session:
        for _ in range(kills):
            await some_moves(session)
            server.kill()
            await asyncio.to_thread(server.start)
    assert session.figures["played out"] > 0
    if kills >= 20:
        assert session.figures["stored before the retry"] > 0


@pytest.mark.parametrize(("kills", "friends"), [(2, 12), pytest.param(50, 30, marks=SOAK)])
async def test_nothing_is_lost_when_one_of_two_servers_is_killed_and_redis_restarts(
    kills: int, friends: int, postgres_url: str, redis: Redis, two_servers: list[CrashServer]
) -> None:
    seats = [*LEVELS, *FRIENDS * friends]
    last_moves = 5 if kills < 20 else None
    async with games(postgres_url, two_servers, 2, seats, last_moves) as session:
        for number in range(kills):
            if number % 5 == 0:
                await some_moves(session)
                await asyncio.to_thread(redis.stop)
                await some_moves(session)
                await asyncio.to_thread(redis.start)
            await some_moves(session)
            server = session.rng.choice(two_servers)
            server.kill()
            await some_moves(session)
            await asyncio.to_thread(server.start)
            await asyncio.to_thread(server.wait)


@pytest.mark.parametrize(("kills", "friends"), [(1, 10), pytest.param(20, 30, marks=SOAK)])
async def test_nothing_is_lost_when_the_database_is_killed(
    kills: int, friends: int, postgres: Postgres, postgres_url: str, two_servers: list[CrashServer]
) -> None:
    # A computer move that could not be stored is retried only after 30 seconds.
    seats = [*(LEVELS if kills > 1 else []), *FRIENDS * friends]
    last_moves = 5 if kills < 20 else None
    async with games(postgres_url, two_servers, 3, seats, last_moves) as session:
        for _ in range(kills):
            await some_moves(session)
            await asyncio.to_thread(postgres.kill)
            await asyncio.to_thread(postgres.start)


async def test_a_torn_write_after_the_last_commit_is_ignored(sqlite_url: str, start: Start) -> None:
    server = start(sqlite_url)
    async with games(sqlite_url, [server], 4, FRIENDS * 6, 2) as session:
        await some_moves(session)
        server.kill()
        ahead = _wal_file(sqlite_url)
        frame = ahead.read_bytes()[-4120:]
        with ahead.open("ab") as file:
            file.write(frame[: session.rng.randrange(24, 4120)])
        await asyncio.to_thread(server.start)


async def test_a_full_disk_is_reported_and_games_continue_when_there_is_room(
    sqlite_url: str, start: Start
) -> None:
    server = start(sqlite_url)
    async with games(sqlite_url, [server], 5, FRIENDS * 6, 2) as session:
        assert server.process.pid is not None
        size = _wal_file(sqlite_url).stat().st_size
        _, most = resource.prlimit(server.process.pid, FULL)
        resource.prlimit(server.process.pid, FULL, (size, most))
        await session.until(lambda: session.lost["503 unavailable"] >= 20)
        done = session.done
        await session.until(lambda: session.lost["503 unavailable"] >= 40)
        assert session.done == done
        assert await asyncio.to_thread(readiness, server.port) == 503
        resource.prlimit(server.process.pid, FULL, (most, most))
        await session.until(lambda: session.done > done)
        assert await asyncio.to_thread(readiness, server.port) == 200


def readiness(port: int) -> int:
    return httpx.get(f"http://127.0.0.1:{port}/ready").status_code


def _wal_file(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///") + "-wal")
