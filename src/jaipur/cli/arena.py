"""`jaipur arena`: play a tournament and print win shares and ratings with confidence intervals."""

import argparse
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jaipur.cli.arguments import integer
from jaipur.cli.output import progress

if TYPE_CHECKING:
    from jaipur.arena.tournament import Plan

_INTERRUPTED = 130

HELP = "play a tournament and rate the players"
DESCRIPTION = (
    "Every player meets every other in single rounds or in games. Each deal is played twice with seats "
    "swapped. The same command resumes an interrupted arena, and may ask for more pairs."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option = parser.add_argument
    players = "two or more players; cmd:PROGRAM is a bot"
    option("--players", nargs="+", required=True, metavar="NAME", help=players)
    option("--pairs", type=integer(1), default=100, help="pairs per match (default: 100)")
    option("--games", action="store_true", help="play whole games instead of single rounds")
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--time", type=integer(1), metavar="MS", help="milliseconds per move")
    budget.add_argument("--iterations", type=integer(1), help="iterations per move")
    option("--seed", type=integer(0, 2**63), help="default: random, stored in DIR")
    until = "stop once a test shows whether the first of two players wins more than this share"
    option("--until", type=_share, metavar="55%", help=until)
    limit = "time limit of a bot per move without --time (default: 10)"
    option("--limit", type=_seconds, default=10.0, metavar="SECONDS", help=limit)
    option("--jobs", type=integer(1, 256), help="number of processes (default: all cores)")
    option("--out", required=True, type=Path, metavar="DIR", help="folder for the results")


def run(arguments: argparse.Namespace) -> int:
    from concurrent.futures.process import BrokenProcessPool

    from jaipur.arena.process_pool import cores
    from jaipur.arena.results_log import ArenaFolderError, ResultsLog
    from jaipur.arena.tournament import play_tournament

    plan = _plan(arguments)
    total = plan.pairs * len(plan.matches)
    try:
        with ResultsLog(arguments.out, plan.as_data()) as log:
            before = len(log.pairs)
            try:
                with progress("pairs", total) as advance:
                    play_tournament(plan, log, arguments.jobs or cores(), advance)
            except KeyboardInterrupt:
                saved = f"{len(log.pairs)} of {total} pairs are saved in {arguments.out}"
                sys.stderr.write(f"jaipur: Interrupted; {saved}. The same command resumes.\n")
                return _INTERRUPTED
            from jaipur.arena.report import write_report  # imports NumPy, which is slow

            print(write_report(plan, log), end="", flush=True)
            sys.stderr.write(f"jaipur: {_done(arguments.out, before, len(log.pairs))}\n")
    except ArenaFolderError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    except BrokenProcessPool:
        raise OSError(0, "a worker process died; the same command resumes") from None
    return 0


def _done(folder: Path, before: int, pairs: int) -> str:
    """Return a sentence that names the folder of the results and how many pairs were played earlier."""
    where = f"Results, records and a chart of the ratings are in {folder}."
    if not before:
        return where
    played = f"{pairs - before} are new" if pairs > before else "none was missing"
    return f"{before} pairs were there already; {played}. {where}"


def _plan(arguments: argparse.Namespace) -> "Plan":
    from jaipur.arena.results_log import stored_seed
    from jaipur.arena.tournament import Plan
    from jaipur.players import Budget, player_named

    if len(arguments.players) < 2:
        raise argparse.ArgumentTypeError("An arena needs at least two players.")
    if arguments.until is not None and len(arguments.players) != 2:
        raise argparse.ArgumentTypeError("--until compares exactly two players.")
    for name in arguments.players:
        player_named(name).close()
    seconds = None if arguments.time is None else arguments.time / 1000
    seed = stored_seed(arguments.out) if arguments.seed is None else arguments.seed
    return Plan(
        tuple(arguments.players),
        arguments.pairs,
        # The default seed is random, because a bot that knows the seed also knows the cards.
        secrets.randbits(63) if seed is None else seed,
        Budget(seconds, arguments.iterations),
        arguments.until,
        arguments.limit,
        arguments.games,
    )


def _share(text: str) -> float:
    """Parse a share, written as 55% or 0.55."""
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"“{text[:40]}” is not a share such as 55% or 0.55")
    return share


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"“{text[:40]}” is not a number of seconds")
    return seconds
