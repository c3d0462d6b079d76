"""Keeping a game without ever stopping it: what the disk refuses becomes a sentence."""

from collections.abc import Callable
from errno import errorcode
from pathlib import Path

from jaipur.notation.files import write_whole
from jaipur.rules.input_errors import printable
from jaipur.terminal.store import Store
from jaipur.words import Words


class Keeper:
    """Writes the game down as it goes on, and says what became of it."""

    def __init__(self, store: Store, words: Words, finished: Path | None = None) -> None:
        self.store = store
        self.words = words
        self.finished = finished
        self._error: OSError | None = None
        self._written: set[Path] = set()
        self._try(store.claim)

    @property
    def safe(self) -> bool:
        """Whether the game as it stands is on the disk."""
        return self._error is None

    def keep(self, line: str) -> None:
        self._try(lambda: self.store.keep(line))

    def pass_over(self) -> None:
        """Use another place than the one whose game cannot be read."""
        self._try(self.store.pass_over)

    def complaint(self) -> str:
        """Why the game is not on the disk, or nothing."""
        if self._error is None:
            return ""
        return self.words.say("keep.failed", error=why(self._error, self.words))

    def save(self, line: str, name: str) -> str:
        """Write the game where the person wants it, over nothing but what this game wrote there."""
        if not name:
            self.keep(line)
            return self.complaint() or self.words.say("saved", path=shown_path(self.store.kept))
        path = Path(name).absolute()
        try:
            path = path if not name.startswith("~") else Path(name).expanduser()
            if path.exists() and path not in self._written:
                return self.words.say("save.exists", path=shown_path(path))
            write_whole(path, line + "\n")
        except (OSError, ValueError, RuntimeError) as error:
            return self.failed(path, error)
        self._written.add(path)
        return self.words.say("saved", path=shown_path(path))

    def finish(self, line: str) -> str:
        """Add a finished game to the games; where that fails it stays where it was kept."""
        try:
            path = self.store.add(line, self.finished)
        except OSError as error:
            self.keep(line)
            return self.failed(self.finished or self.store.folder, error)
        self.forget()
        return self.words.say("recorded", path=shown_path(path))

    def failed(self, path: Path, error: Exception) -> str:
        return self.words.say("save.failed", path=shown_path(path), error=why(error, self.words))

    def forget(self) -> None:
        self._try(self.store.forget)

    def _try(self, what: Callable[[], None]) -> None:
        try:
            what()
            self._error = None
        except OSError as error:
            self._error = error


def why(error: Exception, words: Words) -> str:
    """What the system says: in the reader's language where it is something common."""
    if not isinstance(error, OSError):
        return printable(str(error).rstrip("."))
    known = words.find(f"error.{errorcode.get(error.errno or 0)}")
    return known or printable(error.strerror or str(error))


def shown_path(path: Path) -> str:
    return printable(str(path))
