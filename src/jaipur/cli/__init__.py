"""The `jaipur` command. One file a subcommand; this one knows them all and turns errors into one sentence.

Exit status: 0 done, 1 something is wrong with what was read, 2 it cannot be read or asked so, 130 interrupted.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from io import TextIOWrapper
from pathlib import Path
from types import FrameType

from jaipur import __version__
from jaipur.cli import (
    arena,
    browser,
    moves,
    perft,
    play,
    player,
    replay,
    serve,
    show,
    simulate,
    train,
    verify,
)
from jaipur.notation import NotationError, WrongRecord
from jaipur.players import NoSuchPlayer
from jaipur.players.external.process import Forfeit

WRONG, UNREADABLE, INTERRUPTED = 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, the table in a browser where none is named; a person's error ends in one sentence."""
    _mend_streams()
    options = parser().parse_args(arguments)
    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) is signal.SIG_DFL:
            signal.signal(ending, _stop)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except (WrongRecord, Forfeit) as error:
        return _say(error, WRONG)
    except (NotationError, NoSuchPlayer, argparse.ArgumentTypeError) as error:
        return _say(error, UNREADABLE)
    except BrokenPipeError:
        # Whoever read our output has gone, and the interpreter shall not try to write the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _say(f"{error.filename or 'The system'}: {error.strerror or error}.", UNREADABLE)
    except BrokenExecutor:
        return _say("A worker process died; nothing was written.", UNREADABLE)
    except KeyboardInterrupt:
        return _say("Interrupted.", INTERRUPTED)
    return status


def _mend_streams() -> None:
    """Streams that were closed from outside are empty ones, and what cannot be shown is a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # it stays
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        # How it was called, from the script that sets up and starts it.
        prog=os.environ.get("JAIPUR_COMMAND", "jaipur"),
        description="Jaipur, the card game for two traders: play it, study it. Without a command, in your browser.",
    )
    browser.add(top)
    top.add_argument("--version", action="version", version=f"jaipur {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    for command in (
        play,
        serve,
        arena,
        player,
        simulate,
        train,
        replay,
        verify,
        moves,
        show,
        perft,
    ):
        command.add(commands)
    return top


def _say(what: object, status: int) -> int:
    sys.stderr.write(f"jaipur: {what}\n")
    return status


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
