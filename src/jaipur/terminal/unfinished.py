"""Unfinished games: finding the one to go on with, asking about it, putting it away for another."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from jaipur.notation import Record, read_records, write_record
from jaipur.rules import Game, NotationError, WrongRecord
from jaipur.terminal.entry import is_spelt, spellings, yes_or_no
from jaipur.terminal.keeper import Keeper, shown_path, why
from jaipur.terminal.screen import Screen
from jaipur.terminal.seating import Seating, seating_from
from jaipur.terminal.session import Left
from jaipur.words import Words

Found = tuple[Game, Seating]


class Refused(Exception):  # noqa: N818  # a sentence for the person
    """What was asked for cannot be done; the status is 1 for a record that reads well and is not true."""

    def __init__(self, sentence: str, status: int = 2) -> None:
        super().__init__(sentence)
        self.status = status


class Unfinished:
    """The game kept in the data folder, looked at once, and games in other files."""

    def __init__(self, keeper: Keeper, screen: Screen, words: Words) -> None:
        self.keeper = keeper
        self.screen = screen
        self.words = words
        self.notice = ""
        """What the person should hear about the kept game: that it makes no sense, and where it is now."""
        self._record: Record | None = None
        self._found = self._look()

    def of_file(self, name: str) -> Found:
        """The last unfinished game of a file; the kept one makes room for it."""
        path = Path(name)
        shown = {"path": shown_path(path)}
        try:
            with path.open("rb") as stream:
                record = _last_unfinished(stream)
            if record is None:
                raise Refused(self.words.say("no_unfinished"))
            found = Game.from_record(record), seating_from(record.extra)
        except OSError as error:
            said = self.words.say("load.failed", error=why(error, self.words), **shown)
            raise Refused(said) from None
        except (NotationError, WrongRecord) as error:
            status = 1 if isinstance(error, WrongRecord) else 2
            raise Refused(self.words.say("load.wrong", error=error, **shown), status) from None
        self.put_away()
        return found

    def kept(self) -> Found:
        """The kept game, which must be there."""
        if self._found is None:
            raise Refused(self.notice or self.words.say("no_unfinished"))
        return self._found

    def wanted(self, fits: Callable[[Game, Seating], bool]) -> Found | None:
        """The kept game, where there is one and the person wants to go on with it, be it another than was asked for."""
        if self._found is None or not self._asked(*self._found, fits(*self._found)):
            return None
        return self._found

    def put_away(self) -> None:
        """Another game begins: the one kept so far is entered among the games as it stands."""
        store = self.keeper.store
        if self._record is not None:
            try:
                path = store.add(write_record(self._record))
                store.forget()
                self.notice = self.words.say("put_away", path=shown_path(path))
            except OSError as error:
                raise Refused(self.keeper.failed(store.folder, error)) from None

    def _look(self) -> Found | None:
        """Read the kept game; one that the disk does not let us read or move stays, and the next is looked at."""
        while self.keeper.safe:
            try:
                return self._read()
            except OSError as error:
                said = {"path": shown_path(self.keeper.store.kept), "error": why(error, self.words)}
                self.notice = self.words.say("load.failed", **said)
                self.keeper.pass_over()
        return None

    def _read(self) -> Found | None:
        """Read the game of the claimed place; what makes no sense is set aside, not thrown away."""
        store = self.keeper.store
        data = store.load()
        if data is None:
            return None
        try:
            (record,) = read_records(BytesIO(data))
            found = Game.from_record(record), seating_from(record.extra)
        except ValueError:  # unreadable, untrue, or not one game
            self.notice = self.words.say("load.aside", path=shown_path(store.set_aside()))
            return None
        self._record = record
        # Somebody may have pulled the plug between the last move and the entry in the games.
        return found if found[0].winner is None else None

    def _asked(self, game: Game, seating: Seating, fits: bool) -> bool:
        """Whether to go on; the capital letter is the answer of whoever just presses Enter."""
        name, other = map(self.words.inside, seating.called(self.words))
        yes, no = (self.words.say(key).split()[0] for key in ("answer.yes", "answer.no"))
        choice = f"[{yes.upper()}/{no}]" if fits else f"[{yes}/{no.upper()}]"
        values = {"name": name, "other": other, "number": len(game.rounds), "choice": choice}
        question = self.words.say("unfinished" if fits else "unfinished.instead", **values) + " "
        while True:
            typed = self.screen.ask(question)
            if is_spelt(typed.strip(), "quit", self.words):
                raise Left
            answer = yes_or_no(typed, self.words, usual=fits)
            if answer is not None:
                return answer
            quits = spellings(self.words, "quit")[0]
            self.screen.say(self.words.say("answer.unclear", yes=yes, no=no, quit=quits))


def _last_unfinished(stream: BinaryIO) -> Record | None:
    last = None
    for record in read_records(stream):
        last = record if record.winner is None else last
    return last
