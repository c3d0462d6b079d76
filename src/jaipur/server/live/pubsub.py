"""Rings when a table has changed, so that the other processes of a server read on; Redis carries the sound.

A ring only says where to look: what happened stands in the storage. So a ring may be lost, as long as whoever may have
missed one is told (`on_gap`) and reads everything again. Ringing never waits and never fails. What somebody kept who
died before ringing is found by comparing (`TableService.compare`).
"""

import asyncio
import logging
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.asyncio.client import PubSub

OnRing = Callable[[str, int], Awaitable[None] | None]
OnGap = Callable[[], Awaitable[None] | None]

CHANNEL = "jaipur.tables"
KEPT = 10_000
"""Rings kept while Redis is away; beyond that the oldest is lost, and everybody is told of a gap instead."""
AT_ONCE = 200
EVERYTHING = "*"
"""Rung in place of a table: somebody could not tell of all changes."""
PATIENCE = 5.0
SILENCE = 10.0
"""Seconds without a sound after which Redis is asked whether it is still there."""
LONGEST_PAUSE = 5.0
LAST_WORDS = 1.0

_log = logging.getLogger(__name__)


class BellError(Exception):
    """The bell cannot be hung up; the sentence says why."""


class ChangeNotifier:
    """Tells other processes which table has which version now, and hears it from them, not from itself."""

    def __init__(self, url: str, on_ring: OnRing, on_gap: OnGap) -> None:
        self._url = url
        self._on_ring = on_ring
        self._on_gap = on_gap
        self._me = uuid.uuid4().hex
        self._rings: deque[str] = deque(maxlen=KEPT)
        self._rang, self._told = asyncio.Event(), asyncio.Event()
        self._told.set()
        self._lost = False
        self._hears = self._speaks = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def healthy(self) -> bool:
        """Whether rings come and go at this moment."""
        return self._hears and self._speaks

    def ring(self, table: str, version: int) -> None:
        """Tell the others, soon."""
        self._lost |= len(self._rings) == KEPT
        self._rings.append(f"{self._me} {version} {table}")
        self._rang.set()
        self._told.clear()

    async def start(self) -> None:
        """Listen and speak from now on; `BellError` where Redis cannot be reached."""
        try:
            self._redis = _client(self._url)
        except ModuleNotFoundError:
            raise BellError("Redis needs an extra: pip install 'jaipur[hosting]'.") from None
        except ValueError as error:
            raise BellError("Redis is given as redis://host:port or unix:///path.") from error
        try:
            ear = await self._listen()
        except _failures(
            TypeError
        ) as error:  # this one for an option of the URL that it does not know
            await self._redis.aclose()
            reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
            raise BellError(f"Redis cannot be reached: {reason}.") from error
        self._hears = self._speaks = True
        self._tasks = [asyncio.create_task(self._hear(ear)), asyncio.create_task(self._speak())]

    async def close(self) -> None:
        """Fall silent, after a moment to tell the last changes."""
        if not self._tasks:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._told.wait(), LAST_WORDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        self._hears = self._speaks = False
        await self._redis.aclose()

    async def _listen(self) -> "PubSub":
        ear = self._redis.pubsub()
        async with AsyncExitStack() as failing:
            failing.push_async_callback(_drop, ear)
            await ear.subscribe(CHANNEL)
            if await ear.get_message(timeout=PATIENCE) is None:
                raise TimeoutError("it does not answer")
            failing.pop_all()
        return ear

    async def _hear(self, ear: "PubSub") -> None:
        while True:
            try:
                await self._hear_until_lost(ear)
            except _failures(ValueError) as error:  # this one for what no bell has rung
                _log.warning("Redis is not heard any more (%s); trying again.", error)
            finally:
                self._hears = False
                await _drop(ear)
            for pause in _pauses():
                await asyncio.sleep(pause)
                with suppress(*_failures()):
                    ear = await self._listen()
                    break
            self._hears = True
            await self._call(self._on_gap)

    async def _hear_until_lost(self, ear: "PubSub") -> None:
        asked = False
        while True:
            heard = await ear.get_message(timeout=SILENCE)
            if heard is None:
                if asked:
                    raise TimeoutError("it does not answer")
                await ear.ping()
            elif heard["type"] == "message":
                who, version, table = heard["data"].split(" ", 2)
                if who != self._me:
                    ring = (table, int(version)) if table != EVERYTHING else ()
                    await self._call(self._on_ring if ring else self._on_gap, *ring)
            asked = heard is None

    async def _call(self, subscriber: Callable[..., Awaitable[None] | None], *ring: object) -> None:
        try:
            answer = subscriber(*ring)
            if answer is not None:
                await answer
        except Exception:  # a mistake of whoever listens must not make this process deaf
            _log.exception("Whoever listens to the bell failed.")

    async def _speak(self) -> None:
        while True:
            await self._rang.wait()
            self._rang.clear()
            while rings := self._next_rings():
                await self._publish(rings)
            self._told.set()

    def _next_rings(self) -> list[str]:
        rings = [self._rings.popleft() for _ in range(min(AT_ONCE, len(self._rings)))]
        if self._lost:
            rings.append(f"{self._me} 0 {EVERYTHING}")
            self._lost = False
        return rings

    async def _publish(self, rings: list[str]) -> None:
        for pause in _pauses():
            try:
                async with self._redis.pipeline(transaction=False) as pipeline:
                    for ring in rings:
                        pipeline.publish(CHANNEL, ring)
                    await pipeline.execute()
                self._speaks = True
                return
            except _failures() as error:
                _log.warning("Redis cannot be told of changes (%s); trying again.", error)
                self._speaks = False
                await asyncio.sleep(pause)


def _pauses() -> Iterator[float]:
    pause = 0.05
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE)


def _client(url: str) -> "Redis":
    from redis.asyncio import Redis  # noqa: PLC0415  # an extra
    from redis.asyncio.retry import Retry  # noqa: PLC0415
    from redis.backoff import NoBackoff  # noqa: PLC0415

    # Its own way of trying again would hide that something may have been missed.
    never, seconds = Retry(NoBackoff(), 0), PATIENCE
    return Redis.from_url(
        url,
        decode_responses=True,
        retry=never,
        socket_connect_timeout=seconds,
        socket_timeout=seconds,
    )


async def _drop(ear: "PubSub") -> None:
    await ear.aclose()  # type: ignore[no-untyped-call]  # the library says nothing here


def _failures(*others: type[Exception]) -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError  # noqa: PLC0415

    return (RedisError, OSError, *others)
