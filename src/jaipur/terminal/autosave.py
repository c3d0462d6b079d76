"""Autosave: writes the record of the running game after every move, and adds finished games to a file.

Each running game locks its own slot (a numbered file in the data folder), so that two terminals never write the same
save. A disk error does not stop the game. The player gets a sentence about it.
"""

import os
from collections.abc import Callable
from errno import EBUSY, errorcode
from pathlib import Path

from jaipur.folders import try_lock
from jaipur.notation.files import write_whole
from jaipur.notation.records import LONGEST_LINE
from jaipur.rules.input_errors import printable
from jaipur.words import Words

GAMES = "games.jaipur.jsonl"
_SLOTS = ("game", *(f"game-{number}" for number in range(2, 99)))


class Autosave:
    """A slot of the data folder that this process has locked, and the save that was found in the slot."""

    def __init__(self, folder: Path, words: Words, finished: Path | None = None) -> None:
        self.folder = folder
        self.path = folder / f"{_SLOTS[0]}.jaipur.jsonl"
        self.found: bytes | None = None
        """The content of the slot at the start, or None.

        If the content is too long for a record, only its beginning.
        """
        self.notice = ""
        """A sentence about a save that cannot be used or was moved. It is empty if there is nothing to say."""
        self._finished = finished or folder / GAMES
        self._words = words
        self._lock: object = None  # the slot stays locked as long as this reference exists
        self._saved_as: set[Path] = set()
        self._error: OSError | None = None
        self._attempt(self._claim_slot)

    def failure(self) -> str:
        """Return a sentence that says why the game is not saved, or an empty text if it is saved."""
        return self.say("keep.failed", self.path, self._error) if self._error else ""

    def say(self, key: str, path: Path, error: Exception | None = None) -> str:
        reason = error and error_text(error, self._words)
        return self._words.say(key, path=printable(str(path)), error=reason)

    def write(self, line: str) -> None:
        """Replace the save atomically. After a crash, the slot contains the old record or the new record."""
        self._attempt(lambda: self._write(line))

    def set_aside(self) -> None:
        """Rename a save that contains no valid game. If the save cannot be renamed, release the slot."""
        number = 1
        while (aside := self.folder / f"unreadable-{number}.jsonl").exists():
            number += 1
        try:
            self.path.rename(aside)
            self.notice = self.say("load.aside", aside)
        except OSError as error:
            self.notice = self.say("load.failed", self.path, error)
            self._lock = None

    def archive(self, line: str) -> None:
        """Move an unfinished game from the slot to the file of games."""
        append_line(self.folder / GAMES, line)
        self.path.unlink(missing_ok=True)
        self.notice = self.say("put_away", self.folder / GAMES)

    def finish(self, line: str) -> str:
        """Move a finished game to the file of games, and return a sentence about the result.

        If the file cannot be written, the game stays in the slot.
        """
        try:
            append_line(self._finished, line)
        except OSError as error:
            self.write(line)
            return self.say("save.failed", self._finished, error)
        self._attempt(lambda: self.path.unlink(missing_ok=True))
        return self.say("recorded", self._finished)

    def save_as(self, line: str, name: str) -> str:
        """Write the game to a file or, if `name` is empty, to its slot. Return a sentence about the result.

        An existing file is overwritten only if this game has written it before.
        """
        if not name:
            self.write(line)
            return self.failure() or self.say("saved", self.path)
        path = Path(name).absolute()
        try:
            path = Path(name).expanduser() if name.startswith("~") else path
            if path.exists() and path not in self._saved_as:
                return self.say("save.exists", path)
            write_whole(path, line + "\n")
        except (OSError, ValueError, RuntimeError) as error:
            return self.say("save.failed", path, error)
        self._saved_as.add(path)
        return self.say("saved", path)

    def _write(self, line: str) -> None:
        if self._lock is None:
            # Take an empty slot. An existing save that was not read must not be overwritten.
            self._claim_slot(empty=True)
        write_whole(self.path, line + "\n")

    def _claim_slot(self, empty: bool = False) -> None:
        """Lock a slot. Try the slots with a save first. If `empty` is true, try only the slots without a save."""
        self.folder.mkdir(parents=True, exist_ok=True)
        failure = OSError(EBUSY, os.strerror(EBUSY))
        slots = [self.folder / f"{name}.jaipur.jsonl" for name in _SLOTS]
        for slot in sorted(slots, key=lambda slot: not slot.exists()):
            if empty and slot.exists():
                continue
            try:
                lock = try_lock(slot.with_suffix(".lock"))
            except OSError as error:
                failure = error
                continue
            if lock is None:
                continue
            try:
                with slot.open("rb") as file:
                    self.found = file.read(LONGEST_LINE + 1)
            except FileNotFoundError:
                pass
            except OSError as error:
                self.notice = self.say("load.failed", slot, error)
                continue
            self._lock, self.path = lock, slot
            return
        raise failure

    def _attempt(self, action: Callable[[], None]) -> None:
        try:
            action()
            self._error = None
        except OSError as error:
            self._error = error


def append_line(path: Path, line: str) -> None:
    """Append a line and sync it to disk. If the file does not end with a line feed, add one first."""
    with path.open("a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                line = "\n" + line
        file.write(line.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def error_text(error: Exception, words: Words) -> str:
    """Return the cause of an error as text. Common system errors are translated."""
    if not isinstance(error, OSError):
        return printable(str(error).rstrip("."))
    translated = words.find(f"error.{errorcode.get(error.errno or 0)}")
    return translated or printable(error.strerror or str(error))
