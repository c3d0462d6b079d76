"""Jaipur, the card game for two: the rules as a library, and what is built on them.

>>> import random, jaipur
>>> position = jaipur.new_round(jaipur.Deal.shuffled(random.Random(1)))
>>> position.play(position.legal_moves()[0])
"""

from jaipur.rules import (
    MOVE_LIMIT,
    Card,
    Deal,
    Game,
    Good,
    Herds,
    IllegalMove,
    Move,
    NotationError,
    Payment,
    Pile,
    Position,
    Reason,
    Result,
    Round,
    Rule,
    Rupees,
    Seat,
    Trader,
    View,
    WrongDeal,
    WrongRecord,
    deal_unseen,
    new_round,
)
from jaipur.rules.endings import Ending

__version__ = "0.1.0"

__all__ = [
    "MOVE_LIMIT", "Card", "Deal", "Ending", "Game", "Good", "Herds", "IllegalMove", "Move",
    "NotationError", "Payment", "Pile", "Position", "Reason", "Result", "Round", "Rule",
    "Rupees", "Seat", "Trader", "View", "WrongDeal", "WrongRecord", "deal_unseen", "new_round",
]  # fmt: skip
