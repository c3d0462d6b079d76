"""Bundles: every way to pick up to five cards out of up to seven goods, in precomputed tables.

Listing exchanges takes the most time in the rules. With these tables it needs two look-ups: the bundles of the market
are the cards that can be taken, and the bundles of the hand, without the kinds that are taken, are the cards that can
be given. There are 1,716 piles of up to seven goods and 46,362 bundles.
"""

from .cards import CAMEL_SHIFT, PileCode
from .moves import HAND_LIMIT, MARKET_PLACES

# The smallest modulus that maps the 1,716 piles to different remainders.
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
        """Visit every pile that adds at most `room` cards of this kind and the later kinds to `pile`."""
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


# BUNDLES[STARTS[row + n] : STARTS[row + n + 1]] are the bundles of n cards of the pile whose row is
# ROWS[pile % BUNDLE_HASH]. A bundle is the move code that gives its cards, minus its size in the camel digit. Adding
# the size of the exchange to that digit makes camels replace the goods that are missing.
ROWS, STARTS, BUNDLES = _tables()
