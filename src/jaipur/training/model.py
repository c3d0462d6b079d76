"""The network in JAX: its initial weights, its first layer, and the conversion to and from saved networks."""

from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from jaipur.players.neural.network import OUTPUTS, Layers, Network, Weights, thermometer_inputs
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.features import FEATURES
from jaipur.training.config import Config

COLUMNS, THRESHOLDS = thermometer_inputs()
INPUTS = -(-(len(COLUMNS) + 1) // 32) * 32
"""The number of inputs, including a constant input for the biases. It is rounded up to a multiple of 32 for the GPU."""


def initial_weights(config: Config) -> Weights:
    """Return random weights. The output layer is zero, so that every win probability is one half."""
    layers, quick = config.layers, config.quick
    rng = np.random.default_rng(config.seed)

    def stack(sizes: tuple[int, ...]) -> Layers:
        made = []
        for number, (width, height) in enumerate(pairwise(sizes), start=2):
            spread = 0.0 if number == len(sizes) else np.sqrt(2 / width)
            weights = rng.normal(0, 1, (width, height)) * spread
            made.append((jnp.asarray(weights, jnp.float32), jnp.zeros(height, jnp.float32)))
        return tuple(made)

    weights, biases = stack((len(COLUMNS), layers[0], 0))[0]
    first = (weights * input_mask(config)[:, None], biases)
    return Weights(first, stack((*layers, OUTPUTS)), stack((*quick, 1)) if quick else ())


def input_mask(config: Config) -> Array:
    """Return 1 for every input that the network reads, and 0 for the others.

    Raise `SimulationError` if the configuration names an unknown feature.
    """
    unknown = [name for name in config.features if not any(_matches(f, name) for f in FEATURES)]
    if unknown:
        raise SimulationError(f"There is no feature “{unknown[0]}”.")
    used = [
        not config.features or any(_matches(feature, name) for name in config.features)
        for feature in FEATURES
    ]
    return jnp.asarray(np.array(used, np.float32)[COLUMNS])


def _matches(feature: str, name: str) -> bool:
    return name in (feature, feature.partition(":")[0])


def encode(columns: Array, dtype: Any) -> Array:  # noqa: ANN401
    """Return the thermometer inputs, one row per input. `columns` contains the features, one column per position."""
    positions = columns.shape[1]
    parts = [
        # Encode one feature at a time. On a GPU, gathering all columns at once is slower than the whole network.
        (columns[column] >= THRESHOLDS[column == COLUMNS, None]).astype(dtype)
        for column in np.unique(COLUMNS)
    ]
    padding = jnp.zeros((INPUTS - len(COLUMNS) - 1, positions), dtype)
    return jnp.concatenate([*parts, jnp.ones((1, positions), dtype), padding])


def first_layer(weights: Weights, columns: Array, dtype: Any) -> Array:  # noqa: ANN401
    """Return the activations of the first layer, one row per position.

    `columns` contains the features, one column per position.
    """
    first, biases = weights.first
    padded = jnp.zeros((INPUTS, len(biases)), dtype)
    padded = padded.at[: len(first)].set(first.astype(dtype))
    # The biases are the weights of a constant input. Adding them later would take as long as the matrix product.
    padded = padded.at[len(first)].set(biases.astype(dtype))
    contracted = (((0,), (0,)), ((), ()))
    return jnp.maximum(jax.lax.dot_general(encode(columns, dtype), padded, contracted), 0)


def to_network(weights: Weights) -> Network:
    """Convert to a NumPy network, without the inputs whose weights are all zero."""
    weights = jax.tree.map(np.asarray, weights)
    first, biases = weights.first
    used = first.any(1)
    return Network(COLUMNS[used], THRESHOLDS[used], weights._replace(first=(first[used], biases)))


def from_network(network: Network) -> Weights:
    """Return the weights of a saved network, for further training. Inputs that it lacks get zero weights."""
    weights: Weights = jax.tree.map(jnp.asarray, network.weights)
    indices = {pair: number for number, pair in enumerate(zip(COLUMNS, THRESHOLDS, strict=True))}
    try:
        rows = [indices[pair] for pair in zip(network.columns, network.thresholds, strict=True)]
    except KeyError as error:
        raise ValueError("A network with unknown inputs cannot be trained further.") from error
    first, biases = weights.first
    padded = jnp.zeros((len(COLUMNS), len(biases))).at[np.array(rows)].set(first)
    return weights._replace(first=(padded, biases))
