"""The train state and its update: Adam steps for a training batch, and a moving average of the weights."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from jaipur.players.neural.network import Array, Weights
from jaipur.training.config import Config
from jaipur.training.loss import PairedBatch, TrainingBatch, total_loss
from jaipur.training.model import initial_weights, input_mask

B1, B2, EPSILON = 0.9, 0.999, 1e-8


def adam(step: Array) -> optax.GradientTransformation:
    """Return an Adam optimiser that adds epsilon before the bias correction (ε̂ in section 2 of Kingma and Ba, 2015).

    optax adds epsilon after the correction. The difference matters only in the first steps. There ε̂ has a larger
    effect, and many gradients are tiny.
    """
    return optax.scale_by_adam(B1, B2, EPSILON / jnp.sqrt(1 - B2**step))


class TrainState(NamedTuple):
    """Everything that training updates."""

    weights: Weights
    average: Weights
    """The exponential moving average of the weights. The average is the network that plays matches and is saved."""
    optimizer: optax.ScaleByAdamState


def initial_state(config: Config, weights: Weights | None = None) -> TrainState:
    """Return the state before the first step. If `weights` is None, the weights are random."""
    weights = initial_weights(config) if weights is None else weights
    return TrainState(weights, weights, adam(1).init(weights))


@partial(jax.jit, static_argnums=3)
def train_epoch(
    state: TrainState,
    batch: TrainingBatch,
    key: Array,
    config: Config,
    rate: Array,
    paired: PairedBatch | None = None,
) -> tuple[TrainState, Array]:
    """Make one pass over a training batch in random minibatches.

    Every minibatch is combined with a part of the paired batch. Return the new state and the mean loss of the win
    probability.
    """
    rows = batch.win.shape[0]
    size = min(config.learning.batch, rows)
    order = jax.random.permutation(key, rows)[: rows // size * size].reshape(-1, size)

    def one(
        state: TrainState, minibatch: tuple[Array, PairedBatch | None]
    ) -> tuple[TrainState, Array]:
        indices, paired = minibatch
        part = TrainingBatch(*(numbers[indices] for numbers in batch))
        gradients, win_loss = jax.grad(total_loss, has_aux=True)(
            state.weights, part, paired, config
        )
        return apply_gradients(state, gradients, config, rate), win_loss

    state, win_losses = jax.lax.scan(one, state, (order, _split(paired, len(order))))
    return state, win_losses.mean()


def apply_gradients(
    state: TrainState, gradients: Weights, config: Config, rate: Array
) -> TrainState:
    """Make one optimiser step. Inputs that the network must not read get no update."""
    matrix, biases = gradients.first
    gradients = gradients._replace(first=(matrix * input_mask(config)[:, None], biases))
    step = state.optimizer.count + 1
    directions, optimizer = adam(step).update(gradients, state.optimizer)
    updates = jax.tree.map(lambda direction: -rate * direction, directions)
    weights = optax.apply_updates(state.weights, updates)
    # At first the average covers few steps, so that the random initial weights have little influence.
    decay = jnp.minimum(config.learning.ema_decay, step / (step + 10))
    average = optax.incremental_update(weights, state.average, 1 - decay)
    return TrainState(weights, average, optimizer)


def _split(paired: PairedBatch | None, parts: int) -> PairedBatch | None:
    """Split a paired batch into parts of equal size. The last part is filled up with rows from the beginning."""
    if paired is None:
        return None
    positions = len(paired.win)
    size = -(-positions // parts)
    indices = np.arange(parts * size).reshape(parts, size) % positions
    return PairedBatch(*(numbers[indices] for numbers in paired))
