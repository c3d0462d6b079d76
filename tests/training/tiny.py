"""A small training configuration, and networks with random weights."""

import jax
import numpy as np

from jaipur.players.neural.network import Weights
from jaipur.training import Config
from jaipur.training.config import LearningConfig, SelfPlayConfig
from jaipur.training.model import initial_weights

TINY = Config(
    rounds=150,
    layers=(16, 8),
    gate_every=50,
    gate_pairs=4,
    self_play=SelfPlayConfig(environments=32, steps=12),
    learning=LearningConfig(batch=64, dormant_reset=4),
)


def random_weights(layers: tuple[int, ...], quick: tuple[int, ...] = ()) -> Weights:
    """Weights without the zero output layer of `initial_weights`."""
    rng = np.random.default_rng(4)
    weights: Weights = jax.tree.map(
        lambda numbers: numbers + rng.normal(0, 0.1, numbers.shape).astype(np.float32),
        initial_weights(Config(1, layers, quick)),
    )
    return weights
