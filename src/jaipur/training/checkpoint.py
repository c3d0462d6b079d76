"""Checkpoints: the file `state.npz` contains the train state and the progress of a training.

The file contains numbered arrays in this order: the weights, the average of the weights, the first and second moments
of Adam, the step count of Adam. It also contains the progress as JSON. Each save replaces the file atomically.
"""

from pathlib import Path
from typing import Any

import jax
import msgspec
import numpy as np
import optax

from jaipur.players.neural.network import write_arrays
from jaipur.training.step import TrainState


class Progress(msgspec.Struct):
    rounds: int = 0
    iterations: int = msgspec.field(default=0, name="lessons")
    seconds: float = 0.0
    gated: int = 0
    """The number of rounds at the time of the last gating match."""
    share: float = 0.5
    """A network must win this share of the rounds to become the best network. Against a rival, the share increases."""


def save_checkpoint(file: Path, state: TrainState, progress: Progress) -> None:
    adam = state.optimizer
    stored = (state.weights, state.average, adam.mu, adam.nu, adam.count)
    arrays = {str(n): np.asarray(leaf) for n, leaf in enumerate(jax.tree.leaves(stored))}
    arrays["progress"] = np.array(msgspec.json.encode(progress))
    write_arrays(file, arrays)


def load_checkpoint(file: Path, like: TrainState) -> tuple[TrainState, Progress]:
    """Load a checkpoint. The arrays of its state must have the same shapes as those of `like`."""
    adam = like.optimizer
    structure: Any = jax.tree.structure((like.weights, like.average, adam.mu, adam.nu, adam.count))
    with np.load(file, allow_pickle=False) as stored:
        progress = msgspec.json.decode(stored["progress"].item(), type=Progress)
        leaves = [jax.numpy.asarray(stored[str(n)]) for n in range(structure.num_leaves)]
    weights, average, mu, nu, count = jax.tree.unflatten(structure, leaves)
    return TrainState(weights, average, optax.ScaleByAdamState(count, mu, nu)), progress
