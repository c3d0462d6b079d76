"""The ways a round can end. Positions store a number; views, results and records use a word."""

from typing import Literal

RUNNING, OUT_OF_GOODS, OUT_OF_CARDS, ABANDONED = range(4)

Ending = Literal["goods", "deck", "abandoned"]
ENDINGS: tuple[Ending | None, ...] = (None, "goods", "deck", "abandoned")
