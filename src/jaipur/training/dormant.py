"""Resets dormant units, and enlarges a network.

A ReLU unit that is zero for every input is dormant: it gets no gradient and stays zero. High learning rates cause many
dormant units. A unit that is active only in one phase of a round can look dormant if all environments are in another
phase. Therefore a unit must be dormant in many consecutive iterations before it is re-initialised.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
import optax

from jaipur.players.neural.network import Array, Layers, Weights
from jaipur.training.config import Config
from jaipur.training.loss import TrainingBatch
from jaipur.training.model import first_layer, initial_weights
from jaipur.training.step import TrainState

SAMPLE = 65536
"""About this many rows of a training batch are examined."""


class UnitMask(NamedTuple):
    """A selection of units, one boolean array per layer."""

    first: Array
    full: list[Array]
    quick: list[Array]


class DormantReset:
    """Re-initialises units that were dormant in `learning.dormant_reset` consecutive iterations."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._iterations = 0
        self._dormant: UnitMask | None = None

    def after(self, batch: TrainingBatch, state: TrainState) -> tuple[TrainState, int | None]:
        """Examine a training batch. Return the new state and the number of units that were reset.

        If no reset is due, return the same state and None.
        """
        every = self._config.learning.dormant_reset
        if not every:
            return state, None
        rows = batch.rows[:: max(1, len(batch.rows) // SAMPLE)]
        dormant = find_dormant(state.weights, rows)
        if self._dormant is not None:
            dormant = jax.tree.map(jnp.logical_and, dormant, self._dormant)
        self._iterations += 1
        if self._iterations % every:
            self._dormant = dormant
            return state, None
        self._dormant = None
        count = sum(int(units.sum()) for units in jax.tree.leaves(dormant))
        return reset_units(state, dormant, self._config), count


def reset_units(state: TrainState, units: UnitMask, config: Config) -> TrainState:
    """Re-initialise units. Their outgoing weights and their moments in the optimiser become zero.

    This does not change the outputs of the network. It slightly changes the outputs of the averaged network if a unit
    was active recently.
    """
    adam = state.optimizer
    fresh = initial_weights(msgspec.structs.replace(config, seed=config.seed + int(adam.count)))
    zeros = jax.tree.map(jnp.zeros_like, fresh)
    return TrainState(
        weights=_replace_units(state.weights, fresh, units),
        average=_replace_units(state.average, fresh, units),
        optimizer=optax.ScaleByAdamState(
            adam.count,
            mu=_replace_units(adam.mu, zeros, units),
            nu=_replace_units(adam.nu, zeros, units),
        ),
    )


def grow(weights: Weights, config: Config) -> Weights:
    """Enlarge a network to the layers of a configuration without changing its outputs.

    Missing units get initial weights. A missing layer that is as wide as the layer below becomes the identity. A quick
    head of another shape is replaced. Raise `ValueError` if the network is larger than the configuration allows.
    """
    fresh = initial_weights(config)
    if jax.tree.map(np.shape, weights.quick) != jax.tree.map(np.shape, fresh.quick):
        weights = weights._replace(quick=fresh.quick)
    weights = weights._replace(full=_with_identity_layers(weights.full, fresh.full))

    def missing(layers: Layers, wider: Layers) -> list[Array]:
        return [
            jnp.arange(len(new)) >= len(old)
            for (_, old), (_, new) in zip(layers, wider, strict=True)
        ]

    units = UnitMask(
        missing([weights.first], [fresh.first])[0],
        missing(weights.full, fresh.full),
        missing(weights.quick, fresh.quick),
    )
    return _replace_units(jax.tree.map(_padded, weights, fresh), fresh, units)


def _with_identity_layers(layers: Layers, target: Layers) -> Layers:
    result = list(layers)
    for place, (weights, biases) in enumerate(target):
        if len(result) < len(target) and len(weights) == len(biases):
            result.insert(place, (jnp.eye(len(biases)), jnp.zeros_like(biases)))
    return tuple(result)


def _padded(numbers: Array, wider: Array) -> Array:
    missing = np.subtract(wider.shape, numbers.shape)
    return jnp.pad(numbers, [(0, count) for count in missing])


@jax.jit
def find_dormant(weights: Weights, rows: Array) -> UnitMask:
    """Find the units that are zero for all of these rows."""

    def in_head(layers: Layers) -> list[Array]:
        if not layers:
            return []
        values, dormant = activations[:, : len(layers[0][0])], []
        *inner, (_, output_biases) = layers
        for weights, biases in inner:
            values = jnp.maximum(values @ weights + biases, 0)
            dormant.append(~values.any(0))
        return [*dormant, jnp.zeros(len(output_biases), bool)]

    activations = first_layer(weights, rows.T, jnp.float32)
    return UnitMask(~activations.any(0), in_head(weights.full), in_head(weights.quick))


def _replace_units(weights: Weights, fresh: Weights, units: UnitMask) -> Weights:
    """Give units new random incoming weights and zero outgoing weights."""

    def head(layers: Layers, fresh: Layers, selected: list[Array]) -> Layers:
        result, below = [], units.first
        for layer, new, here in zip(layers, fresh, selected, strict=True):
            inner, biases = replace(here, new, layer)
            result.append((jnp.where(below[: len(inner), None], 0, inner), biases))
            below = here
        return tuple(result)

    def replace(here: Array, new: tuple[Array, Array], old: tuple[Array, Array]) -> Any:  # noqa: ANN401
        return tuple(jnp.where(here, *both) for both in zip(new, old, strict=True))

    return Weights(
        replace(units.first, fresh.first, weights.first),
        head(weights.full, fresh.full, units.full),
        head(weights.quick, fresh.quick, units.quick),
    )
