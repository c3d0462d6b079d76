"""The data folder as the place of one server, which locks it and writes its address down for those who come later."""

import json
import time
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from jaipur.folders import data_folder, try_lock

PATIENCE = 15.0
"""Seconds that a server may take from its lock to its first answer."""


class Place:
    """The place of the server whose tables lie in the user's data folder. Keep it as long as the server runs."""

    def __init__(self) -> None:
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        self.database = f"sqlite:///{folder / 'tables.sqlite'}"
        self._address = folder / "address"
        self._lock = try_lock(folder / "tables.lock")
        self.ours = self._lock is not None
        """Whether no other server runs here."""

    def move_in(self, address: str) -> None:
        """Write down where the server of this place listens."""
        self._address.write_text(address)

    def last_address(self) -> str:
        """Where a server of this place listens, or listened before."""
        return self._address.read_text() if self._address.exists() else ""

    def last_port(self) -> int:
        """The port used before, or 0: with it, addresses and what a browser keeps for them stay good."""
        try:
            return urlsplit(self.last_address()).port or 0
        except ValueError:
            return 0

    def find_server(self) -> str | None:
        """The address of the server that has this place, once it answers."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            address = self.last_address()
            if is_jaipur(address):
                return address
            time.sleep(0.1)
        return None


def is_jaipur(address: str) -> bool:
    """Whether a server of ours answers there; asked directly, past any proxy."""
    try:
        where = urlsplit(address)
        connection = HTTPConnection(where.hostname or "", where.port, timeout=2)
        connection.request("GET", f"{where.path}/health")
        told = json.loads(connection.getresponse().read(1000))
        connection.close()
    except (OSError, ValueError, HTTPException):
        return False
    return isinstance(told, dict) and told.get("status") == "ok"
