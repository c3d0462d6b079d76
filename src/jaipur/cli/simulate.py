"""`jaipur simulate`: play many games between two players and print a summary."""

import argparse
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from jaipur.cli.arguments import integer
from jaipur.cli.output import progress
from jaipur.notation.files import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaipur.arena.simulate import GameBatch, PlayBatch, Summary
    from jaipur.rules import Game

COMPILED = "random"
"""The only player that the compiled simulation supports."""


HELP = "play many games between two players"
DESCRIPTION = (
    "Play games between two players. The same seed gives the same games for any number of jobs."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option = parser.add_argument
    option("--players", nargs=2, metavar=("A", "B"), required=True, help="players of seats 0 and 1")
    option("--games", type=integer(1), default=100, help="number of games (default: 100)")
    option(
        "--seed", type=integer(0, 2**63), default=0, help="seed of deals and players (default: 0)"
    )
    option("--records", metavar="FILE", help="write the games to FILE")
    option("--jobs", type=integer(1, 256), default=1, help="number of processes (default: 1)")
    fast = "play the same games with the compiled rules; only for two random players, needs jaipur[fast]"
    option("--fast", action="store_true", help=fast)


def run(arguments: argparse.Namespace) -> int:
    from jaipur.arena.simulate import Summary, play_with_players, simulate

    first, second = arguments.players
    keep = arguments.records is not None
    play = _compiled((first, second)) if arguments.fast else play_with_players
    batches = simulate((first, second), arguments.games, arguments.seed, arguments.jobs, keep, play)
    summary = Summary()
    file = whole_file(Path(arguments.records)) if keep else nullcontext()
    with file as records, progress("games", arguments.games) as advance:
        for batch in batches:
            if records is not None:
                records.writelines(batch.lines)
            summary.merge(batch.summary)
            advance(batch.summary.games)
    print(_format(summary, (first, second)))
    return 0


def _compiled(players: tuple[str, str]) -> "PlayBatch":
    if players != (COMPILED, COMPILED):
        raise argparse.ArgumentTypeError(
            f"--fast needs two {COMPILED} players; leave it out for {' and '.join(players)}."
        )
    try:
        import_module("jaipur.simulation.compiler").require_numba()
    except (ImportError, ValueError) as missing:
        raise argparse.ArgumentTypeError(str(missing)) from None
    return _play_compiled


def _play_compiled(batch: "GameBatch") -> "Iterator[Game]":
    from jaipur.simulation.random_games import random_games

    return random_games(batch.seed, batch.first, batch.games)


def _format(summary: "Summary", players: tuple[str, str]) -> str:
    rounds = summary.lengths.total()
    moves = sum(length * times for length, times in summary.lengths.items())
    lines = [f"Games: {summary.games}, rounds: {rounds}, moves: {moves}", ""]
    lines.append(f"{'':<24}{'games won':>16}{'seals':>16}{'rupees per round':>18}")
    for seat, name in enumerate(players):
        won = _share(summary.won[seat], summary.games)
        seals = _share(summary.seals[seat], rounds)
        rupees = f"{summary.rupees[seat] / rounds:.1f}"
        lines.append(f"{f'seat {seat}  {name}'[:24]:<24}{won:>16}{seals:>16}{rupees:>18}")
    lengths = sorted(summary.lengths.elements())
    ends = ", ".join(
        f"{end} {_share(times, rounds)}" for end, times in sorted(summary.ends.items())
    )
    mean, median = moves / rounds, lengths[rounds // 2]
    lines += [
        "",
        f"Moves per round: {lengths[0]} to {lengths[-1]}, mean {mean:.1f}, median {median}",
        f"Rounds ended by: {ends}",
        f"Rounds without a seal: {summary.seals[None]}; games without a winner: {summary.won[None]}",
        f"The starting player won {_share(summary.starter_seals, rounds)} of the rounds",
    ]
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)"
