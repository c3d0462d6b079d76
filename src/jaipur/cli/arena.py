"""`jaipur arena`: let players meet in many rounds and say who is stronger, and how sure that is."""

import argparse
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jaipur.cli.arguments import at_least
from jaipur.cli.output import progress

if TYPE_CHECKING:
    from jaipur.arena.series import Plan
    from jaipur.cli.arguments import Commands

_INTERRUPTED = 130


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "arena",
        help="let players meet and measure their strength",
        description="Every player meets every other in single rounds, or in games; each deal is played twice, with "
        "seats swapped. The same command goes on where it was stopped, and may ask for more pairs.",
    )
    parser.add_argument(
        "--players",
        nargs="+",
        required=True,
        metavar="NAME",
        help="two or more; cmd:PROGRAM is a bot",
    )
    parser.add_argument("--pairs", type=at_least(1), default=100, help="a match (default: 100)")
    parser.add_argument("--games", action="store_true", help="whole games, not single rounds")
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--time", type=at_least(1), metavar="MS", help="milliseconds a move")
    budget.add_argument("--iterations", type=at_least(1), help="iterations a move")
    parser.add_argument("--seed", type=at_least(0, 2**63), help="default: drawn, and kept in DIR")
    parser.add_argument(
        "--until",
        type=_share,
        metavar="55%",
        help="stop once it is known whether the first of two players takes more than this",
    )
    parser.add_argument(
        "--limit",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="what a bot may take for a move without --time (default: 10)",
    )
    parser.add_argument("--jobs", type=at_least(1, 256), help="processes (default: all cores)")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="for the results")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from concurrent.futures.process import BrokenProcessPool

    from jaipur.arena.journal import Journal, WrongFolder
    from jaipur.arena.series import play
    from jaipur.arena.workers import cores

    plan = _plan(arguments)
    total = plan.pairs * len(plan.matches)
    try:
        with Journal(arguments.out, plan.as_data()) as journal:
            before = len(journal.pairs)
            try:
                with progress("pairs", total) as advance:
                    play(plan, journal, arguments.jobs or cores(), advance)
            except KeyboardInterrupt:
                kept = f"{len(journal.pairs)} of {total} pairs are kept in {arguments.out}"
                sys.stderr.write(f"jaipur: Interrupted; {kept}. The same command goes on.\n")
                return _INTERRUPTED
            # It needs NumPy, which takes longer to load than many a refusal to say.
            from jaipur.arena.report import report

            print(report(plan, journal), end="", flush=True)
            sys.stderr.write(f"jaipur: {_done(arguments.out, before, len(journal.pairs))}\n")
    except WrongFolder as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    except BrokenProcessPool:
        raise OSError(0, "a worker process died; the same command goes on") from None
    return 0


def _done(folder: Path, before: int, pairs: int) -> str:
    """Where everything lies, and how much of it lay there already."""
    where = f"Results, records and a picture of the ratings are in {folder}."
    if not before:
        return where
    played = f"{pairs - before} were played now" if pairs > before else "nothing was left to play"
    return f"{before} pairs had been played before; {played}. {where}"


def _plan(arguments: argparse.Namespace) -> "Plan":
    from jaipur.arena.journal import kept_seed
    from jaipur.arena.series import Plan
    from jaipur.players import Budget, player_named

    if len(arguments.players) < 2:
        raise argparse.ArgumentTypeError("An arena needs two players or more.")
    if arguments.until is not None and len(arguments.players) != 2:
        raise argparse.ArgumentTypeError("--until compares two players, no more.")
    for name in arguments.players:
        player_named(name).close()
    seconds = None if arguments.time is None else arguments.time / 1000
    seed = kept_seed(arguments.out) if arguments.seed is None else arguments.seed
    return Plan(
        tuple(arguments.players),
        arguments.pairs,
        # A bot that knew the seed would know the cards: unless one is asked for, nobody can guess it.
        secrets.randbits(63) if seed is None else seed,
        Budget(seconds, arguments.iterations),
        arguments.until,
        arguments.limit,
        arguments.games,
    )


def _share(text: str) -> float:
    """A share of rounds as 55% or 0.55."""
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"“{text[:40]}” is no share like 55% or 0.55")
    return share


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"“{text[:40]}” is no number of seconds")
    return seconds
