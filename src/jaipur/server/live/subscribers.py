"""Those who listen to a table: each gets every message for their seat, in order, once it is durable.

A message is written once for each audience, however many listen. Who cannot keep up is cut off, and may come back
and resume where they were.
"""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.json import Encoder

from jaipur.table.options import Millis
from jaipur.table.projection import Audience, latest_message
from jaipur.table.state import TableState

MOST_WAITING = 256

_encoder = Encoder()


class EncodedMessage(NamedTuple):
    """A message on its way to a subscriber."""

    version: int
    at: Millis
    body: bytes


class Subscriber:
    """One stream. `None` in its queue is the end."""

    __slots__ = ("audience", "queue")

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.queue: asyncio.Queue[EncodedMessage | None] = asyncio.Queue()

    def tell(self, telling: EncodedMessage) -> None:
        if self.queue.qsize() >= MOST_WAITING:
            self.hang_up()
        else:
            self.queue.put_nowait(telling)

    def hang_up(self) -> None:
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


def encode_latest(table: TableState, audience: Audience) -> EncodedMessage:
    """The last event of a table, written for an audience."""
    told = latest_message(table, audience)
    return EncodedMessage(told.version, told.at, _encoder.encode(told))


def encode_for(
    table: TableState, subscribers: Iterable[Subscriber]
) -> dict[Audience, EncodedMessage]:
    """The last event of a table for everybody who listens."""
    return {
        audience: encode_latest(table, audience)
        for audience in {subscriber.audience for subscriber in subscribers}
    }
