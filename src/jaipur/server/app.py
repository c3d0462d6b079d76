"""The application: its parts put together, started and stopped in order."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from types import FrameType

from litestar import Litestar, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp
from msgspec import Struct

from jaipur import __version__
from jaipur.server import gc_tuning as memory
from jaipur.server.http.api import Api
from jaipur.server.http.limits import limits_of
from jaipur.server.http.middleware import Doorway, no_writing_from_elsewhere
from jaipur.server.http.pages import asset, index, nowhere
from jaipur.server.http.problems import answer
from jaipur.server.http.streams import Streams
from jaipur.server.live.pubsub import ChangeNotifier
from jaipur.server.live.scheduler import Scheduler
from jaipur.server.live.tables import TableService
from jaipur.server.metrics import Metrics
from jaipur.server.settings import Settings
from jaipur.server.store.event_store import StoreError, open_event_store
from jaipur.server.workers.pool import WorkerPool

LARGEST_BODY = 16 * 1024


class Health(Struct, frozen=True):
    """How the server is."""

    status: str
    version: str = __version__


def application(settings: Settings) -> ASGIApp:
    """The whole server as one ASGI application."""
    metrics, limits = Metrics(), limits_of(settings)
    app = Litestar(
        route_handlers=[Api, Streams, index, asset, health, ready, figures],
        lifespan=[partial(_running, settings=settings, metrics=metrics), limits.tidying],
        exception_handlers={NotFoundException: nowhere, Exception: answer},
        guards=[no_writing_from_elsewhere],
        middleware=[limit.middleware for limit in limits.configs],
        stores=dict(limits.counts),
        request_max_body_size=LARGEST_BODY,
        state=State({"metrics": metrics}),
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="Jaipur",
            version=__version__,
            description="Tables for two traders: open one, take a seat, see it, play. docs/reference/http-api.md has examples.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
    )
    return Doorway(app, metrics)


@get("/health", summary="Whether the server runs")
async def health() -> Health:
    return Health("ok")


@get("/ready", summary="Whether the server can do its work")
async def ready(state: State) -> Response[Health]:
    """200 when the database answers, and Redis where there is one; 503 when not."""
    bell: ChangeNotifier | None = state.notifier
    try:
        await state.store.ping()
    except StoreError:
        return Response(Health("the database does not answer"), status_code=503)
    if bell is not None and not bell.healthy:
        return Response(Health("redis does not answer"), status_code=503)
    return Response(Health("ok"))


@get("/metrics", include_in_schema=False, media_type="text/plain; version=0.0.4")
async def figures(state: State) -> bytes:
    text: bytes = state.metrics.text()
    return text


@asynccontextmanager
async def _running(app: Litestar, settings: Settings, metrics: Metrics) -> AsyncIterator[None]:
    """Everything that lives as long as the server does."""
    async with AsyncExitStack() as stack:
        storage = await open_event_store(settings.database, observe=metrics.appended)
        stack.push_async_callback(storage.close)
        tables = TableService(storage, shared=not settings.alone)
        thinkers = WorkerPool(
            settings.thinkers, seconds=settings.think_seconds, observe=metrics.thought
        )
        stack.push_async_callback(thinkers.close)
        scheduler = Scheduler(tables, thinkers)
        stack.push_async_callback(scheduler.close)
        bell = await _hung(settings.redis, tables, scheduler)
        if bell is not None:
            stack.push_async_callback(bell.close)
        app.state.update(tables=tables, scheduler=scheduler, store=storage, notifier=bell)
        tables.after_act.append(metrics.happened)
        metrics.watch("tables", "Tables loaded in this process", lambda: len(tables.loaded))
        metrics.watch("streams", "Streams being followed here", tables.streams)
        metrics.watch("thinkers_restarted", "Workers replaced", lambda: thinkers.restarts)
        stack.enter_context(_hanging_up(tables))
        scheduler.start()
        memory.calm()
        starting = asyncio.create_task(thinkers.start())
        yield
        starting.cancel()


async def _hung(
    url: str | None, tables: TableService, scheduler: Scheduler
) -> ChangeNotifier | None:
    """The bell that tells other processes of what happened here, and us of what happened there."""
    if url is None:
        return None
    bell = ChangeNotifier(url, on_ring=scheduler.heard, on_gap=scheduler.missed)
    await bell.start()
    tables.after_act.append(lambda table, _entries: bell.ring(table.id, table.version))
    return bell


@contextmanager
def _hanging_up(tables: TableService) -> Iterator[None]:
    """End every stream as soon as the server is told to stop, so that it does not wait for them."""
    loop = asyncio.get_running_loop()
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(tables.hang_up)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    main = threading.current_thread() is threading.main_thread()
    for each in before if main else ():
        signal.signal(each, stop)
    yield
    for each, handler in before.items() if main else ():
        signal.signal(each, handler)
