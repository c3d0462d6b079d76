"""The folders for the user's data and caches, and locks on files in them.

All systems use the XDG folders. macOS uses them too, because earlier versions stored their files there.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs.unix import Unix

if TYPE_CHECKING:
    from filelock import FileLock

_FOLDERS = Unix("jaipur")


def data_folder() -> Path:
    """The folder of saved games and of the local server's tables: JAIPUR_DATA if set, else the XDG data folder."""
    return Path(os.environ.get("JAIPUR_DATA") or _FOLDERS.user_data_dir).absolute()


def cache_folder() -> Path:
    """The folder of files that can be created again. A relative path if the home folder is unknown."""
    return Path(_FOLDERS.user_cache_dir)


def try_lock(path: Path) -> "FileLock | None":
    """A lock that is held until its release or the end of the process; None if another process holds it."""
    from filelock import FileLock, Timeout  # noqa: PLC0415  # slow to import

    lock = FileLock(path, blocking=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    return lock
