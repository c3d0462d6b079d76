"""Limits: request rates per client address, and sizes.

The rates are set by `jaipur serve --limit` (requests per second) and `--tables` (new tables per minute). Each server
process counts separately.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from litestar import Litestar, Request
from litestar.datastructures import State
from litestar.middleware.rate_limit import DurationUnit, RateLimitConfig
from litestar.stores.memory import MemoryStore

from jaipur.server.live.background import BackgroundTasks, repeat
from jaipur.server.settings import Settings

MAX_BODY_BYTES = 16 * 1024
MAX_HEADER_BYTES = 32 * 1024
MAX_STREAMS = 200
"""The maximum number of streams of one seat, or of all spectators, per table and process."""

Check = Callable[[Request[None, None, State]], Awaitable[bool]]


class RateLimits:
    """The active rate limits, each with its own counter store."""

    def __init__(self, settings: Settings) -> None:
        rates: list[tuple[DurationUnit, int, Check]] = [
            ("second", settings.requests_a_second, _is_api_request),
            ("minute", settings.tables_a_minute, _opens_table),
        ]
        self.configs = [
            RateLimitConfig((unit, limit), store=unit, check_throttle_handler=applies)
            for unit, limit, applies in rates
            if limit
        ]
        self.stores = {config.store: MemoryStore() for config in self.configs}

    @asynccontextmanager
    async def cleanup(self, _app: Litestar) -> AsyncIterator[None]:
        """Delete expired counters once a minute while the application runs."""
        tasks = BackgroundTasks()
        tasks.spawn(repeat(60.0, self._delete_expired))
        yield
        await tasks.close()

    async def _delete_expired(self) -> None:
        for store in self.stores.values():
            await store.delete_expired()


async def _is_api_request(request: Request[None, None, State]) -> bool:
    return request.scope["path"].startswith("/api/")


async def _opens_table(request: Request[None, None, State]) -> bool:
    return request.method == "POST" and request.scope["path"].endswith("/tables")
