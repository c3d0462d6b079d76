"""The places of the cards in the market, from left to right.

The rules know only which cards the market has. The table also stores their places, so that both players and all
spectators see the same order, even after a reload. A place is a letter, or a dot if the deck had no card for it.
"""

from jaipur.rules import Deal, Move, Position
from jaipur.rules.cards import CAMEL, CAMEL_MASK, LETTERS, letters_of
from jaipur.rules.moves import TAKE_CAMELS
from jaipur.rules.setup import CAMELS_LAID_OUT, HAND_DEALT, MARKET_DEALT

EMPTY = "."


def places_after_deal(deal: Deal) -> str:
    """Return the places at the start of a round: the three camels, then the two cards from the deck."""
    first = 2 * HAND_DEALT
    dealt = deal.pack[first : first + MARKET_DEALT]
    return LETTERS[CAMEL] * CAMELS_LAID_OUT + "".join(LETTERS[kind] for kind in dealt)


def places_after_move(places: str, before: Position, move: Move, after: Position) -> str:
    """Return the places after a move.

    Each taken card leaves the leftmost place of its kind. The given cards, then the cards from the deck, fill the free
    places from left to right.
    """
    if not move.taken:
        return places
    taken = before.market & CAMEL_MASK if move.code == TAKE_CAMELS else move.taken
    for letter in letters_of(taken):
        places = places.replace(letter, EMPTY, 1)
    drawn = before.deck[before.drawn : after.drawn]
    for letter in letters_of(move.given) + "".join(LETTERS[kind] for kind in drawn):
        places = places.replace(EMPTY, letter, 1)
    return places
