"""The rulebook of Jaipur in plain Python, standard library only.

A `Deal` holds all randomness of a round. `new_round` turns a deal into a `Position`. The position lists and plays
moves. A `View` is what one seat knows. A `Game` is a series of rounds that ends when a trader has two seals.
"""

from .cards import Card, Good, Pile, Rupees, Seat
from .endings import Ending
from .errors import IllegalMove, Reason, Rule, WrongDeal
from .game import Game, Round
from .input_errors import NotationError, WrongRecord
from .moves import Move
from .position import Position
from .scoring import Result
from .setup import Deal, new_round
from .turn import MOVE_LIMIT
from .unseen import deal_unseen
from .view import Herds, Payment, Trader, View

__all__ = [
    "MOVE_LIMIT", "Card", "Deal", "Ending", "Game", "Good", "Herds", "IllegalMove", "Move",
    "NotationError", "Payment", "Pile", "Position", "Reason", "Result", "Round", "Rule",
    "Rupees", "Seat", "Trader", "View", "WrongDeal", "WrongRecord", "deal_unseen", "new_round",
]  # fmt: skip
