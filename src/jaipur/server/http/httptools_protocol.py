"""The httptools protocol of uvicorn with limits on connections, on the size of headers and on pipelined requests.

httptools and its parser llhttp have no such limits.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from jaipur.server.http.connections import ConnectionRegistry, is_responding, refuse
from jaipur.server.http.limits import MAX_HEADER_BYTES

MAX_PIPELINED = 16
"""On one connection, at most this many requests may wait for the response to an earlier request."""
_PART_BYTES = 4096
"""Received data is parsed in parts of this many bytes. After each part the limits are checked."""


class LimitedHttpToolsProtocol(HttpToolsProtocol):
    def __init__(self, registry: ConnectionRegistry, **arguments: Any) -> None:  # noqa: ANN401  # uvicorn passes them
        super().__init__(**arguments)
        self._registry = registry
        self._header_bytes = 0
        """The number of bytes of a head or of trailers that were received so far.

        It is set to 0 after each complete head, each piece of a body and each complete request.
        """
        self.receives_body = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._registry.add(self, self.loop)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # after an error, uvicorn's timer would keep the connection in memory
        self._registry.remove(self)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), _PART_BYTES):
            part = data[start : start + _PART_BYTES]
            self._header_bytes += len(part)
            super().data_received(part)
            if self.transport.is_closing():
                return
            if self._header_bytes > MAX_HEADER_BYTES:
                self._refuse_headers()
                return

    def _refuse_headers(self) -> None:
        if self.receives_body or is_responding(self):
            self.transport.abort()  # the client would read an error as the response to an earlier request
        else:
            refuse(self.transport, "too_large", 431)

    def on_headers_complete(self) -> None:
        self.receives_body = True
        super().on_headers_complete()
        self._count_from_here()
        if len(self.pipeline) > MAX_PIPELINED:
            self.transport.abort()

    def on_body(self, body: bytes) -> None:
        self._count_from_here()
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._count_from_here()
        self.receives_body = False
        super().on_message_complete()

    def _count_from_here(self) -> None:
        if (
            not self.pipeline
        ):  # requests that wait count together, because all of them stay in memory
            self._header_bytes = 0
