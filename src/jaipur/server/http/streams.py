"""The stream of a table's events, as server-sent events for browsers and as lines of JSON for bots.

Both tell every message with its version. Who comes back and says which version was the last gets all that came after
it, and nothing twice.
"""

import asyncio
import zlib
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated

from litestar import Controller, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from jaipur.rules import Seat
from jaipur.server.http.api import PROBLEMS, AskedSeat, TableName
from jaipur.server.http.identity import AppRequest, audience_at, tables_of
from jaipur.server.http.problems import Unusable
from jaipur.server.live.scheduler import Scheduler
from jaipur.server.live.spectators import DELAY, delayed_table
from jaipur.server.live.subscribers import EncodedMessage, Subscriber
from jaipur.server.live.tables import TableService
from jaipur.table.message_types import Message
from jaipur.table.options import SECOND
from jaipur.table.projection import Audience

EVENTS, LINES = "text/event-stream", "application/x-ndjson"
BEAT = 15.0
"""Seconds of silence after which a sign of life is sent."""

MOST_LISTENERS = 200
"""Streams of one seat, or of those who watch, at one table in one process."""

AfterHeader = Annotated[str | None, HeaderParameter(name="Last-Event-ID", max_length=20)]
AfterQuery = Annotated[int | None, QueryParameter(name="after", ge=0, le=2**31 - 1)]
Follow = Annotated[bool, QueryParameter(name="follow")]


def as_event(message: EncodedMessage) -> bytes:
    return b"id: %d\ndata: %s\n\n" % (message.version, message.body)


def as_line(message: EncodedMessage) -> bytes:
    return message.body + b"\n"


def _told_in(media_type: str) -> dict[int, ResponseSpec]:
    told = ResponseSpec(
        Message, generate_examples=False, description="One after the other.", media_type=media_type
    )
    return {200: told, **PROBLEMS}


class Streams(Controller):
    """What happens at a table, while it happens."""

    path = "/api/tables/{name:str}"

    @get(
        "/events",
        summary="Follow a table: server-sent events",
        media_type=EVENTS,
        responses=_told_in(EVENTS),
    )
    async def events(
        self,
        request: AppRequest,
        name: TableName,
        asked: AskedSeat = None,
        last: AfterHeader = None,
        after: AfterQuery = None,
        follow: Follow = True,
    ) -> Stream:
        """Begins with how things stand, or after `Last-Event-ID` with what came since. Each event is a `Message`."""
        since = int(last) if last is not None and last.isdecimal() else after
        ear = await _ear(request, name, asked, since, follow)
        written = _written(ear, as_event, b": alive\n\n")
        return Stream(written, media_type=EVENTS, headers=_LIVE)

    @get(
        "/events.ndjson",
        summary="Follow a table: lines of JSON",
        media_type=LINES,
        responses=_told_in(LINES),
    )
    async def lines(
        self,
        request: AppRequest,
        name: TableName,
        asked: AskedSeat = None,
        after: AfterQuery = None,
        follow: Follow = True,
    ) -> Stream:
        """Each line is a `Message`; an empty line is a sign of life. With follow=false it ends with what is there."""
        ear = await _ear(request, name, asked, after, follow)
        written = _written(ear, as_line, b"\n")
        if follow or "gzip" not in request.headers.get("accept-encoding", ""):
            return Stream(written, media_type=LINES, headers=_LIVE)
        return Stream(_compressed(written), media_type=LINES, headers=_COMPRESSED)


# A proxy shall not gather what is meant to arrive at once.
_LIVE = {"x-accel-buffering": "no"}
_COMPRESSED = {"content-encoding": "gzip", "vary": "accept-encoding"}


@dataclass(frozen=True, slots=True)
class Ear:
    """Somebody who listens to a table from some version on."""

    tables: TableService
    scheduler: Scheduler
    name: str
    audience: Audience
    after: int | None
    follow: bool

    async def messages(self) -> AsyncGenerator[EncodedMessage | None]:
        """Everything that is told, to those who watch a little later; None after a while of silence."""
        subscriber = Subscriber(self.audience)
        try:
            waiting = deque(await self.tables.subscribe(self.name, subscriber, self.after))
            if self.follow:
                self._come()
            while True:
                while waiting and self._early(waiting[0]) <= 0:
                    yield waiting.popleft()
                if not self.follow:
                    return
                try:
                    async with asyncio.timeout(self._early(waiting[0]) if waiting else BEAT):
                        heard = await subscriber.queue.get()
                except TimeoutError:
                    if not waiting:
                        yield None
                    continue
                if heard is None:
                    return
                waiting.append(heard)
        finally:
            self.tables.unsubscribe(self.name, subscriber)
            self._go()

    def _early(self, message: EncodedMessage) -> float:
        """Seconds for which something is not to be told yet. That a table was set up is told at once."""
        if self.audience is not None or message.version == 1:
            return 0
        return (message.at + DELAY - self.tables.now()) / SECOND

    def _come(self) -> None:
        if self.audience is not None:
            self.scheduler.stream_opened(self.name, self.audience)

    def _go(self) -> None:
        if self.audience is not None and self.follow:
            self.scheduler.stream_closed(self.name, self.audience)


async def _ear(
    request: AppRequest, name: str, asked: Seat | None, after: int | None, follow: bool
) -> Ear:
    tables = tables_of(request)
    async with tables.locked(name) as table:
        audience = audience_at(table, request, asked)
    # Each audience counts for itself, so that those who watch leave no trader without a stream.
    listening = [subscriber.audience for subscriber in tables.subscribers(name)]
    if listening.count(audience) >= MOST_LISTENERS:
        raise Unusable("too_many", 429)
    if audience is None and after is None:
        after = (await delayed_table(tables, name)).version - 1
    return Ear(tables, request.app.state.scheduler, name, audience, after, follow)


async def _written(
    ear: Ear, write: Callable[[EncodedMessage], bytes], alive: bytes
) -> AsyncGenerator[bytes]:
    async with aclosing(ear.messages()) as told:
        async for message in told:
            yield alive if message is None else write(message)


async def _compressed(written: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """What ends by itself, as gzip: one message after the other says almost the same."""
    gzip = zlib.compressobj(wbits=31)
    async with aclosing(written) as parts:
        async for part in parts:
            yield gzip.compress(part)
    yield gzip.flush()
