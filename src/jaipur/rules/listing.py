"""Listing the legal moves, complete, without doubles and always in the same order.

The order: one good (by kind), the camels, exchanges (by size, by what is taken, then by what is given, most camels
first), sales (by kind, then by number).
"""

from collections.abc import MutableSequence

from jaipur.rules.bundles import BUNDLE_HASH, BUNDLES, ROWS, STARTS
from jaipur.rules.cards import CAMEL_SHIFT, GOODS_MASK, Pile
from jaipur.rules.moves import (
    EXCHANGE_FLAG,
    HAND_LIMIT,
    MOVES,
    SMALLEST_EXCHANGE,
    TAKE_CAMELS,
    Code,
    Move,
)
from jaipur.rules.position import Position

MOST_MOVES = 167
"""No position has more legal moves than this."""

_SHIFTS = (0, 4, 8, 12, 16, 20)
_FIRST_COMMON_SHIFT = 12


def legal_moves(position: Position) -> list[Move]:
    codes = [0] * MOST_MOVES
    return list(map(MOVES.__getitem__, codes[: list_moves(position, codes)]))


def list_moves(position: Position, codes: MutableSequence[Code]) -> int:
    """Write the legal moves into `codes`, which has room for them all, and say how many there are."""
    if position.ended:
        return 0
    market = position.market
    holding = position.holdings[position.turn]
    hand = holding & GOODS_MASK
    room = HAND_LIMIT - hand % 15
    n = 0
    if room:
        for shift in _SHIFTS:
            if market >> shift & 15:
                codes[n] = 1 << shift
                n += 1
    if market > GOODS_MASK:
        codes[n] = TAKE_CAMELS
        n += 1
    # A camel given makes the hand grow by the good it pays for, so room limits camels too.
    n = list_exchanges(market & GOODS_MASK, hand, min(room, holding >> CAMEL_SHIFT), codes, n)
    for shift in _SHIFTS:
        held = hand >> shift & 15
        if held:
            for sold in range(1 if shift >= _FIRST_COMMON_SHIFT else 2, held + 1):
                codes[n] = 8 + sold << shift
                n += 1
    return n


def list_exchanges(
    goods: Pile, hand: Pile, camels: int, codes: MutableSequence[Code], n: int
) -> int:
    """Write the exchanges of market goods for hand goods and at most so many camels from `codes[n]` on."""
    market_row = ROWS[goods % BUNDLE_HASH]
    for cards in range(SMALLEST_EXCHANGE, goods % 15 + 1):
        fewest_goods = cards - min(camels, cards)
        exchange = EXCHANGE_FLAG + (cards << CAMEL_SHIFT)
        for bundle in BUNDLES[STARTS[market_row + cards] : STARTS[market_row + cards + 1]]:
            kinds_taken = (bundle & 0x888888) >> 3
            row = ROWS[(hand & ~(15 * kinds_taken)) % BUNDLE_HASH]
            code = exchange + (bundle & 0x777777)
            for given in BUNDLES[STARTS[row + fewest_goods] : STARTS[row + cards + 1]]:
                codes[n] = code + given
                n += 1
    return n
