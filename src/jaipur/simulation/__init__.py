"""Vectorized batches of the rules, compiled for CPU and GPU. There is no second engine.

How it works: `compiler.py` rebinds the functions of `jaipur.rules` so that Numba can compile them; `kernels.py` has the
loops over a batch, written once; `devices.py` (CPU threads, plain Python) and `gpu.py` (CUDA, one thread per round) run
these loops; `batch.py` is the public interface. Compiling needs Numba (`pip install "jaipur[fast]"`); everything else
here, including `Batch(device="plain")`, runs without it.
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
