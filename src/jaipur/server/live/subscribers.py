"""Subscribers of a table: each receives all messages for its audience, in order, after the event is stored.

A message is encoded only once per audience. A subscriber that is too slow is disconnected. It can resume at the last
version it received.
"""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.json import Encoder

from jaipur.table.projection import Audience, latest_message
from jaipur.table.state import TableState

QUEUE_LIMIT = 100
QUEUE_BYTES = 256 * 1024
"""The limits of messages that wait for one subscriber."""

_encode = Encoder().encode


class EncodedMessage(NamedTuple):
    """A message as JSON, with its version."""

    version: int
    body: bytes


Encoded = dict[Audience, EncodedMessage]


class Subscriber:
    """One stream. It reads past messages from the event log first. Then it is live: new messages wait in its queue."""

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
        """The next message, or None at the end of the stream."""
        message = await self._queue.get()
        if message is not None:
            self._waiting_bytes -= len(message.body)
        return message

    def close(self) -> None:
        """Drop the messages that wait, and end the stream."""
        self.live, self.closed = False, True
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    @property
    def waiting(self) -> tuple[int, int]:
        """The number of messages in the queue, and their bytes."""
        return (0, 0) if self.closed else (self._queue.qsize(), self._waiting_bytes)


def encode_latest(table: TableState, audience: Audience) -> EncodedMessage:
    """The message about the last event of a table."""
    return EncodedMessage(table.version, _encode(latest_message(table, audience)))


def encode_for(table: TableState, subscribers: Iterable[Subscriber]) -> Encoded:
    """The message about the last event of a table, for every seat with a live subscriber."""
    audiences = {each.audience for each in subscribers if each.live and each.audience is not None}
    return {audience: encode_latest(table, audience) for audience in audiences}


def publish(messages: Encoded, subscribers: Iterable[Subscriber]) -> None:
    """Send messages to the live subscribers of their audiences."""
    for subscriber in subscribers:
        if subscriber.live and subscriber.audience in messages:
            subscriber.send(messages[subscriber.audience])
