"""The rulebook of Jaipur in plain Python, standard library only.

`Deal` holds all randomness of a round, `new_round` sets it up, a `Position` lists and plays moves, a `View` is what one
seat knows, and a `Game` is a series of rounds until two seals.
"""

from .cards import (
    CAMEL,
    LETTERS,
    Card,
    Good,
    Kind,
    Pile,
    PileCode,
    Rupees,
    Seat,
    cards_in,
    count,
    letters_of,
    parse_cards,
    pile_of,
)
from .endings import Ending
from .errors import IllegalMove, Reason, Rule, WrongDeal
from .game import Game, Round
from .input_errors import NotationError, WrongRecord
from .moves import Move, MoveCode, conceivable_moves
from .position import Position
from .scoring import Result
from .setup import Deal, new_round
from .turn import MOVE_LIMIT
from .unseen import deal_unseen
from .view import Herds, Payment, Trader, View

__all__ = [
    "CAMEL", "LETTERS", "MOVE_LIMIT", "Card", "Deal", "Ending", "Game", "Good", "Herds",
    "IllegalMove", "Kind", "Move", "MoveCode", "NotationError", "Payment", "Pile", "PileCode",
    "Position", "Reason", "Result", "Round", "Rule", "Rupees", "Seat", "Trader", "View",
    "WrongDeal", "WrongRecord", "cards_in", "conceivable_moves", "count", "deal_unseen",
    "letters_of", "new_round", "parse_cards", "pile_of",
]  # fmt: skip
