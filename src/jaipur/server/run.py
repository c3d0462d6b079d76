"""Runs the application with uvicorn, in this process or in several processes that share one socket."""

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import msgspec
import uvicorn
from litestar.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from jaipur.server.app import application
from jaipur.server.http.connections import (
    ConnectionLimits,
    ConnectionRegistry,
    Network,
    raise_descriptor_limit,
)
from jaipur.server.http.h11_protocol import LimitedH11Protocol
from jaipur.server.http.limits import MAX_HEADER_BYTES
from jaipur.server.live.pubsub import ChangeNotifier
from jaipur.server.log_format import LOGGING
from jaipur.server.settings import Settings
from jaipur.server.store.event_store import open_event_store

SEND_BUFFER_BYTES = 256 * 1024
"""The operating system buffers at most this many bytes of an unread response. Its default is up to 4 MiB."""
_SETTINGS = "JAIPUR_SERVER_SETTINGS"


class AnnouncedServer(uvicorn.Server):
    """A server that calls a function when it is ready to accept connections."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_started()


def serve(
    settings: Settings,
    host: str,
    port: int,
    *,
    workers: int = 1,
    proxies: Sequence[Network] = (),
    prefix: str = "",
    connections: int = ConnectionLimits().per_address,
    started: Callable[[str], None],
) -> None:
    """Serve until a stop signal arrives. Errors of the database or Redis are reported before the socket opens."""
    asyncio.run(_check(settings))
    limits = ConnectionLimits(connections, raise_descriptor_limit(), proxies)
    with _listen(host, port) as listener:
        config = uvicorn.Config(
            "jaipur.server.run:from_environment",
            factory=True,
            workers=workers,
            http=http_protocol(limits),  # type: ignore[arg-type]  # called as a class
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            ws="none",
            access_log=False,
            log_config=LOGGING,
            log_level="error",  # the warnings are about invalid requests; clients could fill the log with them
            proxy_headers=bool(proxies),
            forwarded_allow_ips=[str(network) for network in proxies],
            root_path=prefix,
            server_header=False,
            timeout_graceful_shutdown=5,
            timeout_keep_alive=75,  # longer than the usual timeout of proxies
        )
        os.environ[_SETTINGS] = msgspec.json.encode(settings).decode()
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listener.getsockname()[1]}{prefix}"
        if workers == 1:
            AnnouncedServer(config, partial(started, address)).run(sockets=[listener])
        else:
            started(address)
            Multiprocess(config, sockets=[listener]).run()


def from_environment() -> ASGIApp:
    """Create the application of one server process. Its settings come from the environment.

    They are removed from the environment, because they may contain a password.
    """
    return application(msgspec.json.decode(os.environ.pop(_SETTINGS), type=Settings))


async def _check(settings: Settings) -> None:
    """Connect to the database and Redis once, and migrate the database."""
    store = await open_event_store(settings.database)
    await store.close()
    if settings.redis is not None:
        notifier = ChangeNotifier(settings.redis, on_change=lambda *_: None, on_gap=lambda: None)
        await notifier.start()
        await notifier.close()


def http_protocol(limits: ConnectionLimits) -> Callable[..., asyncio.Protocol]:
    """Return the protocol class with our limits: httptools or, without the extra `hosting`, the slower h11."""
    protocol: Callable[..., asyncio.Protocol] = LimitedH11Protocol
    with suppress(ImportError):
        from jaipur.server.http.httptools_protocol import (  # noqa: PLC0415  # optional
            LimitedHttpToolsProtocol,
        )

        protocol = LimitedHttpToolsProtocol
    return partial(protocol, ConnectionRegistry(limits))


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        error.filename = f"{host}:{port}"
        raise
    listener.set_inheritable(True)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    return listener
