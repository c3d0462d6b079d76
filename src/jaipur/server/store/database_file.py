"""The file of an SQLite database. Only its owner may read it, and the store notices if it is deleted or replaced.

A process can write to a deleted file without an error, but after a restart the data is gone. Therefore the store checks
that the paths still name the open files. It does this before it acknowledges a write.
"""

from pathlib import Path

from jaipur.server.store.schema import StoreError

_FileIdentity = tuple[int, int]


class DatabaseFile:
    """The database file and its write-ahead log (the WAL file)."""

    def __init__(self, path: str) -> None:
        self.name = path
        self._path = Path(path)
        self._wal_path = Path(f"{path}-wal")
        folder = self._path.resolve().parent
        if not folder.is_dir():
            raise StoreError(f"The database {path} cannot be used: there is no folder {folder}.")
        # Only the owner may read the file, because it contains all hidden cards. The WAL file gets the same mode.
        self._path.touch(mode=0o600)
        self._identity = _identity(self._path)
        self._wal_identity: _FileIdentity | None = None

    def check(self) -> None:
        """Raise `StoreError` if the path no longer names the file that was opened."""
        if _identity(self._path) != self._identity:
            raise self._gone(self._path)

    def check_all(self) -> None:
        """Check the WAL file too. It must exist, because SQLite deletes it only when the last connection is closed."""
        self.check()
        found = _identity(self._wal_path)
        if found is None or found != (self._wal_identity or found):
            raise self._gone(self._wal_path)
        self._wal_identity = found

    def _gone(self, path: Path) -> StoreError:
        return StoreError(
            f"The file {path} was deleted or replaced while the server used it; restart the server."
        )


def _identity(path: Path) -> _FileIdentity | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
