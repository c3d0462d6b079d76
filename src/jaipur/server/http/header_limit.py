"""A limit on the size of request headers. The httptools parser of uvicorn has no such limit."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from jaipur.server.http.limits import MAX_HEADER_BYTES


class HeaderLimitProtocol(HttpToolsProtocol):
    """Closes the connection if the request line and headers exceed the limit."""

    _header_bytes: int | None = 0
    """The number of header bytes received so far; None while the body is received."""

    def data_received(self, data: bytes) -> None:
        if self._header_bytes is not None:
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES:
                self.transport.close()
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        self._header_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._header_bytes = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._header_bytes = 0
        super().on_message_complete()
