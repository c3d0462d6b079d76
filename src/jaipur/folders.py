"""The folders of this user's data and caches, and locks on files in them.

All systems use the XDG folders: macOS too, where versions before platformdirs already stored their files.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs.unix import Unix

if TYPE_CHECKING:
    from filelock import FileLock

_FOLDERS = Unix("jaipur")


def data_folder() -> Path:
    """Saved games and the tables of the local server: JAIPUR_DATA, else the XDG data folder."""
    return Path(os.environ.get("JAIPUR_DATA") or _FOLDERS.user_data_dir).absolute()


def cache_folder() -> Path:
    """Files that can be made again; a relative path where the home folder is unknown."""
    return Path(_FOLDERS.user_cache_dir)


def try_lock(path: Path) -> "FileLock | None":
    """A lock held until it is released or the process ends; None if another process holds it."""
    from filelock import FileLock, Timeout  # noqa: PLC0415  # slow to import

    lock = FileLock(path, blocking=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    return lock
