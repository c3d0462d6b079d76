"""What stands before every request and behind every answer: no writing from other sites, strict headers, counting."""

from time import perf_counter
from typing import cast
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import ClientException
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from jaipur.server.http.problems import Unusable
from jaipur.server.metrics import Metrics

_READING = {"GET", "HEAD", "OPTIONS"}

HEADERS = [
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
]


async def no_writing_from_elsewhere(
    connection: ASGIConnection[BaseRouteHandler, None, None, State], _handler: BaseRouteHandler
) -> None:
    """Refuse what a browser sends for another site. Bots are no browsers: they say nothing of where they come from."""
    if connection.scope.get("method") in _READING:
        return
    headers = connection.headers
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        elsewhere = site not in ("same-origin", "none")
    else:
        elsewhere = origin is not None and _host_of(origin) != headers.get("host")
    if elsewhere:
        raise Unusable("cross_site", 403)
    # What a form of another site could send is never JSON.
    kind = headers.get("content-type", "")
    sent = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if (sent or kind) and kind.partition(";")[0].strip().lower() != "application/json":
        raise ClientException("the Content-Type is not application/json", status_code=415)


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


class Doorway:
    """The outermost layer of the application, which every answer passes."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, _in_one_sentence(send))
            return
        began = perf_counter()

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(header for header in HEADERS if header[0] not in present),
                ]
                self._metrics.requests.labels(str(message["status"])).inc()
                self._metrics.seconds.observe(perf_counter() - began)
            await send(message)

        await self._app(scope, receive, send_on)


def _in_one_sentence(send: Send) -> Send:
    """What keeps the application from starting, without the way it took through the code."""

    async def send_on(message: Message) -> None:
        told = cast("dict[str, str]", message)  # those of a lifespan are not among Litestar's
        if told["type"] == "lifespan.startup.failed":
            told["message"] = told["message"].strip().splitlines()[-1]
        await send(message)

    return send_on
