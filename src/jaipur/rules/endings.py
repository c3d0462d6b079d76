"""The ways a round can end. Positions store the ending as a number. Views, results and records use a word."""

from typing import Literal

RUNNING, OUT_OF_GOODS, OUT_OF_CARDS, ABANDONED, STOPPED = range(5)

Ending = Literal["goods", "deck", "abandoned", "exchanges"]
ENDINGS: tuple[Ending | None, ...] = (None, "goods", "deck", "abandoned", "exchanges")
