"""Change notifications over a real Redis: delivery to other processes, and detection of gaps."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from typing import Self

import pytest

from jaipur.server.live import pubsub
from jaipur.server.live.pubsub import ChangeNotifier, PubSubError
from server.services import Redis
from server.waiting import LIMIT, until

pytestmark = pytest.mark.anyio


class Receiver:
    """A notifier and everything it received."""

    def __init__(self, url: str) -> None:
        self.changes: list[tuple[str, int]] = []
        self.gaps = 0
        self.notifier = ChangeNotifier(url, self._on_change, self._on_gap)
        self._received = asyncio.Event()

    def _on_change(self, table: str, version: int) -> None:
        self.changes.append((table, version))
        self._received.set()
        if table == "fail":
            raise ValueError("a bug in the callback")

    def _on_gap(self) -> None:
        self.gaps += 1
        self._received.set()

    async def received(self, condition: Callable[[], bool]) -> None:
        """Wait until what was received meets a condition."""
        async with asyncio.timeout(LIMIT):
            while not condition():
                self._received.clear()
                await self._received.wait()

    async def healthy(self) -> None:
        await until(lambda: self.notifier.healthy)

    async def unhealthy(self) -> None:
        await until(lambda: not self.notifier.healthy)

    async def __aenter__(self) -> Self:
        await self.notifier.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.notifier.close()


async def test_a_change_is_received_by_the_others_and_not_by_the_sender(redis: Redis) -> None:
    async with Receiver(redis.url) as one, Receiver(redis.url) as two, Receiver(redis.url) as three:
        one.notifier.notify("table", 7)
        two.notifier.notify("other table", 1)
        await three.received(lambda: len(three.changes) == 2)
        await one.received(lambda: bool(one.changes))
        await two.received(lambda: bool(two.changes))
        assert (one.changes, two.changes) == ([("other table", 1)], [("table", 7)])
        assert (one.gaps, two.gaps, three.gaps) == (0, 0, 0)


async def test_many_changes_arrive_in_order(redis: Redis) -> None:
    async with Receiver(redis.url) as one, Receiver(redis.url) as two:
        for version in range(1000):
            one.notifier.notify("table", version)
        await two.received(lambda: len(two.changes) == 1000)
        assert two.changes == [("table", version) for version in range(1000)]


async def test_a_callback_that_fails_does_not_stop_the_receiver(redis: Redis) -> None:
    async with Receiver(redis.url) as one, Receiver(redis.url) as two:
        one.notifier.notify("fail", 1)
        one.notifier.notify("table", 1)
        await two.received(lambda: two.changes == [("fail", 1), ("table", 1)])


async def test_a_restart_of_redis_is_a_gap_for_everyone(redis: Redis) -> None:
    async with Receiver(redis.url) as one, Receiver(redis.url) as two:
        redis.stop()
        await one.unhealthy()
        await two.unhealthy()
        one.notifier.notify("during", 1)
        assert (one.gaps, two.gaps) == (0, 0)
        redis.start()
        await one.received(lambda: one.gaps == 1)
        await two.received(lambda: two.gaps == 1)
        await one.healthy()
        await two.healthy()
        one.notifier.notify("after", 1)
        await two.received(lambda: ("after", 1) in two.changes)


async def test_dropped_notifications_are_announced_as_a_gap(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pubsub, "QUEUE_LIMIT", 10)
    async with Receiver(redis.url) as one, Receiver(redis.url) as two:
        for version in range(25):
            one.notifier.notify("table", version)
        await two.received(lambda: two.gaps == 1)
        assert two.changes == [("table", version) for version in range(15, 25)]
        assert one.gaps == 0


async def test_a_redis_that_stops_answering_is_detected(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    from redis.asyncio.client import PubSub  # noqa: PLC0415  # an extra

    ping, pings = PubSub.ping, asyncio.Semaphore(0)

    async def counted(self: PubSub) -> object:
        pings.release()
        return await ping(self)

    monkeypatch.setattr(PubSub, "ping", counted)
    monkeypatch.setattr(pubsub, "PING_AFTER", 0.1)
    monkeypatch.setattr(pubsub, "TIMEOUT", 0.2)
    async with Receiver(redis.url) as one:
        for _ in range(3):
            await pings.acquire()
        assert one.notifier.healthy, "an idle Redis answers pings"
        redis.freeze()
        await one.unhealthy()
        redis.thaw()
        await one.healthy()
        await one.received(lambda: one.gaps == 1)


async def test_closing_sends_what_is_queued(redis: Redis) -> None:
    async with Receiver(redis.url) as one:
        async with Receiver(redis.url) as two:
            two.notifier.notify("table", 9)
        await one.received(lambda: one.changes == [("table", 9)])


async def test_closing_does_not_wait_for_redis(redis: Redis) -> None:
    one = Receiver(redis.url)
    await one.notifier.start()
    redis.stop()
    one.notifier.notify("table", 1)
    await one.unhealthy()
    async with asyncio.timeout(2 * pubsub.FLUSH_TIMEOUT):
        await one.notifier.close()
    redis.start()
    assert not one.notifier.healthy


@pytest.mark.parametrize(
    "url", ["", "nonsense", "http://localhost", "redis://localhost:1", "unix:///no/such/socket"]
)
async def test_a_redis_that_cannot_be_used_is_explained_in_one_sentence(url: str) -> None:
    with pytest.raises(PubSubError) as error:
        await Receiver(url).notifier.start()
    assert "\n" not in str(error.value)
    assert str(error.value).startswith("Redis ")
    assert str(error.value).endswith(".")


async def test_without_the_redis_library_the_error_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(PubSubError, match=r"pip install 'jaipur\[hosting\]'"):
        await Receiver("redis://localhost").notifier.start()


async def test_importing_the_module_does_not_import_redis() -> None:
    script = "import sys, jaipur.server.live.pubsub; assert 'redis' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
