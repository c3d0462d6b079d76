"""Streams of the messages of a table: server-sent events for browsers, lines of JSON for bots.

Every message has a version. A client can send the last version that it received. It then gets every later message
exactly once.
"""

import asyncio
import zlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from typing import Annotated

from litestar import Controller, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from jaipur.rules import Seat
from jaipur.server.http import limits
from jaipur.server.http.identity import AppRequest, find_audience, table_service
from jaipur.server.http.problems import RATE_LIMITED, SEATED, STORED, RequestError, error_responses
from jaipur.server.http.tables import SeatQuery, TableId
from jaipur.server.live.subscribers import EncodedMessage, Subscriber
from jaipur.table.message_types import Message
from jaipur.table.refusals import Refused

EVENT_STREAM, NDJSON = "text/event-stream", "application/x-ndjson"
KEEP_ALIVE_SECONDS = 15.0

UNBUFFERED = {"x-accel-buffering": "no"}
"""These headers tell a reverse proxy to forward each message at once."""
GZIP_LEVEL = 1

Messages = AsyncGenerator[Sequence[EncodedMessage]]
"""Pages of messages. An empty page stands for a keep-alive."""

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
    ) -> Stream:
        if last_event_id is not None and last_event_id.isdecimal():
            after = int(last_event_id)
        events = _as_events(await _open(request, table_id, seat, after, follow))
        return Stream(events, media_type=EVENT_STREAM, headers=UNBUFFERED)

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
        lines = _as_lines(await _open(request, table_id, seat, after, follow))
        if follow or "gzip" not in request.headers.get("accept-encoding", ""):
            return Stream(lines, media_type=NDJSON, headers=UNBUFFERED)
        headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Stream(_compressed(lines), media_type=NDJSON, headers=headers)


async def _open(
    request: AppRequest, table_id: str, seat: Seat | None, after: int | None, follow: bool
) -> Messages:
    """Open a stream, or raise the error that the client gets as the response."""
    messages = _messages(request, table_id, seat, after, follow)
    await anext(messages)
    return messages


async def _messages(
    request: AppRequest, table_id: str, seat: Seat | None, after: int | None, follow: bool
) -> Messages:
    """Yield all messages for an audience, with a delay for spectators. An empty first page means: the stream is open.

    A player with an open stream counts as present.
    """
    service, scheduler = table_service(request), request.app.state.scheduler
    async with service.locked(table_id) as table:
        audience = find_audience(table, request, seat)
        subscriber = Subscriber(audience, limits.client_key(request.scope))
        await limits.charge_events(request, 0 if after is None else table.version - after)
        # Each audience has its own limit, so that spectators cannot use up the streams of the players.
        allowed = (limits.MAX_STREAMS, limits.MAX_CLIENT_STREAMS)
        if not service.reserve(table_id, subscriber, *allowed):
            raise RequestError("too_many")
    try:
        if follow and audience is not None:
            scheduler.stream_opened(table_id, audience)
        yield ()
        with suppress(Refused):  # the table was deleted
            async for page in service.replay(table_id, subscriber, after):
                yield page
                if subscriber.closed:
                    return
        while follow and subscriber.live:
            try:
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                    message = await subscriber.receive()
            except TimeoutError:
                yield ()
                continue
            if message is None:
                return
            yield (message,)
    finally:
        service.unsubscribe(table_id, subscriber)
        if follow and audience is not None:
            scheduler.stream_closed(table_id, audience)


async def _as_events(messages: Messages) -> AsyncGenerator[bytes]:
    async with aclosing(messages):
        async for page in messages:
            yield b"".join(b"id: %d\ndata: %b\n\n" % each for each in page) or b": keep-alive\n\n"


async def _as_lines(messages: Messages) -> AsyncGenerator[bytes]:
    async with aclosing(messages):
        async for page in messages:
            yield b"".join(each.body + b"\n" for each in page) or b"\n"


async def _compressed(pages: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Compress a finite stream with gzip. Compression works well because consecutive messages are similar."""
    gzip = zlib.compressobj(GZIP_LEVEL, wbits=31)
    async with aclosing(pages):
        async for page in pages:
            yield gzip.compress(page)
    yield gzip.flush()
