"""The seven kinds of cards, and piles of them.

A pile is a number whose hexadecimal digits count cards by kind, diamonds in the lowest: 0x2000011 is a diamond, a gold
and two camels. Piles add and subtract like numbers, so a card that moves is an addition here and a subtraction there.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

Kind = int
Pile = int
Seat = int
Rupees = int

DIAMONDS, GOLD, SILVER, CLOTH, SPICE, LEATHER, CAMEL = KINDS = range(7)
GOODS = range(6)
PRECIOUS = range(3)

LETTERS = "DGSCPLM"
NAMES = ("diamonds", "gold", "silver", "cloth", "spice", "leather", "camel")
COPIES = (6, 6, 6, 8, 8, 10, 11)

GOODS_MASK = 0xFFFFFF
CAMEL_SHIFT = 24
CAMEL_MASK = 0xF << CAMEL_SHIFT
ONE_CAMEL = 1 << CAMEL_SHIFT

NOBODY = -1


def count(pile: Pile, kind: Kind) -> int:
    return pile >> 4 * kind & 15


def size(pile: Pile) -> int:
    """How many cards, for piles of at most fourteen: sixteen leaves one when divided by fifteen, so digits add up."""
    return pile % 15


def total(pile: Pile) -> int:
    """How many cards, however many: digits are added in pairs first, so that none overflows."""
    return ((pile & 0xF0F0F0F) + (pile >> 4 & 0xF0F0F0F)) % 255


def pile_of(kinds: Iterable[Kind]) -> Pile:
    return sum(1 << 4 * kind for kind in kinds)


def cards_in(pile: Pile) -> Iterator[Kind]:
    """Every card of a pile, in the order of the kinds."""
    for kind in KINDS:
        for _ in range(count(pile, kind)):
            yield kind


@lru_cache(4096)
def letters_of(pile: Pile) -> str:
    return "".join(LETTERS[kind] for kind in cards_in(pile))


FULL_PACK: Pile = sum(copies << 4 * kind for kind, copies in enumerate(COPIES))
