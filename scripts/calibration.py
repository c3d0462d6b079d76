"""How far the maharaja's chances can be trusted: draws docs/images/calibration.svg from rounds it plays against itself.

`python scripts/calibration.py [--fit] [--positions N]`, with jaipur[train] installed; some minutes on a CPU.

Whoever learns among curious players says chances closer to even than they are once nobody is curious. With --fit the
network of the package first learns from other rounds how far to stretch and shift all its logits. No move overtakes
another by that, but for those that end the round, whose chances are counted.
"""

import json
from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from jaipur.notation.files import write_whole
from jaipur.players.neural.network import NETWORKS, WIN, Layers, Network, sigmoid
from jaipur.training import kernels
from jaipur.training.evaluator import Evaluator, evaluate
from jaipur.training.model import from_network

FILE = NETWORKS / "maharaja.npz"
PICTURE = Path(__file__).parent.parent / "docs" / "images" / "calibration.svg"
LANES = 256
DEALS, OTHER_DEALS = 10**15, 2 * 10**15
"""Seeds of the rounds that are drawn, and of those that are learnt from."""
CURIOUS = 0.02
"""A little noise on the chances, so that rounds differ from those it learnt from."""
SIDE, EDGE = 420, 60

STYLE = """
  .page { fill: #fbf9f4 } text { fill: #2c2a26; font: 13px system-ui, sans-serif }
  .title { font-size: 16px; font-weight: 600 } .grid { stroke: #e2dccf } .dot { fill: #b5482a }
  .ideal { stroke: #a79f90; stroke-dasharray: 4 4 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #1d1b18 } text { fill: #ece6da } .grid { stroke: #38342e } .dot { fill: #f0845f }
  }
"""


def played(positions: int, deals: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What was said of the move played in so many positions, and whether its round was won."""
    weights = from_network(Network.load(FILE))
    evaluator = Evaluator(LANES, "cpu", deals, auto_reset=True)
    rng = np.random.default_rng(1)
    waiting: list[list[tuple[float, int]]] = [[] for _ in range(LANES)]
    said, won = [], []
    while len(said) < positions:
        afterstates = evaluator.afterstates()
        chances = sigmoid(np.asarray(evaluate(weights, afterstates))[WIN])
        worths = chances + CURIOUS * rng.gumbel(size=len(chances))
        places = np.asarray(evaluator.argmax(jnp.asarray(worths))[0])
        turns = np.array(evaluator.before())[:, kernels.TURN]
        after = np.array(evaluator.play(jnp.asarray(places)))
        for lane in range(LANES):
            waiting[lane].append((chances[places[lane]], int(turns[lane])))
            if after[lane, kernels.ENDED]:
                first = after[lane, kernels.WON] / 2
                said += [chance for chance, _ in waiting[lane]]
                won += [first if seat == 0 else 1 - first for _, seat in waiting[lane]]
                waiting[lane] = []
    return np.array(said), np.array(won)


def fit(said: NDArray[np.float64], won: NDArray[np.float64]) -> tuple[float, float]:
    """The stretch and the shift of logits with which the rounds won are likeliest."""
    logits = np.log(said / (1 - said))
    inputs, numbers = np.stack([logits, np.ones_like(logits)], 1), np.array([1.0, 0.0])
    for _ in range(20):
        chances = sigmoid(inputs @ numbers)
        bend = (inputs * (chances * (1 - chances))[:, None]).T @ inputs
        numbers += np.linalg.solve(bend, inputs.T @ (won - chances))
    return float(numbers[0]), float(numbers[1])


def rewrite(stretch: float, shift: float) -> None:
    """Stretch and shift the logits of the network in the package, and say so in the file beside it."""

    def changed(layers: Layers) -> Layers:
        *inner, (weights, biases) = layers
        weights, biases = weights.copy(), biases.copy()
        weights[:, WIN] *= stretch
        biases[WIN] = biases[WIN] * stretch + shift
        return (*inner, (weights, biases))

    network = Network.load(FILE)
    full, quick = changed(network.weights.full), changed(network.weights.quick)
    weights = network.weights._replace(full=full, quick=quick)
    Network(network.columns, network.thresholds, weights).save(FILE)
    beside = FILE.with_suffix(".json")
    origin = json.loads(beside.read_text("utf-8"))
    step = {"stretch": round(stretch, 4), "shift": round(shift, 4), "before": origin["sha256"]}
    origin["calibration"] = [*origin.get("calibration", []), step]
    origin["sha256"] = sha256(FILE.read_bytes()).hexdigest()
    write_whole(beside, json.dumps(origin, indent=2) + "\n")


def bins(said: NDArray[np.float64], won: NDArray[np.float64]) -> list[tuple[float, float, int]]:
    """For every tenth of the chances: what was said on average, the share that was won, how many."""
    tenth = np.minimum((said * 10).astype(int), 9)
    return [
        (float(said[tenth == n].mean()), float(won[tenth == n].mean()), int((tenth == n).sum()))
        for n in range(10)
        if (tenth == n).any()
    ]


def draw(rows: list[tuple[float, float, int]], positions: int) -> str:
    def at(x: float, y: float) -> tuple[float, float]:
        return EDGE + x * SIDE, EDGE + (1 - y) * SIDE

    size = SIDE + 2 * EDGE
    title = f"Rounds won, by the chance seen ({positions:,} positions)"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img" aria-label="Reliability">',
        f"<style>{STYLE}</style>",
        f'<rect class="page" width="{size}" height="{size}" rx="8"/>',
        f'<text class="title" x="20" y="30">{title}</text>',
    ]
    for step in range(0, 11, 2):
        (x, bottom), (_, top) = at(step / 10, 0), at(step / 10, 1)
        (left, y), (right, _) = at(0, step / 10), at(1, step / 10)
        parts += [
            f'<line class="grid" x1="{x}" y1="{bottom}" x2="{x}" y2="{top}"/>',
            f'<line class="grid" x1="{left}" y1="{y}" x2="{right}" y2="{y}"/>',
            f'<text x="{x}" y="{bottom + 20}" text-anchor="middle">{10 * step} %</text>',
            f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{10 * step} %</text>',
        ]
    (x1, y1), (x2, y2) = at(0, 0), at(1, 1)
    parts.append(f'<line class="ideal" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
    for said, won, _ in rows:
        x, y = at(said, won)
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="6"/>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = ArgumentParser(description="How far the maharaja's chances can be trusted.")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--fit", action="store_true", help="first make the network say what is won")
    asked = parser.parse_args()
    if asked.fit:
        stretch, shift = fit(*played(asked.positions, OTHER_DEALS))
        rewrite(stretch, shift)
        print(f"Logits stretched by {stretch:.3f} and shifted by {shift:+.3f}.")
    said, won = played(asked.positions, DEALS)
    rows = bins(said, won)
    print("| said | won | positions |\n| ---: | ---: | ---: |")
    for chance, share, count in rows:
        print(f"| {100 * chance:.1f} % | {100 * share:.1f} % | {count:,} |")
    near = (said >= 0.65) & (said < 0.75)
    print(
        f"Around 70 % ({near.sum():,} positions): {100 * said[near].mean():.1f} % were said,"
        f" {100 * won[near].mean():.1f} % won."
    )
    PICTURE.write_text(draw(rows, len(said)), "utf-8")


if __name__ == "__main__":
    main()
