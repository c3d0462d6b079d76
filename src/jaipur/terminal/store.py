"""Keeping games: the one being played, written after every move, and those that are over.

Every game being played has a place of its own in the data folder, so that two windows never write over each other.
"""

import os
from collections.abc import Iterable, Iterator
from errno import EBUSY
from pathlib import Path
from typing import TYPE_CHECKING

from jaipur.folders import try_lock
from jaipur.notation.files import write_whole
from jaipur.notation.records import LONGEST_LINE

if TYPE_CHECKING:
    from filelock import FileLock

GAMES = "games.jaipur.jsonl"
_PLACES = 99


class Store:
    """The folder of one user, with a place claimed in it for the game of this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: FileLock | None = None
        self._passed_over: set[Path] = set()
        self.kept = folder / "game.jaipur.jsonl"

    def claim(self) -> None:
        """Find a place nobody is playing at, best one with an unfinished game."""
        self._claim(sorted(self._places(), key=lambda place: not place.exists()))

    def pass_over(self) -> None:
        """Leave the game of this place as it is, for it cannot be read, and claim another place."""
        self._passed_over.add(self.kept)
        self.release()
        self.claim()

    def release(self) -> None:
        """Let others have this place."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _claim(self, places: Iterable[Path]) -> None:
        """Claim the first of these places whose lock can be had."""
        self.folder.mkdir(parents=True, exist_ok=True)
        refused = OSError(EBUSY, os.strerror(EBUSY))
        for kept in places:
            try:
                lock = try_lock(kept.with_suffix(".lock"))
            except OSError as error:
                refused = error
                continue
            if lock is not None:
                self.kept, self._lock = kept, lock
                return
        raise refused

    def _places(self) -> Iterator[Path]:
        names = ("game", *(f"game-{number}" for number in range(2, _PLACES)))
        for place in (self.folder / f"{name}.jaipur.jsonl" for name in names):
            if place not in self._passed_over:
                yield place

    def load(self) -> bytes | None:
        """The game kept here, or None; of what is too long for a record, the beginning."""
        try:
            with self.kept.open("rb") as file:
                return file.read(LONGEST_LINE + 1)
        except FileNotFoundError:
            return None

    def keep(self, line: str) -> None:
        """Write the game so that a cut at any moment leaves the old one or the new one.

        Without a place, one is claimed where no game lies: only a game that was looked at is ever written over.
        """
        if self._lock is None:
            self._claim(place for place in self._places() if not place.exists())
        write_whole(self.kept, line + "\n")

    def set_aside(self) -> Path:
        """Move a kept game that makes no sense out of the way, over nothing that is there."""
        number = 1
        while (aside := self.folder / f"unreadable-{number}.jsonl").exists():
            number += 1
        self.kept.rename(aside)
        return aside

    def add(self, line: str, to: Path | None = None) -> Path:
        """Add a game to a file of games, the folder's own unless another is named."""
        path = to or self.folder / GAMES
        append(path, line + "\n")
        return path

    def forget(self) -> None:
        """The game of this place is over or has been put elsewhere."""
        self.kept.unlink(missing_ok=True)


def append(path: Path, line: str) -> None:
    """Add a line to a file, on a line of its own even where the last writer was cut off."""
    with path.open("a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                line = "\n" + line
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())
