"""Resumes a game: restores the autosaved game or a game from a file, and asks the player whether to continue."""

from collections import deque
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from jaipur.notation import read_records
from jaipur.rules import NotationError, WrongRecord
from jaipur.rules.input_errors import printable
from jaipur.terminal.autosave import Autosave
from jaipur.terminal.local_game import LocalGame
from jaipur.terminal.player_input import command_names, is_word, parse_yes_no
from jaipur.terminal.screen import Screen
from jaipur.words import Words


class CannotStart(Exception):  # noqa: N818  # a sentence for the player
    """The requested game cannot be started. `status` is the exit status: 1 if its record breaks the rules, else 2."""

    def __init__(self, sentence: str, status: int = 2) -> None:
        super().__init__(sentence)
        self.status = status


class Quit(Exception):  # noqa: N818  # not an error
    """The player quits. The game can be resumed later."""


class SavedGames:
    """The autosaved game and games in files."""

    def __init__(self, autosave: Autosave, screen: Screen, words: Words) -> None:
        self._autosave = autosave
        self._screen = screen
        self._words = words
        self._record = ""
        self._game = None if autosave.found is None else self._restore(autosave.found)

    def resume(self, name: str, matches: Callable[[LocalGame], bool]) -> LocalGame:
        """Return the autosaved game or, if `name` is not empty, the last unfinished game of this file.

        A game from a file replaces the autosaved game.
        """
        game = self._from_file(name) if name else self._game
        if game is None:
            raise CannotStart(self._autosave.notice or self._words.say("no_unfinished"))
        if not matches(game):
            self._autosave.notice = self._autosave.notice or self._words.say("as_begun")
        return game

    def offer(self, matches: Callable[[LocalGame], bool]) -> LocalGame | None:
        """Ask the player whether to continue the autosaved game. Return the game, or None."""
        game = self._game
        return game if game is not None and self._confirm(game, matches(game)) else None

    def archive(self) -> None:
        """Move the autosaved game out of the slot before another game starts."""
        if self._record:
            try:
                self._autosave.archive(self._record)
            except OSError as error:
                folder = self._autosave.folder
                raise CannotStart(self._autosave.say("save.failed", folder, error)) from None

    def _from_file(self, name: str) -> LocalGame:
        path = Path(name)
        try:
            with path.open("rb") as stream:
                last = deque((r for r in read_records(stream) if r.winner is None), maxlen=1)
            if not last:
                raise CannotStart(self._words.say("no_unfinished"))
            game = LocalGame.restore(last[0])
        except OSError as error:
            raise CannotStart(self._autosave.say("load.failed", path, error)) from None
        except (NotationError, WrongRecord) as error:
            sentence = self._words.say("load.wrong", path=printable(name), error=error)
            raise CannotStart(sentence, 1 if isinstance(error, WrongRecord) else 2) from None
        self.archive()
        return game

    def _restore(self, save: bytes) -> LocalGame | None:
        try:
            (record,) = read_records(BytesIO(save))
            game = LocalGame.restore(record)
        except ValueError:  # not a record, breaks the rules, or not exactly one record
            self._autosave.set_aside()
            return None
        self._record = save.decode("utf-8-sig").strip()
        # After a crash, the slot can contain a finished game. It is archived when the next game starts.
        return game if game.table.over is None else None

    def _confirm(self, game: LocalGame, default: bool) -> bool:
        """Ask whether to continue. A capital letter marks the default answer."""
        words = self._words
        name, other = (words.inside(game.setup.display_name(words, seat)) for seat in (0, 1))
        yes, no = (words.say(key).split()[0] for key in ("answer.yes", "answer.no"))
        choice = f"[{yes.upper()}/{no}]" if default else f"[{yes}/{no.upper()}]"
        number = len(game.table.game.rounds)
        values = {"name": name, "other": other, "number": number, "choice": choice}
        question = words.say("unfinished" if default else "unfinished.instead", **values) + " "
        while True:
            typed = self._screen.ask(question)
            if is_word(typed, "command.quit", words):
                raise Quit
            answer = parse_yes_no(typed, words, default)
            if answer is not None:
                return answer
            quit_word = command_names(words)["quit"]
            self._screen.say(words.say("answer.unclear", yes=yes, no=no, quit=quit_word))
