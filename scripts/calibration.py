"""How far the maharaja's chances can be trusted: draws docs/calibration.svg from rounds it plays against itself.

`python scripts/calibration.py [POSITIONS]`, with jaipur[train] installed; some minutes on a CPU for 100,000 positions.
"""

import sys
from pathlib import Path

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from jaipur.lab.train import loops
from jaipur.lab.train.learner import weights_of
from jaipur.lab.train.lookout import Lookout, appraise
from jaipur.players.maharaja import kept
from jaipur.players.network import WIN

PICTURE = Path(__file__).parent.parent / "docs" / "calibration.svg"
LANES = 256
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


def played(positions: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What was said of the move played in so many positions, and whether its round was won."""
    weights = weights_of(kept("maharaja"))
    lookout = Lookout(LANES, "cpu", 10**15, goes_on=True)
    rng = np.random.default_rng(1)
    waiting: list[list[tuple[float, int]]] = [[] for _ in range(LANES)]
    said, won = [], []
    while len(said) < positions:
        look = lookout.look()
        chances = 1 / (1 + np.exp(-np.asarray(appraise(weights, look))[WIN].astype(np.float64)))
        worths = chances + CURIOUS * rng.gumbel(size=len(chances))
        places = np.asarray(lookout.best(jnp.asarray(worths))[0])
        turns = np.array(lookout.before())[:, loops.TURN]
        after = np.array(lookout.play(jnp.asarray(places)))
        for lane in range(LANES):
            waiting[lane].append((chances[places[lane]], int(turns[lane])))
            if after[lane, loops.ENDED]:
                first = after[lane, loops.WON] / 2
                said += [chance for chance, _ in waiting[lane]]
                won += [first if seat == 0 else 1 - first for _, seat in waiting[lane]]
                waiting[lane] = []
    return np.array(said), np.array(won)


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
    positions = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    said, won = played(positions)
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
