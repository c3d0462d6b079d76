"""The outermost ASGI layer: adds security headers and metrics to every response, and shortens startup errors."""

from time import perf_counter
from typing import cast

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import Message, Receive, Scope, Send

from jaipur.server.metrics import Metrics

SECURITY_HEADERS = [
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
]
"""Headers that are added to every response that does not already have them."""


class SecurityHeadersMiddleware:
    """Wraps the whole application, so that it also handles error responses."""

    def __init__(self, app: Litestar, metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, _with_short_startup_error(send))
            return
        started = perf_counter()

        async def send_response(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(header for header in SECURITY_HEADERS if header[0] not in present),
                ]
                self._metrics.requests.labels(str(message["status"])).inc()
                self._metrics.seconds.observe(perf_counter() - started)
            await send(message)

        await self.app(scope, receive, send_response)


def _with_short_startup_error(send: Send) -> Send:
    """Remove the traceback that Litestar adds to the message about a failed startup."""

    async def send_lifespan(message: Message) -> None:
        event = cast("dict[str, str]", message)  # Litestar has no types for lifespan messages
        if event["type"] == "lifespan.startup.failed":
            event["message"] = event["message"].strip().splitlines()[-1]
        await send(message)

    return send_lifespan
