"""What was acknowledged is never lost and never happens twice, whatever is killed while games are being played.

Afterwards the journals are compared with what every trader sent and heard: each move of a person was acknowledged and
is there once, and each stream told every version once, in order, and to the byte what the journal tells.
"""

import asyncio
import resource
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest

from server.services import Postgres, Redis
from server.victims import Victim, games, some_moves

pytestmark = pytest.mark.anyio

FRIENDS = [None]
LEVELS = ["random", None, "peddler", "greedy", "broker", "merchant", "vizier"]
FULL = resource.RLIMIT_FSIZE
SOAK = pytest.mark.long


class Start(Protocol):
    """Starts a server."""

    def __call__(self, url: str, *arguments: str) -> Victim: ...


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with ExitStack() as stack:

        def begin(url: str, *arguments: str) -> Victim:
            victim = Victim(tmp_path / "log", url, *arguments)
            stack.callback(victim.kill)
            return victim

        yield begin


@pytest.fixture
def two_servers(start: Start, postgres_url: str, redis: Redis) -> list[Victim]:
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
    storage_url: str = request.getfixturevalue(f"{kind}_url")
    server = start(storage_url)
    seats = [*LEVELS, *FRIENDS * friends]
    last_moves = 5 if kills < 20 else None
    async with games(storage_url, [server], 1, seats, last_moves) as party:
        for _ in range(kills):
            await some_moves(party)
            server.kill()
            await asyncio.to_thread(server.start)
    assert party.figures["played out"] > 0
    if kills >= 20:
        assert party.figures["kept before the retry"] > 0


@pytest.mark.parametrize(("kills", "friends"), [(2, 12), pytest.param(50, 30, marks=SOAK)])
async def test_nothing_is_lost_when_one_of_two_servers_is_killed_and_redis_restarts(
    kills: int, friends: int, postgres_url: str, redis: Redis, two_servers: list[Victim]
) -> None:
    seats = [*LEVELS, *FRIENDS * friends]
    last_moves = 5 if kills < 20 else None
    async with games(postgres_url, two_servers, 2, seats, last_moves) as party:
        for number in range(kills):
            if number % 5 == 0:
                await some_moves(party)
                await asyncio.to_thread(redis.stop)
                await some_moves(party)
                await asyncio.to_thread(redis.start)
            await some_moves(party)
            victim = party.rng.choice(two_servers)
            victim.kill()
            await some_moves(party)
            await asyncio.to_thread(victim.start)
            await asyncio.to_thread(victim.wait)


@pytest.mark.parametrize(("kills", "friends"), [(1, 10), pytest.param(20, 30, marks=SOAK)])
async def test_nothing_is_lost_when_the_database_is_killed(
    kills: int, friends: int, postgres: Postgres, postgres_url: str, two_servers: list[Victim]
) -> None:
    # A computer whose move could not be kept is asked again only after a while.
    seats = [*(LEVELS if kills > 1 else []), *FRIENDS * friends]
    last_moves = 5 if kills < 20 else None
    async with games(postgres_url, two_servers, 3, seats, last_moves) as party:
        for _ in range(kills):
            await some_moves(party)
            await asyncio.to_thread(postgres.kill)
            await asyncio.to_thread(postgres.start)


async def test_half_a_write_after_the_last_commit_does_no_harm(
    sqlite_url: str, start: Start
) -> None:
    server = start(sqlite_url)
    async with games(sqlite_url, [server], 4, FRIENDS * 6, 2) as party:
        await some_moves(party)
        server.kill()
        ahead = _write_ahead(sqlite_url)
        frame = ahead.read_bytes()[-4120:]
        with ahead.open("ab") as file:
            file.write(frame[: party.rng.randrange(24, 4120)])
        await asyncio.to_thread(server.start)


async def test_a_full_disk_is_told_in_a_sentence_and_the_games_go_on_when_there_is_room(
    sqlite_url: str, start: Start
) -> None:
    server = start(sqlite_url)
    async with games(sqlite_url, [server], 5, FRIENDS * 6, 2) as party:
        assert server.process.pid is not None
        size = _write_ahead(sqlite_url).stat().st_size
        _, most = resource.prlimit(server.process.pid, FULL)
        resource.prlimit(server.process.pid, FULL, (size, most))
        await party.until(lambda: party.lost["503 unavailable"] >= 20)
        done = party.done
        await party.until(lambda: party.lost["503 unavailable"] >= 40)
        assert party.done == done
        resource.prlimit(server.process.pid, FULL, (most, most))
        await party.until(lambda: party.done > done)


def _write_ahead(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///") + "-wal")
