"""Starts or resumes a terminal game. At the end it prints a sentence and returns an exit status."""

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
from jaipur.terminal.local_game import PERSON, GameSetup, LocalGame, tidy_name
from jaipur.terminal.renderer import DrawnRenderer, PlainRenderer
from jaipur.terminal.resume import CannotStart, Quit, SavedGames
from jaipur.terminal.screen import Screen
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
    """The file with the game to resume. An empty text means the autosaved game."""
    new: bool = False
    command: str = "jaipur play"
    """The command that continues the game later. It is shown to the player."""

    def match(self, game: LocalGame) -> bool:
        """Return whether a saved game agrees with all options that the player gave."""
        setup = game.setup
        people = [setup.names[seat] for seat in setup.people]
        requested = (
            (self.against, next(iter(setup.computers.values()), FRIEND)),
            (self.herds, game.table.options.herds),
            (self.first, setup.first),
            (self.seed, setup.seed),
            (self.milliseconds, setup.milliseconds),
            *zip(map(tidy_name, self.names), people, strict=False),
        )
        return all(wish in (None, value) for wish, value in requested)


def play(options: PlayOptions, environment: Mapping[str, str]) -> int:
    """Play in this terminal, and return the exit status."""
    words = Words(language_for(options.language, environment))
    try:
        return _run(options, words)
    except CannotStart as error:
        print(error, file=sys.stderr)
        return error.status
    except (KeyboardInterrupt, EOFError):
        print("\n" + words.say("left.before"))
        return INTERRUPTED
    except BrokenPipeError:
        raise  # the reader has closed our output; the command handles this without a message
    except OSError as error:
        # The terminal was closed. The game is saved. Discard the output that is still buffered.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        with contextlib.suppress(OSError):
            print(words.say("failed", error=error_text(error, words)), file=sys.stderr)
        return UNREADABLE


def _run(options: PlayOptions, words: Words) -> int:
    names = [*(level.name for level in LEVELS), FRIEND]
    if options.against not in (None, *names):
        raise CannotStart(words.say("no_such_player", name=options.against, names=", ".join(names)))
    if not sys.stdin or not sys.stdout:
        raise CannotStart(words.say("closed"))
    screen = Screen(options.plain)
    finished = Path(options.save).absolute() if options.save else None
    autosave = Autosave(data_folder(), words, finished)
    status = 0
    with contextlib.suppress(Quit):  # the player may quit when asked whether to continue
        game = _find_game(options, SavedGames(autosave, screen, words))
        renderer_type = PlainRenderer if screen.plain else DrawnRenderer
        renderer = renderer_type(screen, words, game.setup.shared)
        try:
            GameLoop(game, words, renderer, autosave).run()
            return status
        except (Quit, EOFError):
            pass
        except KeyboardInterrupt:
            status = INTERRUPTED
        if game.setup.shared:
            screen.clear(secret=True)
        else:
            screen.say()
    key = "left.unsaved" if autosave.failure() else "left"
    screen.say(words.say(key, command=options.command))
    return status


def _find_game(options: PlayOptions, saved_games: SavedGames) -> LocalGame:
    game = None
    if options.resume is not None:
        game = saved_games.resume(options.resume, options.match)
    elif not options.new:
        game = saved_games.offer(options.match)
    if game is not None:
        return game
    saved_games.archive()
    first, second, *_ = (*options.names, "", "")
    level = options.against or DEFAULT_LEVEL
    setup = GameSetup(
        seats=(PERSON, PERSON if level == FRIEND else level),
        names=(first, second if level == FRIEND else ""),
        seed=options.seed,
        milliseconds=options.milliseconds,
        first=options.first,
    )
    return LocalGame(setup, options.herds or "open")
