"""The bell on a real Redis: what rings here is heard there, and whoever may have missed something is told."""

import asyncio
import subprocess
import sys
from collections.abc import Callable

import pytest

from jaipur.server.live import pubsub as bell
from jaipur.server.live.pubsub import BellError, ChangeNotifier
from server.services import Redis

pytestmark = pytest.mark.anyio


class Subscriber:
    """A bell, and what was heard on it."""

    def __init__(self, url: str) -> None:
        self.heard: list[tuple[str, int]] = []
        self.gaps = 0
        self.bell = ChangeNotifier(url, self._on_ring, self._on_gap)

    async def _on_ring(self, table: str, version: int) -> None:
        self.heard.append((table, version))
        if table == "nonsense":
            raise ValueError("a mistake of the listener")

    def _on_gap(self) -> None:
        self.gaps += 1

    async def __aenter__(self) -> "Subscriber":
        await self.bell.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.bell.close()


async def until(happens: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not happens():
            await asyncio.sleep(0.01)


async def test_a_ring_is_heard_by_the_others_and_not_by_oneself(redis: Redis) -> None:
    async with (
        Subscriber(redis.url) as one,
        Subscriber(redis.url) as two,
        Subscriber(redis.url) as three,
    ):
        one.bell.ring("table", 7)
        two.bell.ring("other table", 1)
        await until(lambda: len(three.heard) == 2)
        await until(lambda: bool(one.heard and two.heard))
        assert (one.heard, two.heard) == ([("other table", 1)], [("table", 7)])
        assert (one.gaps, two.gaps, three.gaps) == (0, 0, 0)


async def test_many_rings_arrive_in_order(redis: Redis) -> None:
    async with Subscriber(redis.url) as one, Subscriber(redis.url) as two:
        for version in range(1000):
            one.bell.ring("table", version)
        await until(lambda: len(two.heard) == 1000)
        assert two.heard == [("table", version) for version in range(1000)]


async def test_a_listener_that_fails_hears_the_next_ring(redis: Redis) -> None:
    async with Subscriber(redis.url) as one, Subscriber(redis.url) as two:
        one.bell.ring("nonsense", 1)
        one.bell.ring("table", 1)
        await until(lambda: two.heard == [("nonsense", 1), ("table", 1)])


async def test_redis_restarts_and_everybody_is_told_of_the_gap(redis: Redis) -> None:
    async with Subscriber(redis.url) as one, Subscriber(redis.url) as two:
        redis.stop()
        await until(lambda: not one.bell.healthy and not two.bell.healthy)
        one.bell.ring("meanwhile", 1)
        assert (one.gaps, two.gaps) == (0, 0)
        redis.start()
        await until(lambda: one.gaps == 1 and two.gaps == 1)
        await until(lambda: one.bell.healthy and two.bell.healthy)
        one.bell.ring("afterwards", 1)
        await until(lambda: ("afterwards", 1) in two.heard)


async def test_who_could_not_tell_of_everything_says_so(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bell, "KEPT", 10)
    async with Subscriber(redis.url) as one, Subscriber(redis.url) as two:
        for version in range(25):
            one.bell.ring("table", version)
        await until(lambda: two.gaps == 1)
        assert two.heard == [("table", version) for version in range(15, 25)]
        assert one.gaps == 0


async def test_a_redis_that_falls_silent_is_noticed(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bell, "SILENCE", 0.1)
    monkeypatch.setattr(bell, "PATIENCE", 0.2)
    async with Subscriber(redis.url) as one:
        await asyncio.sleep(0.5)
        assert one.bell.healthy, "a quiet Redis still answers"
        redis.freeze()
        await until(lambda: not one.bell.healthy)
        redis.thaw()
        await until(lambda: one.bell.healthy)
        assert one.gaps == 1


async def test_the_last_ring_before_closing_is_heard(redis: Redis) -> None:
    async with Subscriber(redis.url) as one:
        async with Subscriber(redis.url) as two:
            two.bell.ring("table", 9)
        await until(lambda: one.heard == [("table", 9)])


async def test_closing_does_not_wait_for_redis(redis: Redis) -> None:
    one = Subscriber(redis.url)
    await one.bell.start()
    redis.stop()
    one.bell.ring("table", 1)
    await asyncio.sleep(0.1)
    async with asyncio.timeout(2):
        await one.bell.close()
    redis.start()
    assert not one.bell.healthy


@pytest.mark.parametrize(
    "url", ["", "nonsense", "http://localhost", "redis://localhost:1", "unix:///no/such/socket"]
)
async def test_a_bell_that_cannot_be_hung_up_says_so_in_one_sentence(url: str) -> None:
    with pytest.raises(BellError) as told:
        await Subscriber(url).bell.start()
    assert "\n" not in str(told.value)
    assert str(told.value).startswith("Redis ")
    assert str(told.value).endswith(".")


async def test_redis_without_its_library_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(BellError, match=r"pip install 'jaipur\[hosting\]'"):
        await Subscriber("redis://localhost").bell.start()


async def test_importing_the_bell_needs_no_redis() -> None:
    script = "import sys, jaipur.server.live.pubsub; assert 'redis' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
