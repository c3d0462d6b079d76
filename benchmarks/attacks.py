"""Compares how two checkouts resist attacks: benchmarks/run attacks OLD NEW [--only NAME …] [--seconds S]

Each checkout needs its own .venv (run ./check in it once). For every attack of tests/chaos, each checkout runs a server
with default limits, one after the other. One address attacks. Other clients play, and their waiting times are measured.
"""

import argparse
import math
import sys
import tempfile
from pathlib import Path

from chaos.machine import World
from chaos.scenario import SCENARIOS, Phase, Result, percentile, run

MEMORY = 50.0
"""An attack may increase the memory of the server process by at most this many megabytes."""
FACTOR, DELAY = 2.0, 50.0
"""An attack may double the 99th percentile of the waiting times of other clients, or add this many milliseconds."""

HEAD = (
    "| attack | code | server MB | all processes MB | others' median ms | others' 99 % ms | greedy 99 % ms"
    " | moves | lost | within bounds | result |\n| --- | --- |" + " ---: |" * 7 + " --- | --- |"
)


def numbers(values: list[float]) -> str:
    return ", ".join("–" if math.isnan(value) else f"{value:.0f}" for value in values)


def waits(phases: dict[str, Phase], share: float, replies: bool = False) -> list[float]:
    """Return the percentile `share` of the waiting times before, during and after the attack."""
    return [
        percentile(phase.replies if replies else phase.moves, share) for phase in phases.values()
    ]


def held(result: Result) -> bool:
    """Return whether the attack stayed within the bounds for memory, waiting times and lost moves."""
    before, highest, _ = result.server_memory
    quiet, attacked, _ = waits(result.phases, 0.99)
    within = attacked <= max(FACTOR * quiet, quiet + DELAY)
    return highest - before <= MEMORY and within and not result.comparison.lost


def line(name: str, code: str, result: Result) -> str:
    counts = "; ".join(
        f"{key}: {value}" for key, value in result.counts.items() if key != "deleted at"
    )
    return " | ".join(
        [
            f"| {name}",
            code,
            numbers(list(result.server_memory)),
            numbers(list(result.tree_memory)),
            numbers(waits(result.phases, 0.5)),
            numbers(waits(result.phases, 0.99)),
            numbers(waits(result.phases, 0.99, replies=True)),
            f"{result.comparison.acknowledged:,}",
            f"{result.comparison.lost}",
            "yes" if held(result) else "no",
            f"{counts} |",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("old", type=Path, metavar="OLD", help="a checkout with its .venv")
    parser.add_argument("new", type=Path, metavar="NEW", help="another checkout with its .venv")
    only = "only these attacks (default: all)"
    parser.add_argument("--only", nargs="+", choices=SCENARIOS, metavar="NAME", help=only)
    parser.add_argument("--seconds", type=float, default=8.0, help="length of an attack")
    events = "events of the long log (default: 3000)"
    parser.add_argument("--events", type=int, default=3000, help=events)
    options = parser.parse_args()
    pythons = {
        code: str(checkout.resolve() / ".venv" / "bin" / "python")
        for code, checkout in (("old", options.old), ("new", options.new))
    }
    with tempfile.TemporaryDirectory() as folder:
        print("Preparing a long event log with the old code …", file=sys.stderr)
        world = World.prepare(Path(folder), pythons["old"], options.events)
        print(
            "Three numbers are before, during and after the attack; for memory the second is the highest.\n"
        )
        print(HEAD)
        for name in options.only or SCENARIOS:
            for code, python in pythons.items():
                with tempfile.TemporaryDirectory() as empty:
                    result = run(name, world, Path(empty), python, options.seconds)
                print(line(name, code, result), flush=True)


if __name__ == "__main__":
    main()
