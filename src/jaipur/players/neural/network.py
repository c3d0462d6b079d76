"""A small network over features: what it is made of, how it answers, how it is kept.

What goes in are thermometers: for every count a row of inputs, one for each step that it has reached. The first layer
reads them; a full head over it says all that is asked, and a quick one, where there is one, the chance to win alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from jaipur.notation.files import write_whole
from jaipur.simulation.features import FEATURES, SCALES, WIDTH

Array = Any
"""NumPy's, or one of JAX's."""
Layers = Sequence[tuple[Array, Array]]
"""Weights and biases, from the inputs up."""


class Weights(NamedTuple):
    """All that a network has learnt."""

    first: tuple[Array, Array]
    full: Layers
    quick: Layers
    """Reads as many of the first layer's units as it has weights for, from the first on."""


WIN, LEAD, HIDDEN = 0, 1, 2
"""The answers: the chance to win the round (as a logit), the lead at its end, and from there on what is hidden."""
ANSWERS = 8
LEAD_SCALE = 20.0
"""Rupees that an answer of one stands for."""

_WORTHS = (1, 3, 5, 7, 9, 11, 13, 15, 18, 21, 25)
_STEPS: dict[str, Sequence[int]] = {
    "own hand": range(1, 8),
    "own hand as shown": range(1, 6),
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
    "lead: camel token": range(2),
    "lead: rupees": (*range(-70, -20, 5), *range(-20, 20), *range(20, 75, 5)),
    "deck": (*range(1, 13), 14, 16, 18, 20, 24, 28, 32, 36),
    "round: empty piles": range(1, 4),
    "round: is running": range(1, 2),
    "round: started by self": range(1, 2),
    "own worth": _WORTHS,
    "other's worth": _WORTHS,
    "own worth with market": _WORTHS,
    "other's worth with market": _WORTHS,
}
"""By feature or by block of features, the steps of the thermometer; a feature that is not here is not seen."""


def thermometers() -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """For each input: which feature it looks at, and from which number on it is one; feature by feature."""
    columns, thresholds = [], []
    for column, (feature, scale) in enumerate(zip(FEATURES, SCALES, strict=True)):
        for step in _STEPS.get(feature, _STEPS.get(feature.partition(":")[0], ())):
            if step <= scale:
                columns.append(column)
                thresholds.append((step - 0.5) / scale)
    return np.array(columns, np.int16), np.array(thresholds, np.float32)


def through(library: Any, layers: Layers, numbers: Array) -> Array:  # noqa: ANN401
    """What the last of these layers says; the ones before it say nothing below zero."""
    *inner, (last, biases) = layers
    for weights, inner_biases in inner:
        numbers = library.maximum(numbers @ weights + inner_biases, 0)
    return numbers @ last + biases


def through_few(layers: Layers, units: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same with NumPy, without the units that say nothing of any row, which are more than half of a first layer."""
    (weights, biases), *others = layers
    heard = np.flatnonzero(units.max(0) > 0)
    first = weights.take(heard, 0), biases
    said: NDArray[np.float32] = through(np, (first, *others), units.take(heard, 1))
    return said


@dataclass(frozen=True, eq=False)
class Network:
    """A network that answers, with NumPy."""

    columns: NDArray[np.int16]
    thresholds: NDArray[np.float32]
    weights: Weights

    @classmethod
    def load(cls, file: Path) -> "Network":
        """Read a network; ValueError where the file holds none."""
        try:
            with file.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
                arrays = {name: kept[name] for name in kept.files}
            network = cls(
                arrays["columns"],
                arrays["thresholds"],
                Weights(
                    _unpacked(arrays, "first")[0],
                    _unpacked(arrays, "full"),
                    _unpacked(arrays, "quick"),
                ),
            )
            fits = network.weights.first[0].shape[0] == len(network.columns)
            fits &= int(network.columns.max()) < WIDTH
        except (OSError, EOFError, LookupError, TypeError, ValueError, BadZipFile) as wrong:
            raise ValueError(f"“{file}” holds no network.") from wrong
        if not fits:
            raise ValueError(f"“{file}” holds a network for other features than these.")
        return network

    def save(self, file: Path) -> None:
        """Write the network down, its weights in a byte each."""
        arrays: dict[str, NDArray[Any]] = {"columns": self.columns, "thresholds": self.thresholds}
        parts = {"first": (self.weights.first,), "full": self.weights.full}
        for part, layers in (parts | {"quick": self.weights.quick}).items():
            for number, (weights, biases) in enumerate(layers):
                scales = np.maximum(np.abs(weights).max(0), 1e-9) / 127
                arrays[f"{part}{number}.weights"] = np.rint(weights / scales).astype(np.int8)
                arrays[f"{part}{number}.scales"] = scales.astype(np.float32)
                arrays[f"{part}{number}.biases"] = np.asarray(biases, np.float32)
        write_arrays(file, arrays)

    def __call__(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """The answers to rows of features, a row each."""
        return through_few(self.weights.full, self._units(rows))

    def quickly(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """The quick head's chances to win, as logits."""
        quick = self.weights.quick
        return through_few(quick, self._units(rows)[:, : len(quick[0][0])])[:, WIN]

    def _units(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        weights, biases = self.weights.first
        steps = rows[:, self.columns] >= self.thresholds
        # Moves of one position leave most of the table the same, and that is added up only once.
        same = steps[0]
        varied = np.flatnonzero((steps != same).any(0))
        shared = same.astype(np.float32) @ weights + biases
        differing = steps[:, varied].astype(np.float32) - same[varied]
        units: NDArray[np.float32] = np.maximum(differing @ weights[varied] + shared, 0)
        return units


def write_arrays(file: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays down by their names; the file is whole or as it was."""
    packed = BytesIO()
    np.savez(packed, **arrays)  # type: ignore[arg-type]  # names, not flags
    write_whole(file, packed.getvalue())


def chances_of(logits: NDArray[Any]) -> NDArray[np.float64]:
    """The chances that logits stand for."""
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-logits.astype(np.float64)))
    return chances


def _unpacked(arrays: dict[str, NDArray[Any]], part: str) -> Layers:
    count = sum(name.startswith(part) and name.endswith(".biases") for name in arrays)
    return tuple(
        (
            arrays[f"{part}{number}.weights"] * arrays[f"{part}{number}.scales"],
            arrays[f"{part}{number}.biases"],
        )
        for number in range(count)
    )
