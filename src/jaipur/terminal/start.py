"""Sitting down: which game to play, an unfinished one or a new one, and leaving it in good order."""

import contextlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jaipur.folders import data_folder
from jaipur.players.registry import LEVELS
from jaipur.rules import Game, Herds, Seat
from jaipur.terminal.face import Drawn, Plain
from jaipur.terminal.keeper import Keeper, why
from jaipur.terminal.screen import Screen
from jaipur.terminal.seating import PERSON, Seating
from jaipur.terminal.session import Left, Session
from jaipur.terminal.store import Store
from jaipur.terminal.unfinished import Found, Refused, Unfinished
from jaipur.words import Words, language_for

FRIEND = "friend"
FAVOURITE = "greedy"
UNREADABLE, INTERRUPTED = 2, 130


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line."""

    against: str | None = None
    names: tuple[str, ...] = ()
    first: Seat | None = None
    herds: Herds | None = None
    language: str | None = None
    plain: bool = False
    seed: str | None = None
    milliseconds: int | None = None
    save: str | None = None
    resume: str | None = None
    """A file to go on from; empty for the game that is kept."""
    new: bool = False
    command: str = "jaipur play"
    """What to type to come back."""

    def fit(self, game: Game, seating: Seating) -> bool:
        """Whether a game is as they say, as far as they say anything."""
        computer = next((seat for seat in seating.seats if seat != PERSON), FRIEND)
        asked = (
            (self.against, computer),
            (self.herds, game.herds),
            (self.first, seating.first),
            (self.seed, seating.seed),
            (self.milliseconds, seating.milliseconds),
            *zip(self.names, (seating.names[seat] for seat in seating.people), strict=False),
        )
        return all(wish in (None, found) for wish, found in asked)


def play(options: Options, environment: Mapping[str, str]) -> int:
    """Play at this terminal; the exit status."""
    words = Words(language_for(options.language, environment))
    try:
        return _Start(options, words).run()
    except Refused as refused:
        print(refused, file=sys.stderr)
        return refused.status
    except (KeyboardInterrupt, EOFError):
        print("\n" + words.say("left.before"))
        return INTERRUPTED
    except BrokenPipeError:
        raise  # nothing to say: whoever read our output has had enough
    except OSError as error:
        # The terminal is gone, and the game is on the disk; what is still to be printed goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        with contextlib.suppress(OSError):
            print(words.say("failed", error=why(error, words)), file=sys.stderr)
        return UNREADABLE


class _Start:
    def __init__(self, options: Options, words: Words) -> None:
        self.options = options
        self.words = words
        self.level = _opponent(options.against, words)
        if not sys.stdin or not sys.stdout:
            raise Refused(words.say("closed"))
        self.screen = Screen(options.plain)
        finished = Path(options.save).absolute() if options.save else None
        self.keeper = Keeper(Store(data_folder()), words, finished)

    def run(self) -> int:
        unfinished = Unfinished(self.keeper, self.screen, self.words)
        try:
            game, seating = self._find(unfinished) or self._begin(unfinished)
        except Left:
            return self._leave(0)
        face = (Plain if self.screen.plain else Drawn)(
            self.screen, self.words, len(seating.people) == 2
        )
        status = 0
        try:
            Session(game, seating, self.words, face, self.keeper, unfinished.notice).run()
            return status
        except (Left, EOFError):
            pass
        except KeyboardInterrupt:
            status = INTERRUPTED
        if face.secret:
            self.screen.clear(secret=True)
        else:
            self.screen.say()
        return self._leave(status)

    def _leave(self, status: int) -> int:
        left = "left" if self.keeper.safe else "left.unsaved"
        self.screen.say(self.words.say(left, command=self.options.command))
        return status

    def _find(self, unfinished: Unfinished) -> Found | None:
        """The game to go on with, if any."""
        if self.options.resume is None:
            return None if self.options.new else unfinished.wanted(self.options.fit)
        name = self.options.resume
        found = unfinished.of_file(name) if name else unfinished.kept()
        if not self.options.fit(*found):
            unfinished.notice = unfinished.notice or self.words.say("as_begun")
        return found

    def _begin(self, unfinished: Unfinished) -> Found:
        unfinished.put_away()
        return Game(self.options.herds or "open"), self._new_seating()

    def _new_seating(self) -> Seating:
        first, second, *_ = (*self.options.names, "", "")
        seats = (PERSON, PERSON if self.level == FRIEND else self.level)
        names = (first, second if self.level == FRIEND else "")
        return Seating(
            seats, names, self.options.seed, self.options.milliseconds, self.options.first
        )


def _opponent(asked: str | None, words: Words) -> str:
    names = [level.name for level in LEVELS]
    if asked is None:
        return FAVOURITE if FAVOURITE in names else names[-1]
    if asked not in (*names, FRIEND):
        raise Refused(words.say("no_such_player", name=asked, names=", ".join([*names, FRIEND])))
    return asked
