"""Limits on connections: how many there may be, how long a request may take, and how long a response may stay unread.

uvicorn limits only the idle time between two requests. `h11_protocol` and `httptools_protocol` add the limits of this
file to the protocols of uvicorn.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Protocol

from jaipur.server.http.limits import address_key
from jaipur.server.http.problems import STATUSES, encoded_problem
from jaipur.words import Words

Network = IPv4Network | IPv6Network

MAX_UNREAD_BYTES = 64 * 1024
"""The application waits if this many bytes of a response are still unread by the client."""
MAX_DESCRIPTORS = 65_536
"""A server process asks the system for at most this many open file descriptors."""
RESERVED_DESCRIPTORS = 128
"""This many file descriptors are reserved for the database, Redis, worker processes and files."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of a server process."""

    per_address: int = 200
    """The maximum number of connections of one client address. 0 means no limit."""
    total: int = MAX_DESCRIPTORS - RESERVED_DESCRIPTORS
    proxies: Sequence[Network] = ()
    """The reverse proxies. They have no limit, because the connections of all clients come from their addresses."""
    head_seconds: float = 10.0
    """The time for the request line and the headers."""
    body_seconds: float = 30.0
    """The time for the body, after the headers."""
    unread_seconds: float = 30.0
    """A client that does not read its response for this time is disconnected."""
    check_seconds: float = 2.5
    """The time between two checks of all connections. A limit above can therefore be exceeded by this time."""


class Cycle(Protocol):
    """A request and its response in uvicorn."""

    response_complete: bool


class Connection(Protocol):
    """The attributes of a connection that the checks need. All except `receives_body` belong to uvicorn."""

    @property
    def transport(self) -> asyncio.Transport: ...
    @property
    def client(self) -> tuple[str, int] | None: ...
    @property
    def cycle(self) -> Cycle | None: ...
    @property
    def timeout_keep_alive_task(self) -> asyncio.TimerHandle | None: ...
    @property
    def receives_body(self) -> bool:
        """Whether the body of a request is incomplete."""
        ...


class _Watch:
    """The state of one connection at the last check."""

    __slots__ = ("_awaited", "_awaited_since", "_unread", "_unread_since", "address")

    def __init__(self, address: str | None, now: float) -> None:
        self.address = address
        self._awaited: object = None
        self._awaited_since = self._unread_since = now
        self._unread = 0

    def is_overdue(self, connection: Connection, now: float, limits: ConnectionLimits) -> bool:
        """Return whether the client sends its request or reads its response too slowly."""
        part = _awaited_part(connection)
        # A new cycle means that the client has sent another request since the last check.
        awaited = part and (part, connection.cycle)
        if awaited is None or awaited != self._awaited:
            self._awaited, self._awaited_since = awaited, now
        unread = connection.transport.get_write_buffer_size()
        if unread == 0 or unread < self._unread:
            self._unread_since = now
        self._unread = unread
        allowed = limits.body_seconds if part == "body" else limits.head_seconds
        return (
            now - self._awaited_since >= allowed
            or now - self._unread_since >= limits.unread_seconds
        )


def _awaited_part(connection: Connection) -> str | None:
    """Return the part of a request that the client has to send now, or None if it has to send nothing."""
    if connection.receives_body:
        return "body"
    if is_responding(connection):
        return None
    if connection.timeout_keep_alive_task is not None:
        return None  # uvicorn limits the time between two requests
    return "head"


def is_responding(connection: Connection) -> bool:
    """Return whether a request has arrived and its response is incomplete."""
    return connection.cycle is not None and not connection.cycle.response_complete


class ConnectionRegistry:
    """All connections of a server process. It refuses new connections above the limits and closes overdue ones."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._watches: dict[Connection, _Watch] = {}
        self._by_address: Counter[str] = Counter()
        self._checking = False

    def add(self, connection: Connection, loop: asyncio.AbstractEventLoop) -> None:
        """Add a new connection, or refuse it if there are too many."""
        address = self._counted_address(connection.client)
        if len(self._watches) >= self._limits.total:
            refuse(connection.transport, "unavailable")
        elif address is not None and self._by_address[address] >= self._limits.per_address:
            refuse(connection.transport, "too_many")
        else:
            self._watches[connection] = _Watch(address, loop.time())
            if address is not None:
                self._by_address[address] += 1
            connection.transport.set_write_buffer_limits(high=MAX_UNREAD_BYTES)
            if not self._checking:
                self._checking = True
                loop.call_later(self._limits.check_seconds, self._close_overdue, loop)

    def remove(self, connection: Connection) -> None:
        """Remove a closed connection. Do nothing if the connection was refused."""
        watch = self._watches.pop(connection, None)
        if watch is not None and watch.address is not None:
            self._by_address[watch.address] -= 1
            if not self._by_address[watch.address]:
                del self._by_address[watch.address]

    def _counted_address(self, client: tuple[str, int] | None) -> str | None:
        """Return the key of a client address, or None if this address has no limit."""
        if client is None or not self._limits.per_address:
            return None
        peer = ip_address(client[0])
        if any(peer in network for network in self._limits.proxies):
            return None
        return address_key(client[0])

    def _close_overdue(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        overdue = [
            connection
            for connection, watch in self._watches.items()
            if watch.is_overdue(connection, now, self._limits)
        ]
        for connection in overdue:
            # Do not use `close`. It would wait until the client has read everything.
            connection.transport.abort()
        self._checking = bool(self._watches)
        if self._checking:
            loop.call_later(self._limits.check_seconds, self._close_overdue, loop)


def refuse(transport: asyncio.Transport, code: str, status: int | None = None) -> None:
    """Send an error without the application, and close the connection. The language of the client is not known yet."""
    status = status or STATUSES[code]
    body = encoded_problem(code, Words())
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nconnection: close\r\nretry-after: 1\r\n"
        f"cache-control: no-store\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    transport.write(head.encode() + body)
    transport.close()


def raise_descriptor_limit() -> int:
    """Raise the limit of open file descriptors, and return the number of descriptors that connections may use."""
    try:
        import resource  # noqa: PLC0415  # does not exist on Windows
    except ImportError:
        return ConnectionLimits().total
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    available = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    with suppress(OSError, ValueError):  # some systems refuse values below the hard limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, available), hard))
        soft = available
    return max(soft - RESERVED_DESCRIPTORS, soft // 2)
