"""Draws docs/images/calibration.svg: it compares the maharaja's win probabilities with the results of self-play.

Run `python scripts/calibration.py [--fit] [--positions N]` with jaipur[fast] installed. It takes some minutes on a CPU.

The network was trained with exploration. For play without exploration, its probabilities are too close to one half. The
option `--fit` first fits a linear correction of the win logits on other rounds and applies it to the bundled network.
"""

import json
from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path

import numpy as np

from jaipur.analysis.calibration import (
    Numbers,
    PlattScaling,
    fit_scaling,
    reliability_bins,
    reliability_diagram,
    rescaled,
)
from jaipur.notation.files import write_whole
from jaipur.players.neural.network import NETWORKS, WIN, Network, sigmoid
from jaipur.rules.cards import NOBODY
from jaipur.simulation.batch import Batch

FILE = NETWORKS / "maharaja.npz"
PICTURE = Path(__file__).parent.parent / "docs" / "images" / "calibration.svg"
ROUNDS = 256
"""The number of rounds played in parallel."""
TEST_SEED, FIT_SEED = 10**15, 2 * 10**15
NOISE = 0.02
"""The scale of the Gumbel noise on the probabilities. The noise makes the rounds more varied."""


def self_play(network: Network, positions: int, seed: int) -> tuple[Numbers, Numbers]:
    """Play the network against itself. Return the win probability of each move, and the outcome for its seat."""
    batch, rng = Batch(min(ROUNDS, positions), seed=seed), np.random.default_rng(1)
    running: list[list[tuple[float, int]]] = [[] for _ in range(len(batch))]
    predicted: list[float] = []
    outcomes: list[float] = []
    while len(predicted) < positions:
        probabilities = sigmoid(network(batch.afterstate_features())[:, WIN])
        chosen = batch.argmax(probabilities + NOISE * rng.gumbel(size=len(probabilities)))
        turns = np.array(batch.field("turn"))
        results = batch.step(batch.moves().codes[chosen], checked=False)
        for number, moves in enumerate(running):
            moves.append((probabilities[chosen[number]], turns[number]))
            if results.round_ended[number]:
                winner = results.winner[number]
                predicted += [probability for probability, _ in moves]
                outcomes += [
                    0.5 if winner == NOBODY else float(winner == seat) for _, seat in moves
                ]
                moves.clear()
    return np.array(predicted), np.array(outcomes)


def rescale_bundled_network(scaling: PlattScaling) -> None:
    """Apply the scaling to the bundled network, and record the scaling in the JSON file beside it."""
    rescaled(Network.load(FILE), scaling).save(FILE)
    origin_file = FILE.with_suffix(".json")
    origin = json.loads(origin_file.read_text("utf-8"))
    step = {
        "stretch": round(scaling.scale, 4),
        "shift": round(scaling.shift, 4),
        "before": origin["sha256"],
    }
    origin["calibration"] = [*origin.get("calibration", []), step]
    origin["sha256"] = sha256(FILE.read_bytes()).hexdigest()
    write_whole(origin_file, json.dumps(origin, indent=2) + "\n")


def main() -> None:
    parser = ArgumentParser(description="Calibration of the maharaja's win probabilities.")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--fit", action="store_true", help="rescale the bundled network first")
    parser.add_argument("--out", type=Path, default=PICTURE, help="the diagram to write")
    arguments = parser.parse_args()
    if arguments.fit:
        fitted = self_play(Network.load(FILE), arguments.positions, FIT_SEED)
        scaling = fit_scaling(*fitted)
        rescale_bundled_network(scaling)
        print(f"Logits scaled by {scaling.scale:.3f} and shifted by {scaling.shift:+.3f}.")
    predicted, outcomes = self_play(Network.load(FILE), arguments.positions, TEST_SEED)
    bins = reliability_bins(predicted, outcomes)
    print("| predicted | won | positions |\n| ---: | ---: | ---: |")
    for each in bins:
        print(
            f"| {100 * each.predicted:.1f} % | {100 * each.observed:.1f} % | {each.positions:,} |"
        )
    near = (predicted >= 0.65) & (predicted < 0.75)
    if near.any():
        print(
            f"Around 70 % ({near.sum():,} positions): {100 * predicted[near].mean():.1f} % predicted,"
            f" {100 * outcomes[near].mean():.1f} % won."
        )
    arguments.out.write_text(reliability_diagram(bins), "utf-8")


if __name__ == "__main__":
    main()
