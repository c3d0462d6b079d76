"""What the arena itself costs beside the thinking of its players: python benchmarks/arena_overhead.py

Two players that think for a given time (busy, not asleep), and two of ours, each through the whole path of a pair:
deal, views, moves, checks, records, journal. The overhead is all time that no player was thinking, beside thinking.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import perf_counter

from jaipur import Move, View
from jaipur.arena.journal import Journal
from jaipur.arena.pairs import play_pairs
from jaipur.players import Budget, Player, player_named


class Thinker:
    """Thinks for a while and then plays anything."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        until = perf_counter() + self._seconds
        while perf_counter() < until:
            pass
        return moves[int(rng.random() * len(moves))]

    def close(self) -> None:
        pass


def overhead(players: tuple[Player, Player], pairs: int) -> tuple[float, float, int]:
    """Seconds of thinking, seconds of everything else, and moves."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder), {"benchmark": "overhead"}) as journal,
    ):
        began = perf_counter()
        for pair in play_pairs(players, ("one", "other"), pairs):
            journal.append(pair)
        wall = perf_counter() - began
        thought = [each for pair in journal.pairs.values() for each in pair.thought]
    seconds = sum(each.seconds for each in thought)
    return seconds, wall - seconds, sum(each.moves for each in thought)


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    rows: list[tuple[str, tuple[Player, Player]]] = [
        (f"{1000 * seconds:g} ms a move", (Thinker(seconds), Thinker(seconds)))
        for seconds in (0.001, 0.002, 0.01)
    ]
    rows.append(("greedy", (player_named("greedy"), player_named("greedy"))))
    print(f"{'players':<16}{'thinking a move':>18}{'the rest a move':>18}{'overhead':>12}")
    for name, players in rows:
        thinking, rest, moves = overhead(players, pairs if name != "10 ms a move" else 2)
        each, more = 1e6 * thinking / moves, 1e6 * rest / moves
        print(f"{name:<16}{each:>15.0f} µs{more:>15.0f} µs{100 * rest / thinking:>10.1f} %")


if __name__ == "__main__":
    main()
