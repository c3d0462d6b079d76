"""A turn: the move, the refill of the market, the tokens, and the end of the round.

These functions do not check the rules. Call `carry_out` only with legal moves. `Position.play` checks the move first.
"""

from typing import TYPE_CHECKING

from .cards import CAMEL_MASK, CAMEL_SHIFT, DECK_SIZE, GOODS_MASK, PileCode, Seat
from .endings import ABANDONED, OUT_OF_CARDS, OUT_OF_GOODS
from .moves import GIVEN_FLAGS, TAKE_CAMELS, MoveCode
from .tokens import (
    BONUS_PILES,
    BONUS_ROW,
    BONUS_SIZES,
    EMPTY_PILES_THAT_END,
    LARGEST_BONUS_SALE,
    PILE_SIZES,
    SMALLEST_BONUS_SALE,
    tokens_paid,
)

if TYPE_CHECKING:
    from .position import Position

MOVE_LIMIT = 500
"""Simulations end a round as a draw after this many moves. Live games have another limit (`game.EXCHANGE_LIMIT`)."""


def carry_out(position: "Position", code: MoveCode) -> None:
    """Carry out a legal move. First move cards and goods tokens, then refill the market or take a bonus token."""
    seat = position.turn
    owed = trade(position, code)
    if owed > 0:
        refill(position, owed)
    elif owed < 0:
        take_bonus(position, seat, owed + BONUS_PILES)
    position.turn = 1 - seat
    position.moves_played += 1


def trade(position: "Position", code: MoveCode) -> int:
    """Carry out the part of a move that reveals no hidden information: move cards and goods tokens.

    If the result is positive, it is the number of market places to refill. If the result is negative, the trader gets a
    bonus token from the pile with the index `BONUS_PILES + result`.
    """
    seat = position.turn
    flags = code & GIVEN_FLAGS
    given = code & (flags - (flags >> 3))
    taken = code - flags - given
    if code == TAKE_CAMELS:
        camels = position.market & CAMEL_MASK
        position.market -= camels
        position.holdings[seat] += camels
        return camels >> CAMEL_SHIFT
    if taken == 0:
        return sell(position, seat, given)
    position.market += given - taken
    position.holdings[seat] += taken - given
    position.shown[seat] = less(position.shown[seat], given & GOODS_MASK) + taken
    return 0 if given else 1


def refill(position: "Position", places: int) -> None:
    """Fill empty places of the market from the deck. The round ends if the deck has too few cards."""
    for _ in range(places):
        if position.drawn == DECK_SIZE:
            position.ended = OUT_OF_CARDS
            return
        position.market += 1 << 4 * position.deck[position.drawn]
        position.drawn += 1


def sell(position: "Position", seat: Seat, given: PileCode) -> int:
    """Discard the cards and take their goods tokens. The third empty pile of goods tokens ends the round.

    Return 0, or the negative number that `trade` returns if the trader gets a bonus token.
    """
    good = 0
    while given >> 4 * good > 15:
        good += 1
    cards = given >> 4 * good
    position.holdings[seat] -= given
    position.shown[seat] = less(position.shown[seat], given)
    position.discard += given
    position.discard_top = good
    before = position.tokens_taken[good]
    after = min(before + cards, PILE_SIZES[good])
    position.tokens_taken[good] = after
    position.goods_tokens[seat] += after - before << 4 * good
    position.rupees[seat] += tokens_paid(good, before, cards)
    if after == PILE_SIZES[good] and empty_piles(position) >= EMPTY_PILES_THAT_END:
        position.ended = OUT_OF_GOODS
    if cards < SMALLEST_BONUS_SALE:
        return 0
    return min(cards, LARGEST_BONUS_SALE) - SMALLEST_BONUS_SALE - BONUS_PILES


def take_bonus(position: "Position", seat: Seat, pile: int) -> None:
    """Take the top token of a bonus pile, if one is left."""
    taken = position.bonus_taken[pile]
    if taken < BONUS_SIZES[pile]:
        position.bonus_taken[pile] = taken + 1
        position.bonuses[seat] += 1 << 4 * position.bonus[BONUS_ROW * pile + taken]


def empty_piles(position: "Position") -> int:
    """Return the number of goods that have no tokens left."""
    empty = 0
    for good in range(6):
        if position.tokens_taken[good] == PILE_SIZES[good]:
            empty += 1
    return empty


def less(pile: PileCode, other: PileCode) -> PileCode:
    """Return `pile` without the cards of `other`, for piles of goods.

    Cards of `other` that `pile` lacks are ignored.
    """
    if pile == 0 or other == 0:
        return pile
    # Set the bit of value 8 in every digit, then subtract. If the bit is still set, the digit is not negative.
    left = (pile | 0x888888) - other
    enough = left & 0x888888
    return left & (enough - (enough >> 3))


def abandon(position: "Position") -> None:
    """End the round as a draw."""
    position.ended = ABANDONED
