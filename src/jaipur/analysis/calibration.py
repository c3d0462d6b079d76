"""Calibration of win probabilities: reliability bins, a reliability diagram and Platt scaling.

The functions take predicted win probabilities and the outcomes of the same rounds: 1 for a win, 0 for a loss, ½ for a
tie.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jaipur.notation.svg import svg_chart
from jaipur.players.neural.network import WIN, Layers, Network, sigmoid

Numbers = NDArray[np.float64]

BINS = 10
_NEWTON_STEPS = 20
_SIDE, _MARGIN = 420, 60  # of the diagram, in pixels


class ReliabilityBin(NamedTuple):
    """The positions whose predicted probability is in one interval."""

    predicted: float
    """The mean predicted probability."""
    observed: float
    """The mean outcome."""
    positions: int


class PlattScaling(NamedTuple):
    """A correction that replaces a logit by `scale * logit + shift`. A positive scale keeps the order of moves."""

    scale: float
    shift: float


def reliability_bins(predicted: Numbers, outcomes: Numbers) -> list[ReliabilityBin]:
    """Group predictions into ten intervals of probability. Empty intervals are left out."""
    bins = np.minimum((predicted * BINS).astype(int), BINS - 1)
    return [
        ReliabilityBin(
            float(predicted[bins == n].mean()),
            float(outcomes[bins == n].mean()),
            int((bins == n).sum()),
        )
        for n in range(BINS)
        if (bins == n).any()
    ]


def fit_scaling(predicted: Numbers, outcomes: Numbers) -> PlattScaling:
    """Find the scaling that maximises the likelihood of the outcomes, with Newton's method."""
    logits = np.log(predicted / (1 - predicted))
    inputs, parameters = np.stack([logits, np.ones_like(logits)], 1), np.array([1.0, 0.0])
    for _ in range(_NEWTON_STEPS):
        probabilities = sigmoid(inputs @ parameters)
        hessian = (inputs * (probabilities * (1 - probabilities))[:, None]).T @ inputs
        parameters += np.linalg.solve(hessian, inputs.T @ (outcomes - probabilities))
    return PlattScaling(float(parameters[0]), float(parameters[1]))


def rescaled(network: Network, scaling: PlattScaling) -> Network:
    """Return a copy of the network. Both heads of the copy apply the scaling to their win logits."""

    def scale(layers: Layers) -> Layers:
        *inner, (weights, biases) = layers
        weights, biases = weights.copy(), biases.copy()
        weights[:, WIN] *= scaling.scale
        biases[WIN] = biases[WIN] * scaling.scale + scaling.shift
        return (*inner, (weights, biases))

    full, quick = scale(network.weights.full), scale(network.weights.quick)
    weights = network.weights._replace(full=full, quick=quick)
    return Network(network.columns, network.thresholds, weights)


def reliability_diagram(bins: list[ReliabilityBin]) -> str:
    """Draw the observed win rates (vertical axis) against the predicted probabilities (horizontal axis) as SVG."""

    def at(x: float, y: float) -> tuple[float, float]:
        return _MARGIN + x * _SIDE, _MARGIN + (1 - y) * _SIDE

    size = _SIDE + 2 * _MARGIN
    positions = sum(each.positions for each in bins)
    title = f"Win rate by win probability ({positions:,} positions)"
    parts = [f'<text class="title" x="20" y="30">{title}</text>']
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
    for each in bins:
        x, y = at(each.predicted, each.observed)
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="6"/>')
    return svg_chart(size, size, "Reliability", parts)
