"""A small network over features: what it is made of, how it answers, how it is kept.

Every number of a row goes in as it is and, where it counts something, again as a thermometer: one input for each step
it has reached. `forward` is written once for whatever library has the arrays: NumPy to play, JAX to learn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaipur.compiled.features import FEATURES, SCALES, WIDTH

Array = Any
"""NumPy's, or one of JAX's."""
Layers = Sequence[tuple[Array, Array]]
"""Weights and biases, from the inputs up."""

WIN, LEAD, HIDDEN = 0, 1, 2
"""The answers: the chance to win the round (as a logit), the lead at its end, and from there on what is hidden."""
ANSWERS = 8
LEAD_SCALE = 20.0
"""Rupees that an answer of one stands for."""

_LEADS = tuple(range(-60, 61, 4))
_LOW_THEN_WIDE = (*range(1, 11), 12, 14, 17, 20, 24, 28, 32, 36)
_STEPS: dict[str, Sequence[int]] = {
    "own hand": range(1, 8),
    "own hand as shown": range(1, 5),
    "other's hand as shown": range(1, 6),
    "other's hand": range(1, 8),
    "market": range(1, 6),
    "unseen": range(1, 12),
    "tokens left": range(1, 10),
    "bonus tokens left": range(1, 8),
    "own bonus tokens": range(1, 4),
    "other's bonus tokens": range(1, 4),
    "own: herd": range(1, 12),
    "other's: herd": range(1, 12),
    "lead: rupees": _LEADS,
    "deck": _LOW_THEN_WIDE,
    "round: empty piles": range(1, 3),
}
"""By feature or by block of features, the steps of the thermometer; a feature that is not here has none."""


def thermometers() -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """For each input that is a step: which feature it looks at, and from which count on it is one."""
    columns, thresholds = [], []
    for column, (feature, scale) in enumerate(zip(FEATURES, SCALES, strict=True)):
        steps = _STEPS.get(feature, _STEPS.get(feature.partition(":")[0], ()))
        highest = max(_LEADS) if feature == "lead: rupees" else scale
        for step in steps:
            if step <= highest:
                columns.append(column)
                thresholds.append(step - 0.5)
    return np.array(columns, np.int16), np.array(thresholds, np.float32)


def counting(columns: NDArray[np.int16]) -> NDArray[np.float32]:
    """The matrix that takes a row of features to the counts at these columns, without their scales.

    A product with it is many times faster on a GPU than looking the columns up.
    """
    matrix = np.zeros((WIDTH, len(columns)), np.float32)
    matrix[columns, np.arange(len(columns))] = np.array(SCALES)[columns]
    return matrix


def forward(library: Any, layers: Layers, counts: Array, thresholds: Array, rows: Array) -> Array:  # noqa: ANN401
    """The answers to rows of features, a row each, in the precision of the weights."""
    kind = layers[0][0].dtype
    rows = rows.astype(kind)
    steps = rows @ counts.astype(kind) >= thresholds.astype(kind)
    weights, biases = layers[0]
    numbers = rows @ weights[:WIDTH] + steps.astype(kind) @ weights[WIDTH:] + biases
    for weights, biases in layers[1:]:
        numbers = library.maximum(numbers, 0) @ weights + biases
    return numbers


@dataclass(frozen=True, slots=True)
class Network:
    """A network that answers, with NumPy."""

    columns: NDArray[np.int16]
    thresholds: NDArray[np.float32]
    counts: NDArray[np.float32]
    layers: tuple[tuple[NDArray[np.float32], NDArray[np.float32]], ...]

    @classmethod
    def of(
        cls, columns: NDArray[np.int16], thresholds: NDArray[np.float32], layers: Layers
    ) -> "Network":
        """A network with these thermometers and weights."""
        return cls(columns, thresholds, counting(columns), tuple(layers))

    @classmethod
    def load(cls, file: Path) -> "Network":
        """Read a network; ValueError where the file holds none."""
        try:
            with np.load(file, allow_pickle=False) as kept:
                arrays = {name: kept[name] for name in kept.files}
            count = sum(name.startswith("weights") for name in arrays)
            layers = tuple(
                (
                    arrays[f"weights{layer}"].astype(np.float32),
                    arrays[f"biases{layer}"].astype(np.float32),
                )
                for layer in range(count)
            )
            network = cls.of(arrays["columns"], arrays["thresholds"], layers)
            fits = network.layers[0][0].shape[0] == WIDTH + len(network.columns)
        except (OSError, ValueError, KeyError, IndexError, EOFError) as wrong:
            raise ValueError(f"“{file}” holds no network.") from wrong
        if not fits:
            raise ValueError(f"“{file}” holds a network for other features than these.")
        return network

    def save(self, file: Path) -> None:
        """Write the network down, its weights in half precision."""
        arrays: dict[str, NDArray[Any]] = {"columns": self.columns, "thresholds": self.thresholds}
        for number, (weights, biases) in enumerate(self.layers):
            arrays[f"weights{number}"] = weights.astype(np.float16)
            arrays[f"biases{number}"] = biases.astype(np.float16)
        with file.open("wb") as out:
            np.savez(out, **arrays)  # type: ignore[arg-type]  # names, not flags

    def __call__(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        answers: NDArray[np.float32] = forward(np, self.layers, self.counts, self.thresholds, rows)
        return answers
