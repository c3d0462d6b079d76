"""The lab: the rulebook compiled, for whoever studies the game. Millions of moves a second with the very same rules.

`Batch` plays many rounds side by side on the CPU or a GPU. Nobody gets this or Numba without asking for it.
"""

try:
    import numba as numba
except ImportError as missing:
    raise ImportError(
        'The lab needs Numba: install it with pip install "jaipur[lab]".'
    ) from missing

from jaipur.lab.batch import Batch, Moves, Results
from jaipur.lab.errors import LabError
from jaipur.lab.layout import LANE, LAYOUT
from jaipur.players.features import FEATURES, SCALES, WIDTH

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
