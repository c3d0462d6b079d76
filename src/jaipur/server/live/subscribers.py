"""Subscribers of a table: each receives all messages for its audience, in order, after the event is stored.

A message is encoded only once per audience. A subscriber that is too slow is disconnected. It can resume at the last
version it received.
"""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.json import Encoder

from jaipur.table.options import Millis
from jaipur.table.projection import Audience, latest_message
from jaipur.table.state import TableState

QUEUE_LIMIT = 256

_encode = Encoder().encode


class EncodedMessage(NamedTuple):
    """A message as JSON, with the fields that a stream needs to order and delay it."""

    version: int
    at: Millis
    body: bytes


Encoded = dict[Audience, EncodedMessage]


class Subscriber:
    """One stream. `None` in its queue ends the stream."""

    __slots__ = ("audience", "queue")

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.queue: asyncio.Queue[EncodedMessage | None] = asyncio.Queue()

    def send(self, message: EncodedMessage) -> None:
        if self.queue.qsize() >= QUEUE_LIMIT:
            self.close()
        else:
            self.queue.put_nowait(message)

    def close(self) -> None:
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


def encode_latest(table: TableState, audience: Audience) -> EncodedMessage:
    """The message about the last event of a table."""
    message = latest_message(table, audience)
    return EncodedMessage(message.version, message.at, _encode(message))


def encode_for(table: TableState, subscribers: Iterable[Subscriber]) -> Encoded:
    """The message about the last event of a table, for every audience of the subscribers."""
    audiences = {subscriber.audience for subscriber in subscribers}
    return {audience: encode_latest(table, audience) for audience in audiences}
