"""The rulebook: Jaipur's rules as plain functions on small numbers, standard library only.

`Deal` is all the chance of a round, `new_round` lays it out, `legal_moves`, `why_not` and `play` are a turn, `Game` is
rounds until two seals, and `view_of` is what one seat may know.
"""

from jaipur.rules.cards import (
    CAMEL,
    CLOTH,
    DIAMONDS,
    GOLD,
    LEATHER,
    LETTERS,
    NAMES,
    SILVER,
    SPICE,
    Kind,
    Pile,
    Rupees,
    Seat,
    cards_in,
    count,
    letters_of,
    pile_of,
)
from jaipur.rules.drawing import draw, draw_view
from jaipur.rules.errors import IllegalMove, Reason, Rule, WrongDeal
from jaipur.rules.events import Event, events_of
from jaipur.rules.game import Game, Round
from jaipur.rules.legality import why_not
from jaipur.rules.listing import legal_moves
from jaipur.rules.moves import Move, conceivable_moves, exchange, sale, take, take_camels
from jaipur.rules.position import Position
from jaipur.rules.scoring import Result, result_of
from jaipur.rules.setup import Deal, new_round
from jaipur.rules.turn import MOVE_LIMIT, play
from jaipur.rules.view import Herds, Trader, View, deal_unseen, view_of

__all__ = [
    "CAMEL",
    "CLOTH",
    "DIAMONDS",
    "GOLD",
    "LEATHER",
    "LETTERS",
    "MOVE_LIMIT",
    "NAMES",
    "SILVER",
    "SPICE",
    "Deal",
    "Event",
    "Game",
    "Herds",
    "IllegalMove",
    "Kind",
    "Move",
    "Pile",
    "Position",
    "Reason",
    "Result",
    "Round",
    "Rule",
    "Rupees",
    "Seat",
    "Trader",
    "View",
    "WrongDeal",
    "cards_in",
    "conceivable_moves",
    "count",
    "deal_unseen",
    "draw",
    "draw_view",
    "events_of",
    "exchange",
    "legal_moves",
    "letters_of",
    "new_round",
    "pile_of",
    "play",
    "result_of",
    "sale",
    "take",
    "take_camels",
    "view_of",
    "why_not",
]
