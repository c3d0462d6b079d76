"""Picking moves in tests of the lab."""

import numpy as np

from jaipur.simulation import Batch
from jaipur.simulation.layout import Array


def random_codes(batch: Batch, draws: np.random.Generator) -> Array:
    """One move a lane, each of its moves as likely as the others."""
    moves = batch.moves()
    codes: Array = moves.codes[moves.sample(draws.random(len(batch)))]
    return codes
