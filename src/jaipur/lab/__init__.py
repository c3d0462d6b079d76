"""The lab: the rulebook compiled, for whoever studies the game. Millions of moves a second with the very same rules.

`Batch` plays many rounds side by side on the CPU or a GPU. Nobody gets this or Numba without asking for it.
"""

try:
    import numba as numba
except ImportError as missing:
    raise ImportError(
        'The lab needs Numba: install it with pip install "jaipur[lab]".'
    ) from missing

from jaipur.compiled.batch import Batch, Moves, Results
from jaipur.compiled.errors import LabError
from jaipur.compiled.features import FEATURES, SCALES, WIDTH
from jaipur.compiled.layout import LANE, LAYOUT

__all__ = [
    "FEATURES",
    "LANE",
    "LAYOUT",
    "SCALES",
    "WIDTH",
    "Batch",
    "LabError",
    "Moves",
    "Results",
]
