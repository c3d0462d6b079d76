"""Random moves for tests of batches."""

import numpy as np

from jaipur.simulation import Batch
from jaipur.simulation.layout import Array


def random_codes(batch: Batch, rng: np.random.Generator) -> Array:
    """One uniformly random legal move per entry."""
    moves = batch.moves()
    codes: Array = moves.codes[moves.sample(rng.random(len(batch)))]
    return codes
