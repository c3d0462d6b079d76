"""Measures how much better the grand-maharaja plays with more time per move.

Run `python scripts/thinking.py [--positions N] [--times S …] [--jobs N]` with jaipur[fast] installed. A position takes
about as long as all times together. If you press Ctrl-C, the script prints the results so far.

Win rates in an arena depend mostly on luck. This script needs fewer rounds. It takes one position from each self-play
round of the maharaja and lets the grand-maharaja choose a move with each time limit. Longer rollouts then compare these
moves with the maharaja's own move, all in the same sampled worlds. Both hands stay as they are, because the hidden
cards of many positions already have the correct distribution.
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
from jaipur.players import Budget
from jaipur.players.neural.afterstates import exact_outputs
from jaipur.players.neural.grand_maharaja import GrandMaharaja
from jaipur.players.neural.network import WIN, bundled_network
from jaipur.players.neural.rollouts import Rollouts
from jaipur.rules import Deal, Position, new_round

WORLDS, WORLDS_PER_BATCH, PLIES = 1024, 64, 14
"""The settings of the rollouts that compare the chosen moves."""
SECOND_BEST_RATE = 0.1
"""In self-play, this share of the moves are second-best moves, for variety."""


@cache
def compiled_rollouts() -> Rollouts:
    return Rollouts(bundled_network("maharaja"), "cpu")


def gains(seed: int, times: Sequence[float]) -> list[float]:
    """For each time, return the win probability of the chosen move minus that of the maharaja's move."""
    rng, rollouts = Random(seed), compiled_rollouts()
    position = rng.choice(self_play_positions(rng))
    view, moves = position.view(position.turn), position.legal_moves()
    baseline = moves[best_two(position)[0]].code
    player = GrandMaharaja(bundled_network("maharaja"), rollouts)
    chosen = [player.choose(view, moves, rng, Budget(seconds=time)).code for time in times]
    distinct = sorted({baseline, *chosen})
    if len(distinct) == 1:
        return [0.0] * len(times)
    batches = WORLDS // WORLDS_PER_BATCH
    seeds = [[rng.getrandbits(62) for _ in range(WORLDS_PER_BATCH)] for _ in range(batches)]
    results = [
        rollouts.win_probabilities(position, distinct, each, PLIES, odds=None) for each in seeds
    ]
    values = dict(zip(distinct, np.concatenate(results).mean(0), strict=True))
    return [float(values[code] - values[baseline]) for code in chosen]


def self_play_positions(rng: Random) -> list[Position]:
    """Play one round of the maharaja against itself. Return the positions with more than one legal move."""
    position = new_round(Deal.shuffled(rng))
    sampled = []
    while moves := position.legal_moves():
        best = best_two(position)
        if len(best) > 1:
            sampled.append(position.copy())
        position.play(moves[best[-1] if rng.random() < SECOND_BEST_RATE else best[0]])
    return sampled


def best_two(position: Position) -> NDArray[np.int64]:
    """Return the indices of the maharaja's two best moves, or of the only move."""
    codes = [move.code for move in position.legal_moves()]
    outputs = exact_outputs(bundled_network("maharaja"), position.view(position.turn), codes)
    return np.argsort(-outputs[:, WIN], kind="stable")[:2]


def with_interval(gains: NDArray[np.float64]) -> str:
    """Return the mean with a 95 % confidence interval, as text."""
    return f"{100 * gains.mean():+.2f} % ± {196 * gains.std() / np.sqrt(len(gains)):.2f}"


def main() -> None:
    parser = ArgumentParser(description="The value of the grand-maharaja's search time.")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--times", type=float, nargs="+", default=[0.1, 0.3, 1.0, 3.0])
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    gains(0, [0.01])  # compile once, before the workers start
    seeds = range(arguments.seed * 10**6, arguments.seed * 10**6 + arguments.positions)
    results: list[list[float]] = []
    # Use one BLAS thread per worker process, as in jaipur/__main__.py.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with suppress(KeyboardInterrupt), progress("positions", arguments.positions) as done:
        for row in map_unordered(partial(gains, times=arguments.times), seeds, arguments.jobs):
            results.append(row)
            done(1)
    rows = np.array(results).reshape(-1, len(arguments.times))
    if not len(rows):
        return
    print(
        f"{len(rows)} positions\n| time | gain | gain over the time before |\n| ---: | ---: | ---: |"
    )
    for index, seconds in enumerate(arguments.times):
        more = with_interval(rows[:, index] - rows[:, index - 1]) if index else ""
        print(f"| {seconds:g} s | {with_interval(rows[:, index])} | {more} |")


if __name__ == "__main__":
    main()
