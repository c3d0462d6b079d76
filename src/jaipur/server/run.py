"""Running the application: uvicorn with a socket of ours, in this process or in several that share it."""

import asyncio
import os
import socket
from collections.abc import Callable
from functools import partial
from typing import Literal

import msgspec
import uvicorn
from litestar.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from jaipur.server.app import application
from jaipur.server.http.limits import MAX_HEADER_BYTES
from jaipur.server.live.pubsub import ChangeNotifier
from jaipur.server.settings import Settings
from jaipur.server.store.event_store import open_event_store

GRACE = 5
"""Seconds that running requests get when the server is told to stop."""

KEEP_ALIVE = 75
"""Seconds that an idle connection is kept: longer than proxies usually keep theirs."""

_SETTINGS = "JAIPUR_SERVER_SETTINGS"


class Announced(uvicorn.Server):
    """A server that says when it is there."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()


def serve(
    settings: Settings,
    host: str,
    port: int,
    *,
    workers: int = 1,
    proxy: str | None = None,
    prefix: str = "",
    started: Callable[[str], None],
) -> None:
    """Serve until told to stop. What cannot work is said before anything listens."""
    asyncio.run(_try_out(settings))
    with _listening(host, port) as listening:
        config = uvicorn.Config(
            "jaipur.server.run:from_environment",
            factory=True,
            workers=workers,
            http=_http_protocol(),
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            ws="none",
            access_log=False,
            log_level="warning",
            proxy_headers=proxy is not None,
            forwarded_allow_ips=proxy,
            root_path=prefix,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=KEEP_ALIVE,
        )
        os.environ[_SETTINGS] = msgspec.json.encode(settings).decode()
        address = _address(host, listening, prefix)
        if workers == 1:
            Announced(config, partial(started, address)).run(sockets=[listening])
        else:
            started(address)
            Multiprocess(config, sockets=[listening]).run()


def from_environment() -> ASGIApp:
    """The application of one server process. The settings go no further: they may hold a password."""
    return application(msgspec.json.decode(os.environ.pop(_SETTINGS), type=Settings))


async def _try_out(settings: Settings) -> None:
    """Open what the server needs, and bring the database up to date, before it starts."""
    storage = await open_event_store(settings.database)
    await storage.close()
    if settings.redis is not None:
        bell = ChangeNotifier(settings.redis, on_ring=_not_heard, on_gap=_not_heard)
        await bell.start()
        await bell.close()


async def _not_heard(*_anything: object) -> None:
    pass


def _http_protocol() -> type[asyncio.Protocol] | Literal["h11"]:
    """httptools with a header limit. Without the extra `hosting`: h11, which is slower and has its own limit."""
    try:
        from jaipur.server.http.header_limit import HeaderLimitProtocol  # noqa: PLC0415  # optional
    except ImportError:
        return "h11"
    return HeaderLimitProtocol


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        error.filename = f"{host}:{port}"
        raise
    listening.set_inheritable(True)
    return listening


def _address(host: str, listening: socket.socket, prefix: str) -> str:
    port = listening.getsockname()[1]
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}{prefix}"
