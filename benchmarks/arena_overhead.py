"""Measures the time of an arena that its players do not use: python benchmarks/arena_overhead.py [PAIRS]

The benchmark plays pairs between built-in players, and between players that are busy for a fixed time. The overhead has
two parts: the game (views, legal moves, checked moves) and the arena (deals, records, the results log, counting).
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

from jaipur import Game, Move, View
from jaipur.arena.pairs import play_pairs
from jaipur.arena.results_log import ResultsLog
from jaipur.players import Budget, Player, player_named


class BusyPlayer:
    """Is busy for a fixed time and then plays a random move."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        until = perf_counter() + self._seconds
        while perf_counter() < until:
            pass
        return moves[int(rng.random() * len(moves))]

    def close(self) -> None:
        pass


@dataclass
class Costs:
    """The seconds spent in the players, in the game and in the arena, and the number of moves."""

    thinking: float = 0.0
    game: float = 0.0
    arena: float = 0.0
    moves: int = 0

    def row(self, name: str) -> str:
        each = [1e6 * part / self.moves for part in (self.thinking, self.game, self.arena)]
        shares = [100 * part / self.thinking for part in (self.game, self.arena)]
        cells = [f"{part:.0f} µs" for part in each] + [f"{share:.1f} %" for share in shares]
        return f"| {name} | " + " | ".join(cells) + " |"


@contextmanager
def timed_game(costs: Costs) -> Iterator[None]:
    """Measure the time of the `Game` methods that the arena calls."""

    def timed(method: Callable[..., object]) -> Callable[..., object]:
        def wrapper(*args: object) -> object:
            began = perf_counter()
            try:
                return method(*args)
            finally:
                costs.game += perf_counter() - began

        return wrapper

    methods = {name: getattr(Game, name) for name in ("view", "legal_moves", "play")}
    for name, method in methods.items():
        setattr(Game, name, timed(method))
    try:
        yield
    finally:
        for name, method in methods.items():
            setattr(Game, name, method)


def measure(players: tuple[Player, Player], pairs: int) -> Costs:
    costs = Costs()
    with (
        tempfile.TemporaryDirectory() as folder,
        ResultsLog(Path(folder), {"benchmark": "overhead"}) as log,
        timed_game(costs),
    ):
        began = perf_counter()
        for pair in play_pairs(players, ("one", "other"), pairs):
            log.append(pair)
        wall = perf_counter() - began
        thinking_times = [each for pair in log.pairs.values() for each in pair.thinking]
    costs.thinking = sum(each.seconds for each in thinking_times)
    costs.moves = sum(each.moves for each in thinking_times)
    costs.arena = wall - costs.thinking - costs.game
    return costs


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    rows: list[tuple[str, int, tuple[Player, Player]]] = [
        (name, 5 * pairs, (player_named(name), player_named(name)))
        for name in ("greedy", "merchant")
    ]
    rows += [
        (f"{milliseconds} ms per move", turns, (BusyPlayer(milliseconds / 1000),) * 2)
        for milliseconds, turns in ((1, pairs), (2, pairs), (10, max(1, pairs // 5)))
    ]
    print("| players | thinking per move | game | arena | game, share | arena, share |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, turns, players in rows:
        print(measure(players, turns).row(name))


if __name__ == "__main__":
    main()
