"""The subscribers of a table. A subscriber gets all messages for its audience, in order, after the events are stored.

A message is encoded only once per audience. A subscriber that reads too slowly is disconnected. It can open a new
stream that continues after the last version that it received.
"""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.json import Encoder

from jaipur.table.projection import Audience, latest_message
from jaipur.table.state import TableState

QUEUE_LIMIT = 100
QUEUE_BYTES = 256 * 1024
"""The maximum number of messages that wait for one subscriber, and their maximum number of bytes."""

_encode = Encoder().encode


class EncodedMessage(NamedTuple):
    """A message as JSON, with its version."""

    version: int
    body: bytes


Encoded = dict[Audience, EncodedMessage]


class Subscriber:
    """One stream.

    First it reads past messages from the event log. Then it is live: it gets new messages in its queue.
    """

    __slots__ = ("_queue", "_waiting_bytes", "audience", "client", "closed", "live")

    def __init__(self, audience: Audience, client: str = "") -> None:
        self.audience = audience
        self.client = client
        self.live = False
        self.closed = False
        self._queue: asyncio.Queue[EncodedMessage | None] = asyncio.Queue()
        self._waiting_bytes = 0

    def send(self, message: EncodedMessage) -> None:
        self._waiting_bytes += len(message.body)
        if self._queue.qsize() >= QUEUE_LIMIT or self._waiting_bytes > QUEUE_BYTES:
            self.close()
        else:
            self._queue.put_nowait(message)

    async def receive(self) -> EncodedMessage | None:
        """Wait for the next message. Return None at the end of the stream."""
        message = await self._queue.get()
        if message is not None:
            self._waiting_bytes -= len(message.body)
        return message

    def close(self) -> None:
        """Drop the waiting messages, and end the stream."""
        self.live, self.closed = False, True
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    @property
    def waiting(self) -> tuple[int, int]:
        """The number of messages in the queue, and their bytes."""
        return (0, 0) if self.closed else (self._queue.qsize(), self._waiting_bytes)


def encode_latest(table: TableState, audience: Audience) -> EncodedMessage:
    """Return the encoded message about the last event of a table."""
    return EncodedMessage(table.version, _encode(latest_message(table, audience)))


def encode_for(table: TableState, subscribers: Iterable[Subscriber]) -> Encoded:
    """Return the encoded message about the last event of a table, for every seat with a live subscriber."""
    audiences = {each.audience for each in subscribers if each.live and each.audience is not None}
    return {audience: encode_latest(table, audience) for audience in audiences}


def publish(messages: Encoded, subscribers: Iterable[Subscriber]) -> None:
    """Send messages to the live subscribers of their audiences."""
    for subscriber in subscribers:
        if subscriber.live and subscriber.audience in messages:
            subscriber.send(messages[subscriber.audience])
