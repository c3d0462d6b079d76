"""Cards and piles of cards.

A pile is packed into one integer. Each hexadecimal digit counts the cards of one kind, and the lowest digit counts the
diamonds: 0x2000011 is a diamond, a gold and two camels. To move a card, subtract it from one pile and add it to
another. Functions that must be fast use these plain integers (`PileCode`, `Kind`). All other code uses `Pile` and
`Card`: they are the same integers, but they have names and can be printed and iterated.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import lru_cache

from .input_errors import NotationError

Kind = int
PileCode = int
Seat = int
Rupees = int

LETTERS = "DGSCPLM"
NAMES = ("diamonds", "gold", "silver", "cloth", "spice", "leather", "camel")
COPIES = (6, 6, 6, 8, 8, 10, 11)

KINDS = range(7)
GOODS = range(6)
PRECIOUS = range(3)
CAMEL: Kind = 6
NO_CARD: Kind = -1
NOBODY: Seat = -1

DECK_SIZE = 40

GOODS_MASK = 0xFFFFFF
CAMEL_SHIFT = 24
CAMEL_MASK = 0xF << CAMEL_SHIFT
ONE_CAMEL = 1 << CAMEL_SHIFT
FULL_PACK: PileCode = sum(copies << 4 * kind for kind, copies in enumerate(COPIES))


class _Named(IntEnum):
    """An integer with the letter and the name of a kind of card."""

    @property
    def letter(self) -> str:
        return LETTERS[self]

    def __str__(self) -> str:
        return NAMES[self]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class Card(_Named):
    """The seven kinds of cards."""

    DIAMONDS = 0
    GOLD = 1
    SILVER = 2
    CLOTH = 3
    SPICE = 4
    LEATHER = 5
    CAMEL = 6


class Good(_Named):
    """The six kinds of cards that can be sold. A `Good` is equal to the `Card` with the same name."""

    DIAMONDS = 0
    GOLD = 1
    SILVER = 2
    CLOTH = 3
    SPICE = 4
    LEATHER = 5


CARDS: tuple[Card, ...] = tuple(Card)


class Pile(int):
    """Cards without an order, packed into an integer that prints and iterates as cards. Example: `Pile.parse("DDG")`.

    The operators + and - return plain integers. The methods `plus` and `minus` return piles and check that the cards
    exist.
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> "Pile":
        """Parse a pile from letters in any order."""
        cards = parse_cards(text)
        for kind in KINDS:
            if cards.count(kind) > COPIES[kind]:
                raise NotationError(f"The pack has only {COPIES[kind]} {NAMES[kind]}", text)
        return pile_of(cards)

    def count(self, kind: Kind) -> int:
        return count(self, kind)

    def plus(self, other: int) -> "Pile":
        return Pile.parse(letters_of(self) + letters_of(other))

    def minus(self, other: int) -> "Pile":
        """This pile without the cards of `other`. Raises `ValueError` if some of these cards are missing."""
        for kind in KINDS:
            if count(other, kind) > count(self, kind):
                raise ValueError(
                    f"{self or 'No cards'} minus {letters_of(other)}: too few {NAMES[kind]}."
                )
        return Pile(self - other)

    @property
    def goods(self) -> "Pile":
        """The cards of this pile that are not camels."""
        return Pile(self & GOODS_MASK)

    def __iter__(self) -> Iterator[Card]:
        return map(CARDS.__getitem__, cards_in(self))

    def __len__(self) -> int:
        return total(self)

    def __contains__(self, kind: Kind) -> bool:
        return kind in KINDS and count(self, kind) > 0

    def __str__(self) -> str:
        return letters_of(self)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"Pile.parse({str(self)!r})"


class _Piles(dict[PileCode, Pile]):
    """Cache of `Pile` objects by integer. A look-up is faster than creating an object."""

    def __missing__(self, code: PileCode) -> Pile:
        if len(self) == 1 << 16:
            self.clear()
        pile = self[code] = Pile(code)
        return pile


PILES = _Piles()


def count(pile: PileCode, kind: Kind) -> int:
    return pile >> 4 * kind & 15


def size(pile: PileCode) -> int:
    """Return the number of cards in a pile of at most 14 cards."""
    # The remainder modulo 15 is the sum of the hexadecimal digits, if the sum is less than 15.
    return pile % 15


def total(pile: PileCode) -> int:
    """Return the number of cards in a pile of any size."""
    # First add pairs of digits into bytes. The remainder modulo 255 is then the sum of the bytes.
    return ((pile & 0xF0F0F0F) + (pile >> 4 & 0xF0F0F0F)) % 255


def pile_of(kinds: Iterable[Kind]) -> Pile:
    return Pile(sum(1 << 4 * kind for kind in kinds))


def cards_in(pile: PileCode) -> Iterator[Kind]:
    """Yield every card of a pile as a plain integer, in the order of the kinds."""
    for kind in KINDS:
        for _ in range(pile >> 4 * kind & 15):
            yield kind


@lru_cache(4096)
def letters_of(pile: PileCode) -> str:
    return "".join(LETTERS[kind] for kind in cards_in(pile))


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse letters into cards, in the same order."""
    for place, letter in enumerate(text):
        if letter not in LETTERS:
            raise NotationError(f"Cards are {LETTERS}", text, place)
    return tuple(CARDS[LETTERS.index(letter)] for letter in text)
