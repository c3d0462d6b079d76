"""A small feed-forward network that evaluates afterstates: its inputs, its forward pass with NumPy, its file format.

The inputs are thermometer-encoded: a feature becomes several inputs, and an input is 1 if the feature reaches the
threshold of the input. Two heads share the first layer. The full head gives all outputs. The quick head, which is
optional, gives only the win logit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from jaipur.notation.files import write_whole
from jaipur.simulation.features import FEATURES, SCALES, WIDTH

Array = Any
"""A NumPy or JAX array."""
Layers = Sequence[tuple[Array, Array]]
"""The weights and biases of each layer. The layer next to the inputs comes first."""
Outputs = NDArray[np.float32]
"""The outputs of a network, one row per input row.

The columns are `WIN`, `LEAD` and, from `HIDDEN` on, one per good.
"""

NETWORKS = Path(__file__).parent / "networks"
"""The folder of the networks that are part of the package."""

WIN, LEAD, HIDDEN = 0, 1, 2
"""The output columns: the logit of winning the round, the scaled final lead, and the first of the six columns with the
expected number of the opponent's hidden cards of each good."""
OUTPUTS = 8  # the number of output columns
LEAD_SCALE = 20.0
"""Rupees per unit of the lead output."""

_WORTH_STEPS = (1, 3, 5, 7, 9, 11, 13, 15, 18, 21, 25)
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
    "own worth": _WORTH_STEPS,
    "other's worth": _WORTH_STEPS,
    "own worth with market": _WORTH_STEPS,
    "other's worth with market": _WORTH_STEPS,
}
"""The thresholds of the inputs, by feature or by block of features. Features that are missing here have no inputs."""


class Weights(NamedTuple):
    """The parameters of a network."""

    first: tuple[Array, Array]
    full: Layers
    quick: Layers
    """The layers of the quick head, or an empty sequence.

    The quick head reads only the first units of the first layer.
    """


def thermometer_inputs() -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """Return the feature column and the threshold of each input. The inputs of a feature are consecutive."""
    columns, thresholds = [], []
    for column, (feature, scale) in enumerate(zip(FEATURES, SCALES, strict=True)):
        for step in _STEPS.get(feature, _STEPS.get(feature.partition(":")[0], ())):
            if step <= scale:
                columns.append(column)
                thresholds.append((step - 0.5) / scale)
    return np.array(columns, np.int16), np.array(thresholds, np.float32)


def feed_forward(library: Any, layers: Layers, units: Array) -> Array:  # noqa: ANN401
    """Apply the layers, with ReLU after each layer except the last. `library` is NumPy or jax.numpy."""
    *inner, (last, biases) = layers
    for weights, inner_biases in inner:
        units = library.maximum(units @ weights + inner_biases, 0)
    return units @ last + biases


def feed_forward_active(layers: Layers, units: NDArray[np.float32]) -> Outputs:
    """Like `feed_forward` with NumPy, but skip units that are zero in all rows. Usually they are more than half."""
    (weights, biases), *others = layers
    active = np.flatnonzero(units.max(0) > 0)
    first = weights.take(active, 0), biases
    outputs: Outputs = feed_forward(np, (first, *others), units.take(active, 1))
    return outputs


@dataclass(frozen=True, eq=False)
class Network:
    """A network for inference with NumPy."""

    columns: NDArray[np.int16]
    thresholds: NDArray[np.float32]
    weights: Weights

    @classmethod
    def load(cls, file: Path) -> "Network":
        """Read a network. Raise `ValueError` if the file contains no network, or a network for other features."""
        try:
            with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
            network = cls(
                arrays["columns"],
                arrays["thresholds"],
                Weights(
                    _dequantized(arrays, "first")[0],
                    _dequantized(arrays, "full"),
                    _dequantized(arrays, "quick"),
                ),
            )
            fits = network.weights.first[0].shape[0] == len(network.columns)
            fits &= int(network.columns.max()) < WIDTH
        except (OSError, EOFError, LookupError, TypeError, ValueError, BadZipFile) as error:
            raise ValueError(f"“{file}” holds no network.") from error
        if not fits:
            raise ValueError(f"“{file}” holds a network for different features.")
        return network

    def save(self, file: Path) -> None:
        """Write the network. The weights are quantized to 8 bits, with one scale per unit."""
        arrays: dict[str, NDArray[Any]] = {"columns": self.columns, "thresholds": self.thresholds}
        parts = {"first": (self.weights.first,), "full": self.weights.full}
        for part, layers in (parts | {"quick": self.weights.quick}).items():
            for number, (weights, biases) in enumerate(layers):
                scales = np.maximum(np.abs(weights).max(0), 1e-9) / 127
                arrays[f"{part}{number}.weights"] = np.rint(weights / scales).astype(np.int8)
                arrays[f"{part}{number}.scales"] = scales.astype(np.float32)
                arrays[f"{part}{number}.biases"] = np.asarray(biases, np.float32)
        write_arrays(file, arrays)

    def __call__(self, features: NDArray[np.float32]) -> Outputs:
        """Return the outputs of the full head, one row per row of features."""
        return feed_forward_active(self.weights.full, self._first_layer(features))

    def quick_logits(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the win logits of the quick head."""
        quick = self.weights.quick
        units = self._first_layer(features)[:, : len(quick[0][0])]
        return feed_forward_active(quick, units)[:, WIN]

    def _first_layer(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        weights, biases = self.weights.first
        inputs = features[:, self.columns] >= self.thresholds
        # The afterstates of one position have most inputs in common. Multiply the inputs of the first row, then
        # multiply only the differences of each row.
        base = inputs[0]
        varied = np.flatnonzero((inputs != base).any(0))
        shared = base.astype(np.float32) @ weights + biases
        differences = inputs[:, varied].astype(np.float32) - base[varied]
        units: NDArray[np.float32] = np.maximum(differences @ weights[varied] + shared, 0)
        return units


@cache
def bundled_network(name: str) -> Network:
    """Load a network that is part of the package: `maharaja` or `baseline`."""
    return Network.load(NETWORKS / f"{name}.npz")


def write_arrays(file: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write named arrays to a file atomically."""
    packed = BytesIO()
    np.savez(packed, **arrays)  # type: ignore[arg-type]  # the keywords are array names
    write_whole(file, packed.getvalue())


def sigmoid(logits: NDArray[Any]) -> NDArray[np.float64]:
    probabilities: NDArray[np.float64] = 1 / (1 + np.exp(-logits.astype(np.float64)))
    return probabilities


def _dequantized(arrays: dict[str, NDArray[Any]], part: str) -> Layers:
    count = sum(name.startswith(part) and name.endswith(".biases") for name in arrays)
    return tuple(
        (
            arrays[f"{part}{number}.weights"] * arrays[f"{part}{number}.scales"],
            arrays[f"{part}{number}.biases"],
        )
        for number in range(count)
    )
