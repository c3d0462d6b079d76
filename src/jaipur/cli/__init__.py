"""The `jaipur` command: parses the arguments of all subcommands, and prints every error as one sentence.

Each subcommand has its own file. The exit status is 0 for success, 1 for wrong input (an illegal record, a failed
check), 2 for input or arguments that cannot be parsed, and 130 after an interrupt.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from jaipur import __version__
from jaipur.cli import browser
from jaipur.players import NoSuchPlayer
from jaipur.players.external.process import Forfeit
from jaipur.rules import NotationError, WrongRecord

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = [
    "play",
    "serve",
    "backup",
    "restore",
    "doctor",
    "arena",
    "player",
    "simulate",
    "train",
    "replay",
    "verify",
    "moves",
    "show",
    "perft",
]
"""The modules of the subcommands, in the order of `jaipur --help`."""

WRONG, UNREADABLE, INTERRUPTED = 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status. Without a subcommand, open the table in a browser."""
    _repair_streams()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)
    try:
        options = parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
    except (WrongRecord, Forfeit) as error:
        return _fail(error, WRONG)
    except (NotationError, NoSuchPlayer, argparse.ArgumentTypeError) as error:
        return _fail(error, UNREADABLE)
    except BrokenPipeError:  # the reader of our output closed the pipe
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        return _fail(f"{error.filename or 'The system'}: {error.strerror or error}.", UNREADABLE)
    except BrokenExecutor:
        return _fail("A worker process died; nothing was written.", UNREADABLE)
    except KeyboardInterrupt:
        return _fail("Interrupted.", INTERRUPTED)
    return status


def _repair_streams() -> None:
    """Replace closed standard streams with empty streams. Print “?” for characters that cannot be encoded."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # stays open
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


class _Parser(argparse.ArgumentParser):
    """Reports an error if the help text cannot be written. `argparse` itself ignores such errors."""

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        if file is sys.stdout:
            print(message, end="", flush=True)
        else:
            super()._print_message(message, file)


def parser() -> argparse.ArgumentParser:
    top = _Parser(
        # The script ./jaipur passes its own name, so that help texts show the command that the user typed.
        prog=os.environ.get("JAIPUR_COMMAND", "jaipur"),
        description="Jaipur, the card game for two players. Without a command, the table opens in your browser.",
    )
    browser.add(top)
    top.add_argument("--version", action="version", version=f"jaipur {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    for name in COMMANDS:
        command = import_module(f"jaipur.cli.{name}")
        subparser = commands.add_parser(name, help=command.HELP, description=command.DESCRIPTION)
        subparser.set_defaults(run=command.run)
        command.add_arguments(subparser)
    return top


def _discard_output() -> None:
    """Discard output that cannot be written. Otherwise the interpreter would try to write it at exit and fail."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: object, status: int) -> int:
    sys.stderr.write(f"jaipur: {message}\n")
    return status


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
