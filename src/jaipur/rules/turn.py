"""A turn: carrying a move out on a position, with the refill, the tokens and the end of the round.

`play` is the door for moves from outside. `carry_out` trusts its caller and is for moves that were just listed.
"""

from jaipur.rules.cards import CAMEL_MASK, CAMEL_SHIFT, GOODS_MASK, Pile, Seat
from jaipur.rules.errors import IllegalMove
from jaipur.rules.legality import why_not
from jaipur.rules.moves import GIVEN_FLAGS, TAKE_CAMELS, Code, Move
from jaipur.rules.position import ABANDONED, DECK_SIZE, OUT_OF_CARDS, OUT_OF_GOODS, Position
from jaipur.rules.tokens import (
    BONUS_PILES,
    BONUS_ROW,
    BONUS_SIZES,
    EMPTY_PILES_THAT_END,
    LARGEST_BONUS_SALE,
    PILE_SIZES,
    SMALLEST_BONUS_SALE,
    tokens_paid,
)

MOVE_LIMIT = 500
"""Simulations give a round up as a draw after so many moves; people have no limit."""


def play(position: Position, move: Move) -> None:
    """Check a move, then carry it out in place."""
    reason = why_not(position, move)
    if reason is not None:
        raise IllegalMove(move, reason)
    carry_out(position, move.code)


def carry_out(position: Position, code: Code) -> None:
    """Carry out a move that is known to be legal: what the trader does, then what comes face down."""
    seat = position.turn
    owed = trade(position, code)
    if owed > 0:
        refill(position, owed)
    elif owed < 0:
        take_bonus(position, seat, owed + BONUS_PILES)
    position.turn = 1 - seat
    position.moves_played += 1


def trade(position: Position, code: Code) -> int:
    """Move cards and goods tokens, all that the trader can foresee, and say what is owed from where nobody can look.

    So many places of the market to refill; or, below zero, a token of the bonus pile `owed + BONUS_PILES`.
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


def refill(position: Position, places: int) -> None:
    """Lay cards from the deck into the empty places; the round ends when the deck cannot fill them all."""
    for _ in range(places):
        if position.drawn == DECK_SIZE:
            position.ended = OUT_OF_CARDS
            return
        position.market += 1 << 4 * position.deck[position.drawn]
        position.drawn += 1


def sell(position: Position, seat: Seat, given: Pile) -> int:
    """Discard the cards, hand out their tokens, say what bonus is owed; the round ends with the third empty pile."""
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


def take_bonus(position: Position, seat: Seat, pile: int) -> None:
    """Take the top token of a bonus pile, where one is left."""
    taken = position.bonus_taken[pile]
    if taken < BONUS_SIZES[pile]:
        position.bonus_taken[pile] = taken + 1
        position.bonuses[seat] += 1 << 4 * position.bonus[BONUS_ROW * pile + taken]


def empty_piles(position: Position) -> int:
    """How many kinds of goods tokens are used up."""
    empty = 0
    for good in range(6):
        if position.tokens_taken[good] == PILE_SIZES[good]:
            empty += 1
    return empty


def less(pile: Pile, other: Pile) -> Pile:
    """Kind by kind, what is left of a pile of goods without the other; never less than nothing."""
    if pile == 0 or other == 0:
        return pile
    # An eight above every digit lends to it: where it is still there, the digit did not go below zero.
    left = (pile | 0x888888) - other
    enough = left & 0x888888
    return left & (enough - (enough >> 3))


def abandon(position: Position) -> None:
    """Give the round up as a draw."""
    position.ended = ABANDONED
