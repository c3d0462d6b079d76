"""Dormant-unit reset and growing: outputs do not change, and the new units are trainable."""

import jax.numpy as jnp
import numpy as np
import pytest

from jaipur.simulation import Batch
from jaipur.simulation.features import WIDTH
from jaipur.training import Config
from jaipur.training.config import LearningConfig
from jaipur.training.dormant import DormantReset, find_dormant, grow, reset_units
from jaipur.training.loss import TrainingBatch
from jaipur.training.model import COLUMNS, THRESHOLDS, to_network
from jaipur.training.step import initial_state
from training.tiny import random_weights


def test_a_reset_re_initialises_dormant_units_and_keeps_the_outputs() -> None:
    config = Config(1, (12, 6, 4), (8, 4))
    rows = jnp.asarray(Batch(16).afterstate_features())
    first, biases = random_weights(config.layers, config.quick).first
    weights = random_weights(config.layers, config.quick)._replace(
        first=(first, biases.at[jnp.array([0, 3, 9])].set(-100.0))
    )
    (inner, inner_biases), *others = weights.full
    weights = weights._replace(full=((inner, inner_biases.at[2].set(-100.0)), *others))
    state = initial_state(config, weights)
    state = state._replace(optimizer=state.optimizer._replace(mu=weights, nu=weights))
    after = reset_units(state, find_dormant(state.weights, rows), config)
    old, new = to_network(state.weights), to_network(after.weights)
    features = np.asarray(rows)
    assert new(features) == pytest.approx(old(features), abs=1e-5)
    assert new.quick_logits(features) == pytest.approx(old.quick_logits(features), abs=1e-5)
    assert not after.optimizer.mu.first[0][:, 3].any()
    assert (after.weights.full[0][0][3] == 0).all()
    assert not find_dormant(after.weights, rows).first[jnp.array([0, 3, 9])].all()
    assert (after.weights.first[0][:, 1] == state.weights.first[0][:, 1]).all()


def test_only_units_that_are_dormant_in_every_iteration_are_reset() -> None:
    config = Config(1, (2, 2), learning=LearningConfig(dormant_reset=2))
    column, threshold = int(COLUMNS[0]), float(THRESHOLDS[0])
    weights = initial_state(config).weights
    # The first unit is active where the first input is, the second one never.
    first = jnp.zeros_like(weights.first[0]).at[0, 0].set(1.0)
    state = initial_state(config, weights._replace(first=(first, jnp.zeros(2))))
    rows = jnp.zeros((4, WIDTH))
    active, inactive = (
        TrainingBatch(rows.at[:, column].set(value), *[jnp.zeros(4)] * 4)
        for value in (threshold, -1.0)
    )
    reset = DormantReset(config)
    for batches in ((active, inactive), (inactive, active)):
        assert reset.after(batches[0], state) == (state, None)
        after, count = reset.after(batches[1], state)
        assert (after.weights.first[0] != first).any(0).tolist() == [False, True]
        assert count
    reset.after(inactive, state)
    after, _ = reset.after(inactive, state)
    assert (after.weights.first[0] != first).any(0).all()


def test_growing_keeps_the_outputs() -> None:
    narrow = random_weights((16, 8), (8, 4))
    rows = np.random.default_rng(1).random((40, WIDTH), np.float32)
    wide = grow(narrow, Config(1, (24, 12), (8, 4)))
    before, after = to_network(narrow), to_network(wide)
    assert after(rows) == pytest.approx(before(rows), abs=1e-5)
    assert after.quick_logits(rows) == pytest.approx(before.quick_logits(rows), abs=1e-5)
    # New units are active but have zero outgoing weights.
    assert not find_dormant(wide, jnp.asarray(rows)).first[16:].all()
    assert not wide.full[0][0][16:].any()
    assert not wide.full[1][0][8:].any()


def test_a_new_layer_starts_as_the_identity_and_a_new_quick_head_at_zero() -> None:
    narrow = random_weights((16, 8), (8, 4))
    rows = np.random.default_rng(1).random((40, WIDTH), np.float32)
    before = to_network(narrow)
    deep = to_network(grow(narrow, Config(1, (24, 12, 12), (8, 4))))
    assert len(deep.weights.full) == len(before.weights.full) + 1
    assert deep(rows) == pytest.approx(before(rows), abs=1e-5)
    assert not to_network(grow(narrow, Config(1, (24, 12), (6, 3)))).quick_logits(rows).any()
