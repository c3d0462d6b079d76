"""The local server of the user's data folder. There is only one at a time; other processes find its stored address."""

import json
import time
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from jaipur.folders import data_folder, try_lock

START_TIMEOUT = 15.0
"""The maximum seconds between the lock of a server and its first response."""


class LocalServer:
    """The lock and the stored address of the data folder's server. Keep this object while the server runs."""

    def __init__(self) -> None:
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        self.database = f"sqlite:///{folder / 'tables.sqlite'}"
        self._address = folder / "address"
        self._lock = try_lock(folder / "tables.lock")
        self.owned = self._lock is not None
        """Whether this process holds the lock. Then no other server uses the data folder."""

    def store_address(self, address: str) -> None:
        """Store the address for other processes and for the next start."""
        self._address.write_text(address)

    def last_address(self) -> str:
        """The address of the running server, or of the last one."""
        return self._address.read_text() if self._address.exists() else ""

    def last_port(self) -> int:
        """The last port, or 0. With the same port, links and the browser's stored data stay valid."""
        try:
            return urlsplit(self.last_address()).port or 0
        except ValueError:
            return 0

    def wait_for_address(self) -> str | None:
        """Wait until the running server responds, and return its address. None after a timeout."""
        deadline = time.monotonic() + START_TIMEOUT
        while time.monotonic() < deadline:
            address = self.last_address()
            if is_jaipur(address):
                return address
            time.sleep(0.1)
        return None


def is_jaipur(address: str) -> bool:
    """Whether a Jaipur server responds at this address. Proxy settings are ignored."""
    try:
        url = urlsplit(address)
        connection = HTTPConnection(url.hostname or "", url.port, timeout=2)
        connection.request("GET", f"{url.path}/health")
        health = json.loads(connection.getresponse().read(1000))
        connection.close()
    except (OSError, ValueError, HTTPException):
        return False
    return isinstance(health, dict) and health.get("status") == "ok"
