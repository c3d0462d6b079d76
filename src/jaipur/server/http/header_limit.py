"""HTTP as uvicorn speaks it, with an end to how long a request's head may be; the parser itself knows none."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_HEAD = 32 * 1024


class BoundedProtocol(HttpToolsProtocol):
    """Hangs up on whoever goes on and on before the head of a request is complete."""

    _head: int | None = 0
    """Bytes of the head so far; None once it is complete."""

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            self._head += len(data)
            if self._head > LONGEST_HEAD:
                self.transport.close()
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        self._head = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._head = 0
        super().on_message_complete()
