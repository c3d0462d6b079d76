"""Autosave: the record of the running game, written after every move, and the file of finished games.

The data folder has numbered slots, each with a lock: two terminals never write one save. A disk error never stops the
game; it becomes a sentence for the player.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from errno import EBUSY, errorcode
from pathlib import Path
from typing import TYPE_CHECKING

from jaipur.folders import try_lock
from jaipur.notation.files import write_whole
from jaipur.notation.records import LONGEST_LINE
from jaipur.rules.input_errors import printable
from jaipur.words import Words

if TYPE_CHECKING:
    from filelock import FileLock

GAMES = "games.jaipur.jsonl"
_SLOTS = 98


class Autosave:
    """One slot of the data folder, locked for this process."""

    def __init__(self, folder: Path, words: Words, finished: Path | None = None) -> None:
        self.games = finished or folder / GAMES
        """The file that finished games are added to."""
        self.path = folder / "game.jaipur.jsonl"
        self._folder = folder
        self._words = words
        self._lock: FileLock | None = None
        self._skipped: set[Path] = set()
        self._saved_as: set[Path] = set()
        self._error: OSError | None = None
        self._attempt(self._claim_best)

    @property
    def working(self) -> bool:
        """The last write succeeded."""
        return self._error is None

    def failure(self) -> str:
        """Why the game is not saved; empty if it is."""
        if self._error is None:
            return ""
        return self._words.say("keep.failed", error=error_text(self._error, self._words))

    def read(self) -> bytes | None:
        """The saved game, or at least its beginning if it is too long for a record; None without one."""
        try:
            with self.path.open("rb") as file:
                return file.read(LONGEST_LINE + 1)
        except FileNotFoundError:
            return None

    def write(self, line: str) -> None:
        """Replace the saved game in one step: a crash leaves the old file or the new one."""
        self._attempt(lambda: self._write(line))

    def delete(self) -> None:
        self._attempt(lambda: self.path.unlink(missing_ok=True))

    def skip_slot(self) -> None:
        """Claim another slot, because the save in this one cannot be read."""
        self._skipped.add(self.path)
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        self._attempt(self._claim_best)

    def set_aside(self) -> Path:
        """Rename a save that holds no game; returns the new path."""
        number = 1
        while (aside := self._folder / f"unreadable-{number}.jsonl").exists():
            number += 1
        self.path.rename(aside)
        return aside

    def archive(self, line: str) -> Path:
        """Move the saved game to the finished games of the folder, although it is unfinished."""
        games = self._folder / GAMES
        append_line(games, line)
        self.path.unlink(missing_ok=True)
        return games

    def finish(self, line: str) -> str:
        """Add a finished game to the games and say where; if that fails, the game stays in its slot."""
        try:
            append_line(self.games, line)
        except OSError as error:
            self.write(line)
            return self.save_failed(self.games, error)
        self.delete()
        return self._words.say("recorded", path=path_text(self.games))

    def save_as(self, line: str, name: str) -> str:
        """Write the game to a named file, or to its slot; overwrite only files that this game wrote."""
        if not name:
            self.write(line)
            return self.failure() or self._words.say("saved", path=path_text(self.path))
        path = Path(name).absolute()
        try:
            path = Path(name).expanduser() if name.startswith("~") else path
            if path.exists() and path not in self._saved_as:
                return self._words.say("save.exists", path=path_text(path))
            write_whole(path, line + "\n")
        except (OSError, ValueError, RuntimeError) as error:
            return self.save_failed(path, error)
        self._saved_as.add(path)
        return self._words.say("saved", path=path_text(path))

    def save_failed(self, path: Path, error: Exception) -> str:
        reason = error_text(error, self._words)
        return self._words.say("save.failed", path=path_text(path), error=reason)

    def _write(self, line: str) -> None:
        if self._lock is None:
            # The saves of other slots have not been read, so they must not be overwritten.
            self._claim(slot for slot in self._slots() if not slot.exists())
        write_whole(self.path, line + "\n")

    def _claim_best(self) -> None:
        """Claim a slot, if possible one with an unfinished game."""
        self._claim(sorted(self._slots(), key=lambda slot: not slot.exists()))

    def _claim(self, slots: Iterable[Path]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        failure = OSError(EBUSY, os.strerror(EBUSY))
        for slot in slots:
            try:
                self._lock = try_lock(slot.with_suffix(".lock"))
            except OSError as error:
                failure = error
            if self._lock is not None:
                self.path = slot
                return
        raise failure

    def _slots(self) -> Iterator[Path]:
        for number in range(1, _SLOTS + 1):
            name = "game" if number == 1 else f"game-{number}"
            slot = self._folder / f"{name}.jaipur.jsonl"
            if slot not in self._skipped:
                yield slot

    def _attempt(self, action: Callable[[], None]) -> None:
        try:
            action()
            self._error = None
        except OSError as error:
            self._error = error


def append_line(path: Path, line: str) -> None:
    """Append a line durably; a line that an earlier writer left incomplete is ended first."""
    with path.open("a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                line = "\n" + line
        file.write(line.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def error_text(error: Exception, words: Words) -> str:
    """The cause of an error; common system errors are translated."""
    if not isinstance(error, OSError):
        return printable(str(error).rstrip("."))
    translated = words.find(f"error.{errorcode.get(error.errno or 0)}")
    return translated or printable(error.strerror or str(error))


def path_text(path: Path) -> str:
    return printable(str(path))
