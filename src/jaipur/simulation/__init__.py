"""Vectorized batches of rounds. The functions of `jaipur.rules` are compiled for CPU and GPU; no rule is written twice.

`compiler.py` rebinds the functions of `jaipur.rules` so that Numba can compile them. `kernels.py` has the loops over a
batch. `devices.py` (CPU threads, plain Python) and `gpu.py` (CUDA, one thread per round) run these loops. `batch.py` is
the public interface. Only the compilation needs Numba (`pip install "jaipur[fast]"`); `Batch(device="plain")` does not.
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
