"""`jaipur simulate`: play many games between two players and say what they came to."""

import argparse
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING

from jaipur.cli.arguments import at_least
from jaipur.cli.output import progress
from jaipur.notation.files import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaipur.arena.simulate import Play, Summary, Task
    from jaipur.cli.arguments import Commands
    from jaipur.rules import Game

COMPILED = "random"
"""The player whose way to choose the lab has compiled."""


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "simulate",
        help="play many games between two players",
        description="Play games between two players. The same seed gives the same games, whatever the jobs.",
    )
    parser.add_argument(
        "--players", nargs=2, metavar=("A", "B"), required=True, help="seats 0 and 1"
    )
    parser.add_argument("--games", type=at_least(1), default=100, help="how many (default: 100)")
    parser.add_argument("--seed", type=at_least(0, 2**63), default=0, help="default: 0")
    parser.add_argument("--records", metavar="FILE", help="write the games there, all or nothing")
    parser.add_argument("--jobs", type=at_least(1, 256), default=1, help="processes (default: 1)")
    parser.add_argument(
        "--fast",
        action="store_true",
        help="the same games by compiled rules; for two players random, with jaipur[fast] installed",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from jaipur.arena.simulate import Summary, ask_players, simulate

    first, second = arguments.players
    keep = arguments.records is not None
    play = _fast_way((first, second)) if arguments.fast else ask_players
    batches = simulate((first, second), arguments.games, arguments.seed, arguments.jobs, keep, play)
    summary = Summary()
    file = whole_file(Path(arguments.records)) if keep else nullcontext()
    with file as records, progress("games", arguments.games) as advance:
        for played in batches:
            _write(records, played.lines)
            summary.merge(played.summary)
            advance(played.summary.games)
    print(_told(summary, (first, second)))
    return 0


def _fast_way(players: tuple[str, str]) -> "Play":
    if players != (COMPILED, COMPILED):
        raise argparse.ArgumentTypeError(
            f"--fast is for two players {COMPILED}; leave it out for {' and '.join(players)}."
        )
    try:
        import_module("jaipur.simulation.compiler").require_numba()
    except (ImportError, ValueError) as missing:
        raise argparse.ArgumentTypeError(str(missing)) from None
    return _play_fast


def _play_fast(task: "Task") -> "Iterator[Game]":
    from jaipur.simulation.random_games import random_games

    return random_games(task.seed, task.first, task.games)


def _write(records: IO[str] | None, lines: list[str]) -> None:
    if records is not None:
        records.writelines(lines)


def _told(summary: "Summary", players: tuple[str, str]) -> str:
    """The summary as a few lines of text."""
    rounds = summary.lengths.total()
    moves = sum(length * times for length, times in summary.lengths.items())
    lines = [f"Games: {summary.games}, rounds: {rounds}, moves: {moves}", ""]
    lines.append(f"{'':<24}{'games won':>16}{'seals':>16}{'rupees a round':>16}")
    for seat, name in enumerate(players):
        won = _share(summary.won[seat], summary.games)
        seals = _share(summary.seals[seat], rounds)
        rupees = f"{summary.rupees[seat] / rounds:.1f}"
        lines.append(f"{f'seat {seat}  {name}'[:24]:<24}{won:>16}{seals:>16}{rupees:>16}")
    lengths = sorted(summary.lengths.elements())
    ends = ", ".join(
        f"{end} {_share(times, rounds)}" for end, times in sorted(summary.ends.items())
    )
    mean, median = moves / rounds, lengths[rounds // 2]
    lines += [
        "",
        f"Moves a round: {lengths[0]} to {lengths[-1]}, {mean:.1f} on average, {median} in the median",
        f"Rounds ended by: {ends}",
        f"Rounds without a seal: {summary.seals[None]}; games without a winner: {summary.won[None]}",
        f"The starter took {_share(summary.starter_seals, rounds)} of the rounds",
    ]
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)"
