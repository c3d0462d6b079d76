"""Limits on the request rates of each client address, and on sizes.

The options of `jaipur serve` set the rates: `--limit` (requests per second), `--tables` (new tables per minute) and
`--quota` (stored megabytes per day). With Redis, all processes of a server count together.
"""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from ipaddress import IPv4Address, ip_address, ip_network
from math import ceil

from litestar import Litestar, Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.types import Scope

from jaipur.server.http.csrf import is_cross_site
from jaipur.server.http.problems import RequestError
from jaipur.server.http.token_buckets import Charge, Rate, SharedTokenBuckets, TokenBuckets
from jaipur.server.live.pubsub import redis_client
from jaipur.server.live.scheduler import current_client
from jaipur.server.settings import Settings

MAX_BODY_BYTES = 16 * 1024
MAX_HEADER_BYTES = 32 * 1024
MAX_STREAMS = 200
"""In each process, a seat may have this many streams of a table. So may all spectators of the table together."""
MAX_CLIENT_STREAMS = 50
"""One client address may have this many of these streams. The rest is for spectators of other addresses."""
TABLE_BYTES, COMMAND_BYTES = 2048, 512
"""The bytes that a new table and any other command store, as estimates that are rather too high.

They include the answer of a computer player and the indexes of the database.
"""
ALL_PATHS = 10
"""The limit of all requests, including pages and unknown paths, is this many times the limit of the API."""
OPENS_TABLE = "opens_table"
"""Routes that can open a table have this option."""
EVENTS_PER_REQUEST = 50
"""A request for many past events counts as one additional request for each group of this many events."""
REDIS_TIMEOUT = 0.25
"""A request waits at most this many seconds for the shared counters."""


def client_key(scope: Scope) -> str:
    """Return the address of the client. Everything that is counted per address uses this key.

    An IPv6 address is cut to its /64 network, because a provider usually gives each customer a whole /64 network.
    """
    client = scope["client"]
    return address_key(client[0]) if client else "unknown"


@lru_cache(4096)
def address_key(host: str) -> str:
    """Return the key of a client address. See `client_key`."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:  # a proxy can send any text
        return host[:64]
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, 64), strict=False))


async def charge_events(request: Request[None, None, State], events: int) -> None:
    """Count a request for many events as several requests. Call this before the events are read."""
    if events >= EVENTS_PER_REQUEST:
        rate_limits: RateLimits = request.app.state.limits
        await rate_limits.charge(request, events / EVENTS_PER_REQUEST)


class RateLimits:
    """The token buckets of all clients, and the guard that takes a token for each request."""

    def __init__(self, settings: Settings) -> None:
        self._redis_url = settings.redis
        self._shared: SharedTokenBuckets | None = None
        self._requests = TokenBuckets(Rate("requests", settings.requests_a_second, 1.0))
        self._all_paths = TokenBuckets(Rate("all", ALL_PATHS * settings.requests_a_second, 1.0))
        self._tables = TokenBuckets(Rate("tables", settings.tables_a_minute, 60.0))
        self._bytes = TokenBuckets(Rate("bytes", settings.megabytes_a_day * 1_000_000, 86_400.0))

    @asynccontextmanager
    async def running(self, app: Litestar) -> AsyncIterator[None]:
        """While the application runs, share the buckets through Redis if the settings name a Redis server."""
        app.state.limits = self
        if self._redis_url is None:
            yield
            return
        async with redis_client(self._redis_url, REDIS_TIMEOUT) as redis:
            self._shared = SharedTokenBuckets(redis)
            yield
            self._shared = None

    def refuse_flood(self, scope: Scope) -> dict[str, str]:
        """Count a request to any path. Return the headers of a refusal if the client sends far too many requests.

        This needs no route, so it is quick and also covers pages and unknown paths. A browser that loads all files of
        the page stays far below this limit.
        """
        if not self._all_paths.rate.limit:
            return {}
        wait = self._all_paths.take(client_key(scope), 1.0, 1.0, time.monotonic())
        return _retry_after(wait) if wait else {}

    async def charge(self, request: Request[None, None, State], cost: float) -> None:
        """Count an expensive request as `cost` additional requests. Call this before the expensive work.

        `cost` may be above the limit. The client then owes requests. Raise `RequestError("too_many")` if the client
        already owes requests.
        """
        await self._take(client_key(request.scope), [Charge(self._requests, cost, left=0.0)])

    async def guard(
        self,
        connection: ASGIConnection[BaseRouteHandler, None, None, State],
        handler: BaseRouteHandler,
    ) -> None:
        """Count every request to the API, new tables and stored bytes. Refuse requests above the limits."""
        scope = connection.scope
        if not scope["path"].startswith("/api/"):
            return
        client = client_key(scope)
        current_client.set(client)
        charges = [Charge(self._requests)]
        opens_table = handler.opt.get(OPENS_TABLE)
        if opens_table:
            charges.append(Charge(self._tables))
        # A page of another site stores nothing here, so it must not use up the visitor's quota.
        if scope.get("method") == "POST" and not is_cross_site(connection.headers):
            size = TABLE_BYTES if opens_table else COMMAND_BYTES
            charges.append(Charge(self._bytes, size, left=size))
        await self._take(client, charges)

    async def _take(self, client: str, charges: Sequence[Charge]) -> None:
        """Take tokens, first in this process and then in Redis. A flood of requests is thus refused without Redis."""
        charges = [charge for charge in charges if charge.buckets.rate.limit]
        wait, now = 0.0, time.monotonic()
        for buckets, tokens, left in charges:
            wait = wait or buckets.take(client, tokens, left, now)
        if charges and not wait and self._shared is not None:
            wait = await self._shared.take(client, charges)
        if wait:
            raise RequestError("too_many", _retry_after(wait))


def _retry_after(wait: float) -> dict[str, str]:
    seconds = str(ceil(wait))
    return {"retry-after": seconds, "ratelimit-reset": seconds}
