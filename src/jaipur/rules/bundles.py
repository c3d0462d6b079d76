"""Precomputed tables of bundles. A bundle is a choice of up to five cards from a pile of up to seven goods.

Listing exchanges is the slowest part of the rules. These tables reduce it to two look-ups. The bundles of the market
are the cards that a trader can take. The bundles of the hand, without the kinds that the trader takes, are the cards
that the trader can give. There are 1,716 piles of up to seven goods, with 46,362 bundles in total.
"""

from .cards import CAMEL_SHIFT, PileCode
from .moves import HAND_LIMIT, MARKET_PLACES

# The smallest modulus that gives each of the 1,716 piles a different remainder.
BUNDLE_HASH = 21626


def _tables() -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    rows = [0] * BUNDLE_HASH
    starts: list[int] = []
    bundles: list[int] = []

    def add_row(pile: PileCode, by_size: list[list[int]]) -> None:
        rows[pile % BUNDLE_HASH] = len(starts)
        for of_one_size in by_size:
            starts.append(len(bundles))
            bundles.extend(of_one_size)
        starts.append(len(bundles))

    def grow(kind: int, room: int, pile: PileCode, by_size: list[list[int]]) -> None:
        """Visit every pile that consists of `pile` and at most `room` more cards of this kind and the later kinds."""
        if kind == 6:
            add_row(pile, by_size)
            return
        longer = by_size
        for held in range(room + 1):
            if held:
                given = (8 + held << 4 * kind) - (held << CAMEL_SHIFT)
                longer = [
                    row + [bundle + given for bundle in by_size[size - held]]
                    if size >= held
                    else row
                    for size, row in enumerate(longer)
                ]
            grow(kind + 1, room - held, pile + (held << 4 * kind), longer)

    grow(0, HAND_LIMIT, 0, [[0]] + [[] for _ in range(MARKET_PLACES)])
    return tuple(rows), tuple(starts), tuple(bundles)


# With row = ROWS[pile % BUNDLE_HASH], the bundles of n cards from a pile are BUNDLES[STARTS[row + n] : STARTS[row + n +
# 1]]. A bundle is stored as the move code that gives its cards, but the number of its cards is subtracted from the
# camel digit. `list_exchanges` adds the number of cards of the exchange to that digit. The digit is then the number of
# camels that the trader must give besides the bundle.
ROWS, STARTS, BUNDLES = _tables()
