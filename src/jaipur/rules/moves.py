"""Moves: what a trader takes and what a trader gives, and the numbers that stand for them.

A move's code has one hexadecimal digit a kind: how many cards, plus eight where they are given. `+DG-LM` is 0x9900011.
Every exchange has the eight of the camels, even where it gives none: `+DG-LL` is 0x8a00011. A code is what the hot
functions list and carry out; a `Move` is what everybody else holds in hand.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from jaipur.rules.cards import (
    CAMEL_SHIFT,
    COPIES,
    GOODS,
    KINDS,
    ONE_CAMEL,
    PRECIOUS,
    Kind,
    Pile,
    letters_of,
    pile_of,
)

Code = int

HAND_LIMIT = 7
MARKET_PLACES = 5
SMALLEST_EXCHANGE = 2

GIVEN_FLAGS = 0x8888888
EXCHANGE_FLAG = 8 << CAMEL_SHIFT
TAKE_CAMELS: Code = ONE_CAMEL


class Move(NamedTuple):
    """One turn at the table. The camels of the market are taken as one, however many they are."""

    taken: Pile
    given: Pile

    def __repr__(self) -> str:
        plus = f"+{letters_of(self.taken)}" if self.taken else ""
        minus = f"-{letters_of(self.given)}" if self.given else ""
        return plus + minus

    @property
    def code(self) -> Code:
        """The number of this move; only moves that do not take and give the same kind have one."""
        # Seven more makes an eight of every digit that is not zero.
        flags = self.given + 0x7777777 & GIVEN_FLAGS
        if self.taken and self.given:
            flags |= EXCHANGE_FLAG
        return self.taken + self.given + flags

    @classmethod
    def of(cls, code: Code) -> "Move":
        return MOVES[code]


class _Moves(dict[Code, Move]):
    """Every move met so far by its code: the same move is the same object."""

    def __missing__(self, code: Code) -> Move:
        move = self[code] = Move(taken_by(code), given_by(code))
        return move


def given_by(code: Code) -> Pile:
    flags = code & GIVEN_FLAGS
    return code & (flags - (flags >> 3))


def taken_by(code: Code) -> Pile:
    return code - (code & GIVEN_FLAGS) - given_by(code)


MOVES = _Moves()


def take(good: Kind) -> Move:
    return Move(1 << 4 * _a_good(good), 0)


def take_camels() -> Move:
    return Move(ONE_CAMEL, 0)


def exchange(taken: Pile, given: Pile) -> Move:
    return Move(taken, given)


def sale(good: Kind, cards: int) -> Move:
    if not 0 < cards <= COPIES[_a_good(good)]:
        raise ValueError(f"There are {COPIES[good]} cards of this good, not {cards}.")
    return Move(0, cards << 4 * good)


def _a_good(kind: Kind) -> Kind:
    if kind not in GOODS:
        raise ValueError(f"Goods are the kinds 0 to 5, not {kind}.")
    return kind


def fewest_sold(good: Kind) -> int:
    return 2 if good in PRECIOUS else 1


def conceivable_moves() -> Iterator[Move]:
    """All 25,499 moves that some position might allow: goods, camels, exchanges by size, sales."""
    for good in GOODS:
        yield take(good)
    yield take_camels()
    for cards in range(SMALLEST_EXCHANGE, MARKET_PLACES + 1):
        for taken in combinations_with_replacement(GOODS, cards):
            others = [kind for kind in KINDS if kind not in taken]
            for given in combinations_with_replacement(others, cards):
                yield exchange(pile_of(taken), pile_of(given))
    for good in GOODS:
        for cards in range(fewest_sold(good), min(COPIES[good], HAND_LIMIT) + 1):
            yield sale(good, cards)
