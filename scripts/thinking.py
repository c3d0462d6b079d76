"""What thinking is worth: the grand-maharaja's moves after several times, tried further than it looked ahead.

`python scripts/thinking.py [--positions N] [--times S …] [--jobs N]`, with jaipur[lab] installed. A position takes
about as long as all the times together; stopped early, it says what it has seen.

Arenas tell players apart by the rounds they win, which are luck for the most part. Here one position of every round
that the maharaja plays against itself is thought about, and what is chosen is held against the maharaja's own move on
the same cards to come: the difference is all that counts, so a position says as much as many rounds. Hands stay as they
are: over many positions the hidden ones are as likely as they really are, whatever anybody believes of them.
"""

import os
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from random import Random

import numpy as np
from numpy.typing import NDArray

from jaipur.arena.process_pool import cores, map_unordered
from jaipur.cli.output import progress
from jaipur.players.budget import Budget
from jaipur.players.neural.afterstates import exact_outputs
from jaipur.players.neural.grand_maharaja import GrandMaharaja
from jaipur.players.neural.network import WIN, bundled_network
from jaipur.players.neural.rollouts import Rollouts
from jaipur.rules import Deal, Position, new_round

WORLDS, AT_ONCE, PLIES = 1024, 64, 14
"""In how many worlds a choice is tried, how many of them side by side, and how many moves it is followed."""
ASTRAY = 0.1
"""So often the second best move is played, so that rounds are not all of the same kind."""


@cache
def rollouts() -> Rollouts:
    return Rollouts(bundled_network("maharaja"), "cpu")


def gains(seed: int, times: Sequence[float]) -> list[float]:
    """How much likelier the round is won with what is chosen after each time than with the maharaja's move."""
    rng = Random(seed)
    position = rng.choice(thought_about(rng))
    view, moves = position.view(position.turn), position.legal_moves()
    own = moves[best_two(position)[0]].code
    player = GrandMaharaja(bundled_network("maharaja"), rollouts())
    chosen = [player.choose(view, moves, rng, Budget(seconds=time)).code for time in times]
    distinct = sorted({own, *chosen})
    if len(distinct) == 1:
        return [0.0] * len(times)
    worlds = [[rng.getrandbits(62) for _ in range(AT_ONCE)] for _ in range(WORLDS // AT_ONCE)]
    won = [
        rollouts().win_probabilities(position, distinct, seeds, PLIES, odds=None)
        for seeds in worlds
    ]
    worth = dict(zip(distinct, np.concatenate(won).mean(0), strict=True))
    return [float(worth[code] - worth[own]) for code in chosen]


def thought_about(rng: Random) -> list[Position]:
    """A round of the maharaja against itself, wherever there is a choice."""
    position = new_round(Deal.shuffled(rng))
    seen = []
    while moves := position.legal_moves():
        choice = best_two(position)
        if len(choice) > 1:
            seen.append(position.copy())
        position.play(moves[choice[-1] if rng.random() < ASTRAY else choice[0]])
    return seen


def best_two(position: Position) -> NDArray[np.int64]:
    """The places of the two moves that the maharaja likes best, or of the only one."""
    codes = [move.code for move in position.legal_moves()]
    said = exact_outputs(bundled_network("maharaja"), position.view(position.turn), codes)[:, WIN]
    return np.argsort(-said, kind="stable")[:2]


def in_words(share: NDArray[np.float64]) -> str:
    return f"{100 * share.mean():+.2f} % ± {196 * share.std() / np.sqrt(len(share)):.2f}"


def main() -> None:
    parser = ArgumentParser(description="What the grand-maharaja's thinking is worth.")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--times", type=float, nargs="+", default=[0.1, 0.3, 1.0, 3.0])
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    gains(0, [0.01])  # compiled once, for all of them
    seeds = range(asked.seed * 10**6, asked.seed * 10**6 + asked.positions)
    seen: list[list[float]] = []
    # For the processes that think, as for those of the command (jaipur/__main__.py).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with suppress(KeyboardInterrupt), progress("positions", asked.positions) as done:
        for row in map_unordered(partial(gains, times=asked.times), seeds, asked.jobs):
            seen.append(row)
            done(1)
    rows = np.array(seen).reshape(-1, len(asked.times))
    if not len(rows):
        return
    print(
        f"{len(rows)} positions\n| time | each move wins | than with the time before |\n| ---: | ---: | ---: |"
    )
    for place, seconds in enumerate(asked.times):
        more = in_words(rows[:, place] - rows[:, place - 1]) if place else ""
        print(f"| {seconds:g} s | {in_words(rows[:, place])} | {more} |")


if __name__ == "__main__":
    main()
