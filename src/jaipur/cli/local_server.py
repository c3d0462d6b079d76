"""File locks for databases, and the local server. The local server stores its tables in the user's data folder.

Two servers that use the same database file do not see each other's moves, unless Redis connects them. Therefore a
server locks its database file. At most one server uses the data folder. This server
writes its address into the folder, so that other processes can find the server.
"""

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from jaipur.folders import SharedLock, data_folder, try_lock, try_share

if TYPE_CHECKING:
    from filelock import FileLock

START_TIMEOUT = 15.0
"""A server that has taken the lock must respond within this many seconds."""


class LocalServer:
    """The lock of the data folder, and the stored address of the server. Keep this object while the server runs."""

    def __init__(self) -> None:
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "tables.sqlite"
        self.database = f"sqlite:///{file}"
        self._address = folder / "address"
        self._lock = try_lock(_lock_file(file))
        self.owned = self._lock is not None
        """Whether this process holds the lock. Then no other server uses the data folder."""

    def store_address(self, address: str) -> None:
        """Store the address for other processes and for the next start."""
        self._address.write_text(address)

    def last_address(self) -> str:
        """Return the address of the running server, or of the last server that ran. It is empty if none has run."""
        return self._address.read_text() if self._address.exists() else ""

    def last_port(self) -> int:
        """Return the port of the last server, or 0. The same port keeps links and the browser's stored data valid."""
        try:
            return urlsplit(self.last_address()).port or 0
        except ValueError:
            return 0

    def wait_for_address(self) -> str | None:
        """Wait until the running server responds, and return its address. Return None after a timeout."""
        deadline = time.monotonic() + START_TIMEOUT
        while time.monotonic() < deadline:
            address = self.last_address()
            if is_jaipur(address):
                return address
            time.sleep(0.1)
        return None


@contextmanager
def locked_database(url: str, *, shared: bool) -> Iterator[None]:
    """Lock the file of an SQLite database for a server. Servers with `shared` can use the file at the same time."""
    lock = _lock_database(url, shared)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


def _lock_database(url: str, shared: bool) -> "FileLock | SharedLock | None":
    """Return the lock, or None if there is no file to lock.

    Errors in the URL are ignored here, because opening the database reports them.
    """
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(url)
        if parsed.drivername != "sqlite" or not parsed.database:
            return None
        path = _lock_file(Path(parsed.database))
        if not path.parent.is_dir():  # FileLock would create the folder
            return None
        lock = try_share(path) if shared else try_lock(path)
    except (ArgumentError, ValueError, OSError):
        return None
    if lock is None:
        raise argparse.ArgumentTypeError(
            f"Another server uses {parsed.database}. Servers that share a database need --redis."
        )
    return lock


def _lock_file(database: Path) -> Path:
    return Path(f"{database.resolve()}.lock")


def is_jaipur(address: str) -> bool:
    """Return whether a Jaipur server responds at this address. The request does not use a proxy."""
    try:
        url = urlsplit(address)
        connection = HTTPConnection(url.hostname or "", url.port, timeout=2)
        connection.request("GET", f"{url.path}/health")
        health = json.loads(connection.getresponse().read(1000))
        connection.close()
    except (OSError, ValueError, HTTPException):
        return False
    return isinstance(health, dict) and health.get("status") == "ok"
