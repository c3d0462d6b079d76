"""What the arena itself costs beside the thinking of its players: python benchmarks/arena_overhead.py

Two players that think for a given time (busy, not asleep), and two of ours, each through the whole path of a pair. The
time that no player was thinking is told in two parts: the game (views, legal moves, playing them with their check),
without which nobody can play, and the arena's own (deals, records, the journal, keeping count).
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


@dataclass
class Costs:
    """Seconds of thinking, in the game and in the arena, and the moves they were spent on."""

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
def clock_on_the_game(costs: Costs) -> Iterator[None]:
    """Time what the arena asks of a game."""

    def timed(method: Callable[..., object]) -> Callable[..., object]:
        def wrapper(*args: object) -> object:
            began = perf_counter()
            try:
                return method(*args)
            finally:
                costs.game += perf_counter() - began

        return wrapper

    asked = {name: getattr(Game, name) for name in ("view", "legal_moves", "play")}
    for name, method in asked.items():
        setattr(Game, name, timed(method))
    try:
        yield
    finally:
        for name, method in asked.items():
            setattr(Game, name, method)


def measure(players: tuple[Player, Player], pairs: int) -> Costs:
    costs = Costs()
    with (
        tempfile.TemporaryDirectory() as folder,
        ResultsLog(Path(folder), {"benchmark": "overhead"}) as journal,
        clock_on_the_game(costs),
    ):
        began = perf_counter()
        for pair in play_pairs(players, ("one", "other"), pairs):
            journal.append(pair)
        wall = perf_counter() - began
        thought = [each for pair in journal.pairs.values() for each in pair.thinking]
    costs.thinking = sum(each.seconds for each in thought)
    costs.moves = sum(each.moves for each in thought)
    costs.arena = wall - costs.thinking - costs.game
    return costs


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    rows: list[tuple[str, int, tuple[Player, Player]]] = [
        (name, 5 * pairs, (player_named(name), player_named(name)))
        for name in ("greedy", "merchant")
    ]
    rows += [
        (f"{milliseconds} ms a move", turns, (Thinker(milliseconds / 1000),) * 2)
        for milliseconds, turns in ((1, pairs), (2, pairs), (10, max(1, pairs // 5)))
    ]
    print("| players | thinking a move | the game | the arena | game | arena |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, turns, players in rows:
        print(measure(players, turns).row(name))


if __name__ == "__main__":
    main()
