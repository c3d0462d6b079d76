"""Vectorized batches of the rules: the functions of `jaipur.rules`, compiled for CPU and GPU.

`Batch` plays many rounds in parallel. Compiling needs Numba (`pip install "jaipur[fast]"`); everything else here,
including `Batch(device="plain")`, runs without it.
"""

from jaipur.simulation.batch import Batch, Moves, Results
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.features import FEATURES, SCALES, WIDTH
from jaipur.simulation.layout import LANE, LAYOUT

__all__ = [
    "FEATURES",
    "LANE",
    "LAYOUT",
    "SCALES",
    "WIDTH",
    "Batch",
    "Moves",
    "Results",
    "SimulationError",
]
