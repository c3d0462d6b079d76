"""Bundles: every way to pick up to five cards out of up to seven goods, in tables made once.

Listing exchanges is the hot spot of the rules. With these tables it is two look-ups: the bundles of the market are what
can be taken, the bundles of the hand (less the kinds taken) are what can be given. There are 1,716 piles of up to seven
goods, and 46,362 bundles in all.
"""

from jaipur.rules.cards import CAMEL_SHIFT, Pile
from jaipur.rules.moves import HAND_LIMIT, MARKET_PLACES

# The smallest number that divides no two of the 1,716 piles with the same remainder.
BUNDLE_HASH = 21626


def _tables() -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    rows = [0] * BUNDLE_HASH
    starts: list[int] = []
    bundles: list[int] = []

    def lay_down(pile: Pile, by_size: list[list[int]]) -> None:
        rows[pile % BUNDLE_HASH] = len(starts)
        for of_one_size in by_size:
            starts.append(len(bundles))
            bundles.extend(of_one_size)
        starts.append(len(bundles))

    def grow(kind: int, room: int, pile: Pile, by_size: list[list[int]]) -> None:
        """Go through every pile that adds up to `room` cards of this kind and the later ones to `pile`."""
        if kind == 6:
            lay_down(pile, by_size)
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
# ROWS[pile % BUNDLE_HASH]. A bundle is the code of giving its cards, less its size in the camels' digit: whoever adds
# the size of an exchange there gets the camels that make up for the goods that are missing.
ROWS, STARTS, BUNDLES = _tables()
