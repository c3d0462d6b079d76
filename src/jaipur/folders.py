"""The folders for the user's data and caches, and locks on files in them.

The folders follow the XDG standard on all systems, also on macOS, because earlier versions stored their files there.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs.unix import Unix

if TYPE_CHECKING:
    from filelock import FileLock

_FOLDERS = Unix("jaipur")


def data_folder() -> Path:
    """Return the folder for saved games and for the tables of the local server.

    The environment variable JAIPUR_DATA overrides the XDG data folder.
    """
    return Path(os.environ.get("JAIPUR_DATA") or _FOLDERS.user_data_dir).absolute()


def cache_folder() -> Path:
    """Return the folder for files that can be created again. The path is relative if the home folder is unknown."""
    return Path(_FOLDERS.user_cache_dir)


def try_lock(path: Path) -> "FileLock | None":
    """Lock a file and return the lock, or return None if another process holds the lock.

    The process holds the lock until it releases the lock or ends.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415  # slow to import

    lock = FileLock(path, blocking=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    return lock


class SharedLock:
    """A lock that several processes can hold at the same time. Meanwhile, `try_lock` gets no lock on the file."""

    def __init__(self, path: Path) -> None:
        from fcntl import LOCK_NB, LOCK_SH, flock  # noqa: PLC0415  # not available on all systems

        self._file = path.open("ab")
        try:
            flock(self._file, LOCK_SH | LOCK_NB)
        except OSError:
            self.release()
            raise

    def release(self) -> None:
        self._file.close()


def try_share(path: Path) -> SharedLock | None:
    """Get a shared lock on a file, or return None if a process holds a lock from `try_lock`.

    The process holds the lock until it releases the lock or ends.
    """
    try:
        return SharedLock(path)
    except BlockingIOError:
        return None
