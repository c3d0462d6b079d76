"""Starts a terminal game, new or resumed, and ends it with a sentence and an exit status."""

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jaipur.folders import data_folder
from jaipur.players.registry import LEVELS
from jaipur.rules import Herds
from jaipur.terminal.autosave import Autosave, error_text
from jaipur.terminal.game_loop import GameLoop
from jaipur.terminal.local_game import LocalGame
from jaipur.terminal.renderer import DrawnRenderer, PlainRenderer
from jaipur.terminal.resume import CannotStart, Quit, SavedGames
from jaipur.terminal.screen import Screen
from jaipur.terminal.setup import PERSON, GameSetup
from jaipur.words import Words, language_for

FRIEND = "friend"
DEFAULT_LEVEL = "greedy"
UNREADABLE, INTERRUPTED = 2, 130


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of the command line."""

    against: str | None = None
    names: Sequence[str] = ()
    first: Literal[0, 1] | None = None
    herds: Herds | None = None
    language: str | None = None
    plain: bool = False
    seed: str | None = None
    milliseconds: int | None = None
    save: str | None = None
    resume: str | None = None
    """A file to resume from; empty for the autosave."""
    new: bool = False
    command: str = "jaipur play"
    """What to type to continue later."""

    def match(self, game: LocalGame) -> bool:
        """Whether a saved game has every option that was given."""
        setup = game.setup
        requested = (
            (self.against, next(iter(setup.computers.values()), FRIEND)),
            (self.herds, game.table.options.herds),
            (self.first, setup.first),
            (self.seed, setup.seed),
            (self.milliseconds, setup.milliseconds),
            *zip(self.names, (setup.names[seat] for seat in setup.people), strict=False),
        )
        return all(wish in (None, value) for wish, value in requested)


def play(options: PlayOptions, environment: Mapping[str, str]) -> int:
    """Play in this terminal; returns the exit status."""
    words = Words(language_for(options.language, environment))
    try:
        return _App(options, words).run()
    except CannotStart as error:
        print(error, file=sys.stderr)
        return error.status
    except (KeyboardInterrupt, EOFError):
        print("\n" + words.say("left.before"))
        return INTERRUPTED
    except BrokenPipeError:
        raise  # the reader of our output has closed it; the command handles this silently
    except OSError as error:
        # The terminal is gone. The game is saved; discard output that is still buffered.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        with contextlib.suppress(OSError):
            print(words.say("failed", error=error_text(error, words)), file=sys.stderr)
        return UNREADABLE


class _App:
    def __init__(self, options: PlayOptions, words: Words) -> None:
        self.options = options
        self.words = words
        self.opponent = options.against or DEFAULT_LEVEL
        names = [*(level.name for level in LEVELS), FRIEND]
        if self.opponent not in names:
            values = {"name": self.opponent, "names": ", ".join(names)}
            raise CannotStart(words.say("no_such_player", **values))
        if not sys.stdin or not sys.stdout:
            raise CannotStart(words.say("closed"))
        self.screen = Screen(options.plain)
        finished = Path(options.save).absolute() if options.save else None
        self.autosave = Autosave(data_folder(), words, finished)
        self.saved_games = SavedGames(self.autosave, self.screen, words)

    def run(self) -> int:
        try:
            game = self._resume() or self._new_game()
        except Quit:
            return self._leave(0)
        renderer_type = PlainRenderer if self.screen.plain else DrawnRenderer
        renderer = renderer_type(self.screen, self.words, game.setup.shared)
        status = 0
        try:
            GameLoop(game, self.words, renderer, self.autosave).run()
            return status
        except (Quit, EOFError):
            pass
        except KeyboardInterrupt:
            status = INTERRUPTED
        if game.setup.shared:
            self.screen.clear(secret=True)
        else:
            self.screen.say()
        return self._leave(status)

    def _leave(self, status: int) -> int:
        key = "left" if self.autosave.working else "left.unsaved"
        self.screen.say(self.words.say(key, command=self.options.command))
        return status

    def _resume(self) -> LocalGame | None:
        name = self.options.resume
        if name is None:
            return None if self.options.new else self.saved_games.offer(self.options.match)
        game = self.saved_games.from_file(name) if name else self.saved_games.autosaved()
        if not self.options.match(game):
            self.autosave.notice = self.autosave.notice or self.words.say("as_begun")
        return game

    def _new_game(self) -> LocalGame:
        self.saved_games.archive()
        options = self.options
        first, second, *_ = (*options.names, "", "")
        friend = self.opponent == FRIEND
        setup = GameSetup(
            seats=(PERSON, PERSON if friend else self.opponent),
            names=(first, second if friend else ""),
            seed=options.seed,
            milliseconds=options.milliseconds,
            first=options.first,
        )
        return LocalGame(setup, options.herds or "open")
