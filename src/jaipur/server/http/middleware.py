"""The outermost ASGI layer. It checks the host name, refuses floods, answers HEAD, adds headers and counts responses.

It also shortens the error message of a failed start.
"""

from time import perf_counter
from typing import cast

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.response.base import ASGIResponse
from litestar.types import HTTPScope, Message, Receive, ReceiveMessage, Scope, Send

from jaipur.server.http.hosts import HostNames
from jaipur.server.http.language import preferred_language
from jaipur.server.http.limits import RateLimits
from jaipur.server.http.problems import STATUSES, encoded_problem
from jaipur.server.metrics import Metrics
from jaipur.words import Words

SECURITY_HEADERS = [
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
]
"""These headers are added to every response that does not have them already."""


class SecurityHeadersMiddleware:
    """Wraps the whole application, so that error responses get the headers too."""

    def __init__(
        self, app: Litestar, metrics: Metrics, names: HostNames, limits: RateLimits
    ) -> None:
        self.app = app
        self._metrics = metrics
        self._names = names
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, _with_short_startup_error(send))
            return
        started = perf_counter()
        headers_only = scope["method"] == "HEAD"
        if headers_only:
            # The routes answer GET. uvicorn has the original scope and sends no body.
            scope = cast("HTTPScope", {**scope, "method": "GET"})

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
                if headers_only:  # end the response now, even if the body is an endless stream
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
            elif not headers_only:
                await send(message)

        async def receive_disconnect() -> ReceiveMessage:
            while (message := await receive())["type"] != "http.disconnect":
                pass
            return message

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_response)
        else:
            # No GET route reads a body. A stream of Litestar only waits for the end of the connection, and it would
            # call itself again for each piece of a body until the stack is full.
            ignores_body = scope["method"] == "GET"
            await self.app(scope, receive_disconnect if ignores_body else receive, send_response)

    def _refusal(self, scope: HTTPScope) -> ASGIResponse | None:
        """Return the response to a request with a wrong host name, or to a request of a flood."""
        if not self._names.allow(scope["headers"]):
            code, headers = "wrong_host", dict[str, str]()
        elif waiting := self._limits.refuse_flood(scope):
            code, headers = "too_many", waiting
        else:
            return None
        self._metrics.refusals.labels(code).inc()
        accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
        return ASGIResponse(
            body=encoded_problem(code, Words(preferred_language(accepted))),
            headers=headers,
            status_code=STATUSES[code],
            media_type="application/json",
        )


def _with_short_startup_error(send: Send) -> Send:
    """Remove the traceback that Litestar adds to the message about a failed startup.

    The last line with a text is the error itself. The traceback of an exception group ends with a frame of “+-|”.
    """

    async def send_lifespan(message: Message) -> None:
        event = cast("dict[str, str]", message)  # Litestar has no types for lifespan messages
        if event["type"] == "lifespan.startup.failed":
            event["message"] = event["message"].strip(" +-|\n").splitlines()[-1].strip(" |")
        await send(message)

    return send_lifespan
