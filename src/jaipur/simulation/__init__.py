"""Vectorized batches of rounds. Numba compiles the functions of `jaipur.rules` for CPU and GPU: no rule is written
twice.

`batch.py` is the public interface. `kernels.py` has the loops over the entries of a batch. `devices.py` runs these
loops on the CPU, and `gpu.py` runs them on a GPU. `compiler.py` prepares the functions of the rules for Numba. Numba is
optional (`pip install "jaipur[fast]"`): `Batch(device="plain")` works without it.
"""

from jaipur.simulation.batch import Batch, Moves, Results
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.features import FEATURES, SCALES, WIDTH
from jaipur.simulation.layout import LAYOUT_VERSION, STATE_DTYPE

__all__ = [
    "FEATURES",
    "LAYOUT_VERSION",
    "SCALES",
    "STATE_DTYPE",
    "WIDTH",
    "Batch",
    "Moves",
    "Results",
    "SimulationError",
]
