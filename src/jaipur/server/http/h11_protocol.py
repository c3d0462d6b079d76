"""The h11 protocol of uvicorn with limits on connections. It is slower than httptools but needs no extra.

h11 itself limits the size of headers and trailers (`h11_max_incomplete_event_size` in the settings of uvicorn).
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from jaipur.server.http.connections import ConnectionRegistry


class LimitedH11Protocol(H11Protocol):
    def __init__(self, registry: ConnectionRegistry, **arguments: Any) -> None:  # noqa: ANN401  # uvicorn passes them
        super().__init__(**arguments)
        self._registry = registry

    @property
    def receives_body(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._registry.add(self, self.loop)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # after an error, uvicorn's timer would keep the connection in memory
        self._registry.remove(self)
