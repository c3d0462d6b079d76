"""Gradient steps: they lower the loss, respect the input mask, and follow Adam."""

import jax
import jax.numpy as jnp
import msgspec
import numpy as np

from jaipur.players.neural.network import Weights
from jaipur.simulation.features import FEATURES
from jaipur.training import Config
from jaipur.training.loss import TrainingBatch, value_loss
from jaipur.training.model import to_network
from jaipur.training.self_play import SelfPlay
from jaipur.training.step import TrainState, apply_gradients, initial_state, train_epoch
from training.tiny import TINY, random_weights


def simple_batch(config: Config) -> TrainingBatch:
    """Real features with a target that one input decides."""
    weights = initial_state(config).weights
    batch, _ = SelfPlay(TINY.self_play, "cpu", 1).generate(weights, progress=0.0)
    return batch._replace(win=(batch.rows[:, 0] > 0).astype(jnp.float32))


def test_training_lowers_the_loss() -> None:
    config = Config(1, (16,), seed=1)
    state, batch = initial_state(config), simple_batch(config)
    before, _ = value_loss(state.weights, batch, TINY.learning)
    for number in range(20):
        state, _ = train_epoch(state, batch, jax.random.key(number), TINY, 1e-2)
    after, win_loss = value_loss(state.weights, batch, TINY.learning)
    assert after < before / 2
    assert win_loss < 0.2


def test_the_quick_head_is_trained_too() -> None:
    config = Config(1, (16, 8), (12, 4))
    state, batch = initial_state(config), simple_batch(config)
    for number in range(25):
        state, _ = train_epoch(state, batch, jax.random.key(number), TINY, 1e-2)
    logits = to_network(state.weights).quick_logits(np.asarray(batch.rows))
    assert ((logits > 0) == np.asarray(batch.win)).mean() > 0.97


def test_masked_inputs_keep_zero_weights() -> None:
    config = msgspec.structs.replace(TINY, features=("market", "own: herd"))
    state = initial_state(config)
    batch, _ = SelfPlay(config.self_play, "cpu", 1).generate(state.weights, progress=0.0)
    before = to_network(state.weights)
    state, _ = train_epoch(state, batch, jax.random.key(1), config, 1e-2)
    after = to_network(state.weights)
    used = [FEATURES[c].startswith(("market", "own: herd")) for c in after.columns]
    assert all(used)
    assert (after.weights.first[0] != before.weights.first[0]).any()


def test_updates_are_adam_and_the_average_is_a_warmed_up_moving_average() -> None:
    """Against the formula of version 0.1 in float64, with gradients small enough for epsilon to matter."""
    config, rate, rng = Config(1, (4, 3), (2, 2)), 1e-2, np.random.default_rng(1)
    state = initial_state(config, random_weights(config.layers, config.quick))
    weights = [np.asarray(leaf, np.float64) for leaf in jax.tree.leaves(state.weights)]
    average = [leaf.copy() for leaf in weights]
    mean, square = ([np.zeros_like(leaf) for leaf in weights] for _ in range(2))
    for step in range(1, 31):
        gradients = [rng.normal(0, 1e-6, leaf.shape) for leaf in weights]
        decay = min(config.learning.ema_decay, step / (step + 10))
        for i, gradient in enumerate(gradients):
            mean[i] = 0.9 * mean[i] + 0.1 * gradient
            square[i] = 0.999 * square[i] + 0.001 * gradient**2
            scale = rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            weights[i] -= scale * mean[i] / (np.sqrt(square[i]) + 1e-8)
            average[i] = decay * average[i] + (1 - decay) * weights[i]
        state = apply_gradients(state, as_tree(gradients, state), config, rate)
    for ours, expected in ((state.weights, weights), (state.average, average)):
        for leaf, wanted in zip(jax.tree.leaves(ours), expected, strict=True):
            np.testing.assert_allclose(leaf, wanted, atol=2e-6)


def as_tree(leaves: list[np.ndarray], state: TrainState) -> Weights:
    arrays = [jnp.asarray(leaf, jnp.float32) for leaf in leaves]
    tree: Weights = jax.tree.unflatten(jax.tree.structure(state.weights), arrays)
    return tree
