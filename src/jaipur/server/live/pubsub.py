"""Notifications about changed tables, sent between the processes of a server over Redis pub/sub.

A notification contains only the id of a table and a version. The events are in the event store. If notifications may
have been lost, `on_gap` is called, and the receiver compares all tables with the store. `notify` never waits and never
fails.
"""

import asyncio
import logging
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from jaipur.server.live.background import BackgroundTasks

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.asyncio.client import PubSub

CHANNEL = "jaipur.tables"
QUEUE_LIMIT = 10_000
"""While Redis is down, at most this many notifications are queued.

If the queue is full, the oldest notification is dropped. The other processes are later told that one was lost.
"""
BATCH = 200
ANY_TABLE = "*"
"""The sender sends this instead of a table id if it has dropped notifications."""
TIMEOUT = 5.0
PING_AFTER = 10.0
"""After this many seconds without a message, the connection is checked."""
MAX_BACKOFF = 5.0
FLUSH_TIMEOUT = 1.0

_log = logging.getLogger(__name__)


class PubSubError(Exception):
    """Redis cannot be used. The message contains the reason."""

    loggable = True


class ChangeNotifier:
    """Sends the new version of a table to the other processes, and receives their notifications."""

    def __init__(
        self, url: str, on_change: Callable[[str, int], None], on_gap: Callable[[], None]
    ) -> None:
        self._url = url
        self._on_change = on_change
        self._on_gap = on_gap
        self._sender = uuid.uuid4().hex
        self._queue: deque[str] = deque(maxlen=QUEUE_LIMIT)
        self._queued, self._flushed = asyncio.Event(), asyncio.Event()
        self._flushed.set()
        self._dropped = False
        self._receiving = self._sending = False
        self._tasks = BackgroundTasks()

    @property
    def healthy(self) -> bool:
        """Whether sending and receiving both work now."""
        return self._receiving and self._sending

    def notify(self, table_id: str, version: int) -> None:
        """Queue a notification for the other processes."""
        self._dropped |= len(self._queue) == QUEUE_LIMIT
        self._queue.append(f"{self._sender} {version} {table_id}")
        self._queued.set()
        self._flushed.clear()

    async def start(self) -> None:
        """Connect to Redis. Raise `PubSubError` if Redis cannot be reached."""
        try:
            self._redis = redis_client(self._url, TIMEOUT)
        except ModuleNotFoundError:
            raise PubSubError("Redis needs an extra: pip install 'jaipur[hosting]'.") from None
        except ValueError as error:
            raise PubSubError("Redis is given as redis://host:port or unix:///path.") from error
        try:
            connection = await self._subscribe()
        # Redis raises TypeError for an unknown option in the URL.
        except _failures(TypeError) as error:
            await self._redis.aclose()
            reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
            raise PubSubError(f"Redis cannot be reached: {reason}.") from error
        self._receiving = self._sending = True
        self._tasks.spawn(self._receive(connection))
        self._tasks.spawn(self._send())

    async def close(self) -> None:
        """Disconnect. Before that, wait a short time until queued notifications are sent."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._flushed.wait(), FLUSH_TIMEOUT)
        await self._tasks.close()
        self._receiving = self._sending = False
        await self._redis.aclose()

    async def _subscribe(self) -> "PubSub":
        connection = self._redis.pubsub()
        try:
            await connection.subscribe(CHANNEL)
            if await connection.get_message(timeout=TIMEOUT) is None:
                raise TimeoutError("it does not answer")
        except BaseException:
            await _drop(connection)
            raise
        return connection

    async def _receive(self, connection: "PubSub") -> None:
        while True:
            try:
                await self._receive_until_lost(connection)
            except _failures(ValueError) as error:  # ValueError: a message in another format
                _log.warning("Connection to Redis lost (%s); reconnecting.", error)
            finally:
                self._receiving = False
                await _drop(connection)
            for pause in _backoff():
                await asyncio.sleep(pause)
                with suppress(*_failures()):
                    connection = await self._subscribe()
                    break
            self._receiving = True
            self._call(self._on_gap)

    async def _receive_until_lost(self, connection: "PubSub") -> None:
        pinged = False
        while True:
            message = await connection.get_message(timeout=PING_AFTER)
            if message is None:
                if pinged:
                    raise TimeoutError("it does not answer")
                await connection.ping()
            elif message["type"] == "message":
                sender, version, table_id = message["data"].split(" ", 2)
                if sender != self._sender and table_id == ANY_TABLE:
                    self._call(self._on_gap)
                elif sender != self._sender:
                    self._call(self._on_change, table_id, int(version))
            pinged = message is None

    def _call(self, callback: Callable[..., None], *args: object) -> None:
        try:
            callback(*args)
        except Exception:  # a bug in a callback must not stop the receiver
            _log.exception("A callback for changes failed.")

    async def _send(self) -> None:
        while True:
            await self._queued.wait()
            self._queued.clear()
            while batch := self._next_batch():
                await self._publish(batch)
            self._flushed.set()

    def _next_batch(self) -> list[str]:
        batch = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
        if self._dropped:
            batch.append(f"{self._sender} 0 {ANY_TABLE}")
            self._dropped = False
        return batch

    async def _publish(self, batch: list[str]) -> None:
        for pause in _backoff():
            try:
                async with self._redis.pipeline(transaction=False) as pipeline:
                    for notification in batch:
                        pipeline.publish(CHANNEL, notification)
                    await pipeline.execute()
                self._sending = True
                return
            except _failures() as error:
                _log.warning("Notifications cannot be sent to Redis (%s); retrying.", error)
                self._sending = False
                await asyncio.sleep(pause)


def _backoff() -> Iterator[float]:
    pause = 0.05
    while True:
        yield pause
        pause = min(2 * pause, MAX_BACKOFF)


def redis_client(url: str, timeout: float) -> "Redis":
    """Return a client that reports every failure at once and waits at most `timeout` seconds for an answer."""
    from redis.asyncio import Redis  # noqa: PLC0415  # an extra
    from redis.asyncio.retry import Retry  # noqa: PLC0415
    from redis.backoff import NoBackoff  # noqa: PLC0415

    # Turn off the retries of the client. They would hide that messages may be lost.
    return Redis.from_url(
        url,
        decode_responses=True,
        retry=Retry(NoBackoff(), 0),
        socket_connect_timeout=timeout,
        socket_timeout=timeout,
    )


async def _drop(connection: "PubSub") -> None:
    await connection.aclose()  # type: ignore[no-untyped-call]  # not typed in redis-py


def _failures(*others: type[Exception]) -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError  # noqa: PLC0415

    return (RedisError, OSError, *others)
