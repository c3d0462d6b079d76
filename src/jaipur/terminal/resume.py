"""Resuming: finds the autosaved game or one in a file, and asks whether to continue it."""

from collections import deque
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from jaipur.notation import read_records
from jaipur.rules import NotationError, WrongRecord
from jaipur.terminal.autosave import Autosave, error_text, path_text
from jaipur.terminal.local_game import LocalGame
from jaipur.terminal.player_input import command_names, is_command, parse_yes_no
from jaipur.terminal.screen import Screen
from jaipur.words import Words


class CannotStart(Exception):  # noqa: N818  # a sentence for the player
    """The requested game cannot be started. The exit status is 1 for a record that breaks the rules, else 2."""

    def __init__(self, sentence: str, status: int = 2) -> None:
        super().__init__(sentence)
        self.status = status


class Quit(Exception):  # noqa: N818  # not an error
    """The player quits; the game can be resumed."""


class SavedGames:
    """The autosaved game, read once, and games in files."""

    def __init__(self, autosave: Autosave, screen: Screen, words: Words) -> None:
        self.notice = ""
        """A sentence about the autosave for the player."""
        self._autosave = autosave
        self._screen = screen
        self._words = words
        self._line: str | None = None
        self._autosaved = self._find_autosaved()

    def from_file(self, name: str) -> LocalGame:
        """The last unfinished game of a file. The autosaved game is archived."""
        path = Path(name)
        try:
            with path.open("rb") as stream:
                last = deque((r for r in read_records(stream) if r.winner is None), maxlen=1)
            if not last:
                raise CannotStart(self._words.say("no_unfinished"))
            game = LocalGame.restore(last[0])
        except OSError as error:
            raise CannotStart(self._cannot_read(path, error)) from None
        except (NotationError, WrongRecord) as error:
            status = 1 if isinstance(error, WrongRecord) else 2
            sentence = self._words.say("load.wrong", path=path_text(path), error=error)
            raise CannotStart(sentence, status) from None
        self.archive()
        return game

    def autosaved(self) -> LocalGame:
        """The autosaved game; `CannotStart` without one."""
        if self._autosaved is None:
            raise CannotStart(self.notice or self._words.say("no_unfinished"))
        return self._autosaved

    def offer(self, matches: Callable[[LocalGame], bool]) -> LocalGame | None:
        """The autosaved game, if the player wants to continue it."""
        game = self._autosaved
        return game if game is not None and self._confirm(game, matches(game)) else None

    def archive(self) -> None:
        """Move the autosaved game to the finished games, because another game starts."""
        if self._line is not None:
            try:
                path = self._autosave.archive(self._line)
            except OSError as error:
                folder = self._autosave.path.parent
                raise CannotStart(self._autosave.save_failed(folder, error)) from None
            self.notice = self._words.say("put_away", path=path_text(path))

    def _find_autosaved(self) -> LocalGame | None:
        """Read the autosave; skip slots that cannot be read."""
        while self._autosave.working:
            try:
                return self._read_autosave()
            except OSError as error:
                self.notice = self._cannot_read(self._autosave.path, error)
                self._autosave.skip_slot()
        return None

    def _read_autosave(self) -> LocalGame | None:
        data = self._autosave.read()
        if data is None:
            return None
        try:
            (record,) = read_records(BytesIO(data))
            game = LocalGame.restore(record)
        except ValueError:  # not a record, against the rules, or not exactly one
            self.notice = self._words.say("load.aside", path=path_text(self._autosave.set_aside()))
            return None
        self._line = data.decode("utf-8-sig").strip()
        # A crash after the last move can leave a finished game in the slot; starting another one archives it.
        return game if game.table.over is None else None

    def _cannot_read(self, path: Path, error: OSError) -> str:
        reason = error_text(error, self._words)
        return self._words.say("load.failed", path=path_text(path), error=reason)

    def _confirm(self, game: LocalGame, default: bool) -> bool:
        """Ask whether to continue; the capital letter marks the default."""
        words = self._words
        name, other = map(words.inside, game.setup.display_names(words))
        yes, no = (words.say(key).split()[0] for key in ("answer.yes", "answer.no"))
        choice = f"[{yes.upper()}/{no}]" if default else f"[{yes}/{no.upper()}]"
        number = len(game.table.game.rounds)
        values = {"name": name, "other": other, "number": number, "choice": choice}
        question = words.say("unfinished" if default else "unfinished.instead", **values) + " "
        while True:
            typed = self._screen.ask(question)
            if is_command(typed.strip(), "quit", words):
                raise Quit
            answer = parse_yes_no(typed, words, default)
            if answer is not None:
                return answer
            quit_word = command_names(words)["quit"]
            self._screen.say(words.say("answer.unclear", yes=yes, no=no, quit=quit_word))
