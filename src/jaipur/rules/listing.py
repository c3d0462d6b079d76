"""The list of legal moves: complete, without duplicates, in a fixed order.

The order is: taking one good (by kind), taking the camels, exchanges, sales (by kind, then by number of cards).
Exchanges are ordered by their number of cards, then by the cards taken, then by the cards given (most camels first).
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from .bundles import BUNDLE_HASH, BUNDLES, ROWS, STARTS
from .cards import CAMEL_SHIFT, GOODS_MASK, PileCode
from .moves import EXCHANGE_FLAG, HAND_LIMIT, SMALLEST_EXCHANGE, TAKE_CAMELS, MoveCode

if TYPE_CHECKING:
    from .position import Position

MOST_MOVES = 167
"""No position has more legal moves than this."""

_SHIFTS = (0, 4, 8, 12, 16, 20)
_FIRST_COMMON_SHIFT = 12  # cloth is the first good of which a single card may be sold


def list_moves(position: "Position", codes: MutableSequence[MoveCode]) -> int:
    """Write the codes of the legal moves into `codes` and return their number. `codes` has `MOST_MOVES` places."""
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
    # Each camel given in an exchange adds one good to the hand. The hand limit therefore also limits the camels.
    n = list_exchanges(market & GOODS_MASK, hand, min(room, holding >> CAMEL_SHIFT), codes, n)
    for shift in _SHIFTS:
        held = hand >> shift & 15
        if held:
            for sold in range(1 if shift >= _FIRST_COMMON_SHIFT else 2, held + 1):
                codes[n] = 8 + sold << shift
                n += 1
    return n


def list_exchanges(
    goods: PileCode, hand: PileCode, camels: int, codes: MutableSequence[MoveCode], n: int
) -> int:
    """Write the codes of all exchanges into `codes` from index `n`, and return the index after the last one.

    An exchange takes some of `goods` and gives some of `hand` and at most `camels` camels.
    """
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
