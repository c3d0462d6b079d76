"""Nothing acknowledged is lost or doubled when servers, PostgreSQL or Redis are killed. The referee uses only HTTP."""

import asyncio
from random import Random

import pytest

from chaos.comparison import verify
from chaos.process import Start
from chaos.referee import Referee
from server.services import Postgres, Redis

pytestmark = [pytest.mark.long, pytest.mark.anyio]

GAMES = 20
LEVELS = ["random", "greedy", "merchant"]


def people(port: int, seed: int) -> Referee:
    """A referee with games of two people and games against computers."""
    print(f"seed {seed}")
    referee = Referee(port, Random(seed))
    for number in range(GAMES):
        referee.play(f"127.0.1.{number + 1}", 0.02)
    for number, level in enumerate(LEVELS):
        referee.play(f"127.0.2.{number + 1}", 0.02, level)
    return referee


async def some_moves(referee: Referee) -> None:
    """Wait for some moves, then for a random part of the next ones."""
    wanted = referee.moves + referee.rng.choice((1, 20, 60))
    await referee.until(lambda: referee.moves >= wanted)
    await asyncio.sleep(referee.rng.uniform(0, 0.1))


async def nothing_is_lost(referee: Referee) -> None:
    await some_moves(referee)
    await referee.close()
    comparison = await verify(referee)
    print(f"{comparison}, repeated requests: {dict(referee.lost_responses)}")
    assert comparison.acknowledged > 0
    assert (comparison.lost, comparison.doubled, comparison.differences) == (0, 0, [])


@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 100), ("postgres", 100)])
async def test_nothing_is_lost_in_a_hundred_kills(
    kind: str, kills: int, request: pytest.FixtureRequest, start: Start
) -> None:
    database_url: str = request.getfixturevalue(f"{kind}_url")
    server = start(database_url)
    referee = people(server.port, 1)
    for _ in range(kills):
        await some_moves(referee)
        server.kill()
        await asyncio.to_thread(server.start)
    assert referee.lost_responses
    await nothing_is_lost(referee)


async def test_nothing_is_lost_when_postgres_is_killed(
    postgres: Postgres, postgres_url: str, start: Start
) -> None:
    server = start(postgres_url)
    referee = people(server.port, 2)
    for _ in range(10):
        await some_moves(referee)
        await asyncio.to_thread(postgres.kill)
        await asyncio.to_thread(postgres.start)
    await nothing_is_lost(referee)


async def test_nothing_is_lost_when_redis_stops_or_freezes(
    postgres_url: str, redis: Redis, start: Start
) -> None:
    servers = [start(postgres_url, "--redis", redis.url) for _ in range(2)]
    referees = [people(server.port, number) for number, server in enumerate(servers, 3)]
    for _ in range(3):
        for referee in referees:
            await some_moves(referee)
        await asyncio.to_thread(redis.stop)
        for referee in referees:
            await some_moves(referee)
        await asyncio.to_thread(redis.start)
        redis.freeze()
        for referee in referees:
            await some_moves(referee)
        redis.thaw()
    for referee in referees:
        await nothing_is_lost(referee)
