"""Moves: the cards that a trader takes and gives, as text and as integers.

A move code is an integer with one hexadecimal digit per kind of card. The digit is the number of cards, plus eight if
the trader gives them: `+DG-LM` is 0x9900011. The camel digit of every exchange includes the eight, even if the trader
gives no camel: `+DG-LL` is 0x8a00011. Functions that must be fast use codes. All other code uses `Move`.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from .cards import (
    CAMEL_SHIFT,
    COPIES,
    GOODS,
    KINDS,
    LETTERS,
    NAMES,
    ONE_CAMEL,
    PRECIOUS,
    Kind,
    Pile,
    PileCode,
    letters_of,
    pile_of,
)
from .input_errors import NotationError

MoveCode = int

HAND_LIMIT = 7
MARKET_PLACES = 5
SMALLEST_EXCHANGE = 2

GIVEN_FLAGS = 0x8888888
EXCHANGE_FLAG = 8 << CAMEL_SHIFT
TAKE_CAMELS: MoveCode = ONE_CAMEL

_LONGEST_MOVE = 200  # characters, including spaces


class Move(NamedTuple):
    """One turn: `+G` takes a good, `+M` takes all camels of the market, `+DG-LM` exchanges, `-LLL` sells."""

    taken: Pile
    given: Pile

    def __str__(self) -> str:
        plus = f"+{letters_of(self.taken)}" if self.taken else ""
        minus = f"-{letters_of(self.given)}" if self.given else ""
        return plus + minus

    def __repr__(self) -> str:
        return f"Move.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Parse the text of a move. Case and spaces are ignored. The rules are not checked: see `Position.why_not`."""
        piles: dict[str, PileCode] = {"+": 0, "-": 0}
        sign, last = "", -1
        for place, written in enumerate(text[:_LONGEST_MOVE]):
            # Convert only ASCII letters, because upper() turns some other letters into ASCII letters.
            letter = written.upper() if written.isascii() else written
            if letter == " ":
                continue
            if letter in piles:
                if sign == "-" or sign == letter:
                    raise NotationError(f"A second “{letter}” is not allowed", text, place)
                if sign and not piles[sign]:
                    raise NotationError(f"No card follows “{sign}”", text, place)
                sign, last = letter, -1
                continue
            kind = LETTERS.find(letter)
            if kind < 0:
                raise NotationError(f"Cards are {LETTERS}, after “+” or “-”", text, place)
            if not sign:
                raise NotationError("A move begins with “+” or “-”", text, place)
            piles[sign] = _with_card(piles[sign], kind, last, text, place)
            last = kind
        if not sign or not piles[sign] or len(text) > _LONGEST_MOVE:
            raise NotationError("A move looks like +G, +M, +DG-LM or -LLL", text or "nothing")
        return cls(Pile(piles["+"]), Pile(piles["-"]))

    @property
    def code(self) -> MoveCode:
        """The code of this move. It is undefined if the move takes and gives cards of the same kind."""
        return code_of(self.taken, self.given)

    @classmethod
    def from_code(cls, code: MoveCode) -> "Move":
        return MOVES[code]


def _with_card(pile: PileCode, kind: Kind, last: Kind, text: str, place: int) -> PileCode:
    if kind < last:
        raise NotationError(f"Cards are written in the order {LETTERS}", text, place)
    if pile >> 4 * kind == COPIES[kind]:
        raise NotationError(f"The pack has only {COPIES[kind]} {NAMES[kind]}", text, place)
    return pile + (1 << 4 * kind)


class _Moves(dict[MoveCode, Move]):
    """Cache of `Move` objects by code."""

    def __missing__(self, code: MoveCode) -> Move:
        given = given_by(code)
        taken = code - (code & GIVEN_FLAGS) - given
        move = self[code] = Move(Pile(taken), Pile(given))
        return move


def code_of(taken: PileCode, given: PileCode) -> MoveCode:
    # Adding seven to a digit from 1 to 8 sets its bit of value 8.
    flags = given + 0x7777777 & GIVEN_FLAGS
    if taken and given:
        flags |= EXCHANGE_FLAG
    return taken + given + flags


def given_by(code: MoveCode) -> PileCode:
    flags = code & GIVEN_FLAGS
    return code & (flags - (flags >> 3))


MOVES = _Moves()


def conceivable_moves() -> Iterator[Move]:
    """Yield the 25,499 moves that are legal in at least one position, in a fixed order."""
    nothing = Pile()
    for good in GOODS:
        yield Move(pile_of([good]), nothing)
    yield Move(Pile(ONE_CAMEL), nothing)
    for cards in range(SMALLEST_EXCHANGE, MARKET_PLACES + 1):
        for taken in combinations_with_replacement(GOODS, cards):
            others = [kind for kind in KINDS if kind not in taken]
            for given in combinations_with_replacement(others, cards):
                yield Move(pile_of(taken), pile_of(given))
    for good in GOODS:
        for cards in range(2 if good in PRECIOUS else 1, min(COPIES[good], HAND_LIMIT) + 1):
            yield Move(nothing, pile_of([good] * cards))
