"""How a round ends: as a number in a position, as a word in views, results and records."""

from typing import Literal

RUNNING, OUT_OF_GOODS, OUT_OF_CARDS, ABANDONED = range(4)

Ending = Literal["goods", "deck", "abandoned"]
ENDINGS: tuple[Ending | None, ...] = (None, "goods", "deck", "abandoned")
