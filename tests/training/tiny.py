"""A training small enough for a test, and a network that has not learnt but has something to say."""

import jax
import numpy as np

from jaipur.players.neural.network import Weights
from jaipur.training import Config
from jaipur.training.config import Learning, Playing
from jaipur.training.learner import begin

TINY = Config(
    rounds=150,
    layers=(16, 8),
    gate_every=50,
    gate_pairs=4,
    playing=Playing(lanes=32, steps=12),
    learning=Learning(batch=64, revive=4),
)


def shaken(layers: tuple[int, ...], quick: tuple[int, ...] = ()) -> Weights:
    """A network with something to say."""
    rng = np.random.default_rng(4)
    shaken: Weights = jax.tree.map(
        lambda numbers: numbers + rng.normal(0, 0.1, numbers.shape).astype(np.float32),
        begin(Config(1, layers, quick)).weights,
    )
    return shaken
