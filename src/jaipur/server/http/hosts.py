"""Checks the Host header of every request against the names of this server.

This prevents DNS rebinding. In this attack, the name of another site gets the address of this server. A page of that
site could then use a server that only this machine or this network can reach.
"""

import re
import socket
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address

_PORT = re.compile(r":\d{0,5}\Z")
_MAX_LENGTH = 260
"""A DNS name has at most 253 characters."""


class HostNames:
    """The names of a server. IP addresses are always allowed, because DNS rebinding needs a name."""

    def __init__(self, names: Iterable[str]) -> None:
        machine = socket.gethostname()
        local = (machine, machine.partition(".")[0], machine.partition(".")[0] + ".local")
        self._names = {name.lower().rstrip(".") for name in ("localhost", *local, *names)}
        self._is_own = lru_cache(1000)(self._find)

    def allow(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Return whether the Host header is a name of this server. A request without Host is allowed (HTTP/1.0)."""
        return all(
            len(value) <= _MAX_LENGTH and self._is_own(value)
            for name, value in headers
            if name == b"host"
        )

    def _find(self, host: bytes) -> bool:
        name = _PORT.sub("", host.decode("latin-1")).lower().rstrip(".")
        return name in self._names or _is_address(name)


def _is_address(name: str) -> bool:
    bracketed = name.startswith("[") and name.endswith("]")
    try:
        return ip_address(name[1:-1] if bracketed else name).version == (6 if bracketed else 4)
    except ValueError:
        return False
