"""The ASGI application. It creates all parts of the server, and starts and stops them in order."""

import asyncio
import gc
import signal
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from types import FrameType

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import Method

from jaipur import __version__
from jaipur.server.http import csrf, identity, meta, pages, problems, wire
from jaipur.server.http.hosts import HostNames
from jaipur.server.http.limits import MAX_BODY_BYTES, RateLimits
from jaipur.server.http.middleware import SecurityHeadersMiddleware
from jaipur.server.http.streams import StreamsController
from jaipur.server.http.tables import TablesController
from jaipur.server.http.unfinished_tables import UnfinishedTableLimit
from jaipur.server.live.pubsub import ChangeNotifier
from jaipur.server.live.retention import Retention
from jaipur.server.live.scheduler import Scheduler
from jaipur.server.live.server_clock import ServerClock
from jaipur.server.live.sync import TableSync
from jaipur.server.live.tables import TableService
from jaipur.server.log_format import log_loop_error
from jaipur.server.metrics import Metrics
from jaipur.server.settings import Settings
from jaipur.server.store.event_store import open_event_store
from jaipur.server.workers.pool import WorkerPool


def _operation_id(handler: HTTPRouteHandler, _method: Method, _path: Sequence[object]) -> str:
    """Return the name of the route's function in camel case."""
    first, *others = handler.handler_name.split("_")
    return first + "".join(map(str.title, others))


OPENAPI = OpenAPIConfig(
    title="Jaipur",
    version=__version__,
    description="Tables for two players: open one, take a seat, follow it, play. Every error is a `Problem`; "
    "an unexpected one has status 500 and code `failed`.",
    path="/api/schema",
    operation_id_creator=_operation_id,
    render_plugins=[JsonRenderPlugin(path="/openapi.json")],
    components=Components(
        security_schemes={
            "bearer": SecurityScheme(type="http", scheme="bearer"),
            "cookie": SecurityScheme(
                type="apiKey", name=identity.COOKIE, security_scheme_in="cookie"
            ),
        }
    ),
    security=[{"bearer": []}, {"cookie": []}, {}],
)


def application(settings: Settings) -> SecurityHeadersMiddleware:
    """Create the complete server as one ASGI application."""
    metrics, limits = Metrics(), RateLimits(settings)
    app = Litestar(
        route_handlers=[
            TablesController,
            StreamsController,
            identity.create_visitor,
            *meta.HANDLERS,
            *pages.HANDLERS,
        ],
        lifespan=[partial(_running, settings=settings, metrics=metrics), limits.running],
        exception_handlers={NotFoundException: pages.not_found, Exception: problems.handle_error},
        guards=[limits.guard, csrf.forbid_cross_site_writes],
        request_max_body_size=MAX_BODY_BYTES,
        request_class=wire.StrictRequest,
        state=State({"metrics": metrics, "metrics_token": settings.metrics_token}),
        logging_config=None,
        openapi_config=OPENAPI,
    )
    return SecurityHeadersMiddleware(app, metrics, HostNames(settings.names), limits)


@asynccontextmanager
async def _running(app: Litestar, settings: Settings, metrics: Metrics) -> AsyncIterator[None]:
    """Start all parts of the server, and stop them at the end."""
    asyncio.get_running_loop().set_exception_handler(log_loop_error)
    async with AsyncExitStack() as stack:
        store = await open_event_store(settings.database, observe=metrics.observe_append)
        stack.push_async_callback(store.close)
        clock = ServerClock(await store.last_event())
        tables = TableService(store, shared=not settings.alone, clock=clock)
        stack.push_async_callback(tables.close)
        workers = WorkerPool(
            settings.thinkers, seconds=settings.think_seconds, observe=metrics.observe_move
        )
        stack.push_async_callback(workers.close)
        retention = Retention(tables, settings.keep_days)
        stack.push_async_callback(retention.close)
        scheduler = Scheduler(tables, workers.choose)
        stack.push_async_callback(scheduler.close)
        sync = TableSync(tables)
        stack.push_async_callback(sync.close)
        notifier = None
        if settings.redis is not None:
            notifier = ChangeNotifier(settings.redis, on_change=sync.changed, on_gap=sync.missed)
            await notifier.start()
            stack.push_async_callback(notifier.close)
            tables.after_append.append(lambda table, _: notifier.notify(table.id, table.version))
        table_limit = UnfinishedTableLimit(store, settings.unfinished_tables)
        app.state.update(
            tables=tables,
            scheduler=scheduler,
            store=store,
            table_limit=table_limit,
            notifier=notifier,
        )
        tables.after_append.append(metrics.count_events)
        metrics.gauge("tables", "Tables loaded in this process", lambda: len(tables.loaded))
        metrics.gauge("streams", "Open streams in this process", tables.stream_count)
        metrics.gauge("thinkers_waiting", "Moves that wait for a worker", lambda: workers.waiting)
        metrics.gauge("thinkers_restarted", "Workers replaced", lambda: workers.restarts)
        stack.enter_context(_close_streams_on_signals(tables))
        scheduler.start()
        retention.start()
        sync.start()
        _tune_gc()
        starting = asyncio.create_task(workers.start())
        yield
        starting.cancel()


def _tune_gc() -> None:
    """Exclude the objects that exist now from garbage collection, and turn off automatic full collections.

    A full collection stops the server for a third of a second. Reference counting already frees nearly all memory.
    Therefore only young objects are collected automatically. The scheduler runs full collections.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 1_000_000)


@contextmanager
def _close_streams_on_signals(tables: TableService) -> Iterator[None]:
    """Close all streams when the server gets a stop signal. Otherwise the server would wait for them."""
    loop = asyncio.get_running_loop()
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(tables.close_streams)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    main = threading.current_thread() is threading.main_thread()
    for each in before if main else ():
        signal.signal(each, stop)
    yield
    for each, handler in before.items() if main else ():
        signal.signal(each, handler)
