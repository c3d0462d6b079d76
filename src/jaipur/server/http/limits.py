"""What one address may do in a while, so that nobody can drown the others. Each process counts for itself."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.middleware.rate_limit import DurationUnit, RateLimitConfig
from litestar.stores.memory import MemoryStore

from jaipur.server.http.identity import AppRequest
from jaipur.server.settings import Settings

TIDY_EVERY = 60.0


class Limits:
    """The limits that are on, and where each counts."""

    def __init__(self) -> None:
        self.configs: list[RateLimitConfig] = []
        self.counts: dict[str, MemoryStore] = {}

    def add(
        self, unit: DurationUnit, most: int, counts: Callable[[AppRequest], Awaitable[bool]]
    ) -> None:
        name = f"a {unit}"
        self.counts[name] = MemoryStore()
        self.configs.append(
            RateLimitConfig((unit, most), store=name, check_throttle_handler=counts)
        )

    @asynccontextmanager
    async def tidying(self, _app: Litestar) -> AsyncIterator[None]:
        """Forget addresses that have not come for a while."""
        task = asyncio.create_task(self._tidy())
        yield
        task.cancel()

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(TIDY_EVERY)
            for store in self.counts.values():
                await store.delete_expired()


def limits_of(settings: Settings) -> Limits:
    limits = Limits()
    if settings.requests_a_second:
        limits.add("second", settings.requests_a_second, _asks)
    if settings.tables_a_minute:
        limits.add("minute", settings.tables_a_minute, _opens)
    return limits


async def _asks(request: AppRequest) -> bool:
    return request.scope["path"].startswith("/api/")


async def _opens(request: AppRequest) -> bool:
    return request.method == "POST" and request.scope["path"].endswith("/tables")
