"""Streams of a table's messages: server-sent events for browsers, lines of JSON for bots.

Every message has a version. A client that sends the last version it received gets every later message exactly once.
"""

import asyncio
import zlib
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from litestar import Controller, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage, Stream

from jaipur.rules import Seat
from jaipur.server.http import limits
from jaipur.server.http.identity import AppRequest, find_audience, table_service
from jaipur.server.http.problems import RATE_LIMITED, SEATED, STORED, RequestError, error_responses
from jaipur.server.http.tables import SeatQuery, TableId
from jaipur.server.live.spectators import DELAY, delayed_table
from jaipur.server.live.subscribers import EncodedMessage, Subscriber
from jaipur.table.message_types import Message
from jaipur.table.options import SECOND, Millis
from jaipur.table.projection import Audience

EVENT_STREAM, NDJSON = "text/event-stream", "application/x-ndjson"
KEEP_ALIVE_SECONDS = 15.0

Messages = AsyncGenerator[EncodedMessage | None]
"""None stands for a keep-alive."""

LastEventId = Annotated[str | None, HeaderParameter(name="Last-Event-ID", max_length=20)]
AfterQuery = Annotated[
    int | None,
    QueryParameter(
        name="after", ge=0, le=2**31 - 1, description="Start with the messages after this version."
    ),
]
FollowQuery = Annotated[
    bool, QueryParameter(name="follow", description="If false, end after the stored messages.")
]


def _responses(media_type: str) -> dict[int, ResponseSpec]:
    stream = ResponseSpec(
        Message,
        generate_examples=False,
        description="A sequence of messages.",
        media_type=media_type,
    )
    return {200: stream, **error_responses(RATE_LIMITED, STORED, SEATED)}


class StreamsController(Controller):
    path = "/api/tables/{table_id:str}"
    tags = ("streams",)

    @get(
        "/events",
        summary="Follow a table as server-sent events",
        description="`id` is the version and `data` a `Message`. Starts with the current state, or after "
        "`Last-Event-ID` with the messages since then.",
        media_type=EVENT_STREAM,
        responses=_responses(EVENT_STREAM),
    )
    async def stream_events(
        self,
        request: AppRequest,
        table_id: TableId,
        seat: SeatQuery = None,
        last_event_id: LastEventId = None,
        after: AfterQuery = None,
        follow: FollowQuery = True,
    ) -> ServerSentEvent:
        if last_event_id is not None and last_event_id.isdecimal():
            after = int(last_event_id)
        messages = await _subscribe(request, table_id, seat, after, follow)
        # Litestar sets `Cache-Control: no-cache` on event streams, but all our API responses are `no-store`.
        return ServerSentEvent(_as_events(messages), headers={"Cache-Control": "no-store"})

    @get(
        "/events.ndjson",
        summary="Follow a table as lines of JSON",
        description="Each line is a `Message`. An empty line every 15 seconds keeps the connection alive.",
        media_type=NDJSON,
        responses=_responses(NDJSON),
    )
    async def stream_event_lines(
        self,
        request: AppRequest,
        table_id: TableId,
        seat: SeatQuery = None,
        after: AfterQuery = None,
        follow: FollowQuery = True,
    ) -> Stream:
        lines = _as_lines(await _subscribe(request, table_id, seat, after, follow))
        if follow or "gzip" not in request.headers.get("accept-encoding", ""):
            return Stream(lines, media_type=NDJSON, headers={"x-accel-buffering": "no"})
        headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Stream(_compressed(lines), media_type=NDJSON, headers=headers)


async def _subscribe(
    request: AppRequest, table_id: str, seat: Seat | None, after: int | None, follow: bool
) -> Messages:
    service = table_service(request)
    async with service.locked(table_id) as table:
        audience = find_audience(table, request, seat)
        if audience is None and after is None:
            after = (await delayed_table(service, table)).version - 1
    # Each audience has its own limit, so that spectators cannot use up the streams of the players.
    audiences = [subscriber.audience for subscriber in service.subscribers(table_id)]
    if audiences.count(audience) >= limits.MAX_STREAMS:
        raise RequestError("too_many")
    return _messages(request, table_id, audience, after, follow)


async def _messages(
    request: AppRequest, table_id: str, audience: Audience, after: int | None, follow: bool
) -> Messages:
    """All messages for an audience, delayed for spectators. A player with an open stream counts as present."""
    service, scheduler = table_service(request), request.app.state.scheduler
    subscriber = Subscriber(audience)
    try:
        pending = deque(await service.subscribe(table_id, subscriber, after))
        if follow and audience is not None:
            scheduler.stream_opened(table_id, audience)
        while True:
            while pending and _delay(pending[0], audience, service.now()) <= 0:
                yield pending.popleft()
            if not follow:
                return
            timeout = _delay(pending[0], audience, service.now()) if pending else KEEP_ALIVE_SECONDS
            try:
                async with asyncio.timeout(timeout):
                    message = await subscriber.queue.get()
            except TimeoutError:
                if not pending:
                    yield None
                continue
            if message is None:
                return
            pending.append(message)
    finally:
        service.unsubscribe(table_id, subscriber)
        if follow and audience is not None:
            scheduler.stream_closed(table_id, audience)


def _delay(message: EncodedMessage, audience: Audience, now: Millis) -> float:
    """The seconds until an audience may get a message. The first message of a table is never delayed."""
    if audience is not None or message.version == 1:
        return 0
    return (message.at + DELAY - now) / SECOND


async def _as_events(messages: Messages) -> AsyncGenerator[ServerSentEventMessage]:
    async with aclosing(messages):
        async for message in messages:
            if message is None:
                yield ServerSentEventMessage(data=None, comment="keep-alive", sep="\n")
            else:
                yield ServerSentEventMessage(data=message.body, id=message.version, sep="\n")


async def _as_lines(messages: Messages) -> AsyncGenerator[bytes]:
    async with aclosing(messages):
        async for message in messages:
            yield b"\n" if message is None else message.body + b"\n"


async def _compressed(lines: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Compress a finite stream with gzip. This is effective because consecutive messages are similar."""
    gzip = zlib.compressobj(wbits=31)
    async with aclosing(lines):
        async for line in lines:
            yield gzip.compress(line)
    yield gzip.flush()
