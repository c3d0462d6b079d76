"""The set-up of a round. All randomness is in the deal: the pack, the bonus piles and the starting seat.

After the deal a round is deterministic. The caller passes the random number generator that draws the deal.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from .cards import CAMEL_SHIFT, COPIES, DECK_SIZE, KINDS, LETTERS, NAMES, NO_CARD, Kind, Seat
from .endings import RUNNING
from .errors import WrongDeal
from .position import Position
from .tokens import BONUS_PILES, BONUS_ROW, BONUS_TOKENS

if TYPE_CHECKING:
    from random import Random  # only for types: importing the module takes 2 ms

Item = TypeVar("Item")

HAND_DEALT = 5
CAMELS_LAID_OUT = 3
MARKET_DEALT = 2
PACK_SIZE = sum(COPIES) - CAMELS_LAID_OUT


class _DealFields(NamedTuple):
    pack: tuple[Kind, ...]
    """The 52 cards in the order of the deal: five for seat 0, five for seat 1, two for the market, 40 for the deck."""
    bonus: tuple[tuple[int, ...], ...]
    """The values of the bonus piles for sales of three, of four, and of five or more cards, top first."""
    starts: Seat


class Deal(_DealFields):
    """All randomness of a round. `shuffled` draws a random deal. Wrong cards or tokens raise `WrongDeal`."""

    __slots__ = ()

    def __new__(
        cls, pack: tuple[Kind, ...], bonus: tuple[tuple[int, ...], ...], starts: Seat
    ) -> "Deal":
        deal = super().__new__(cls, pack, bonus, starts)
        deal._check()
        return deal

    def _check(self) -> None:
        if self.starts not in (0, 1):
            raise WrongDeal(f"The starting seat is 0 or 1, not {self.starts}.")
        if len(self.pack) != PACK_SIZE:
            raise WrongDeal(f"A deal has {PACK_SIZE} cards, not {len(self.pack)}.")
        for kind in KINDS:
            dealt, copies = self.pack.count(kind), _copies_dealt(kind)
            if dealt != copies:
                raise WrongDeal(f"A deal has {copies} cards of kind {NAMES[kind]}, not {dealt}.")
        if len(self.bonus) != len(BONUS_TOKENS):
            raise WrongDeal(f"There are {len(BONUS_TOKENS)} bonus piles, not {len(self.bonus)}.")
        for pile, tokens in zip(self.bonus, BONUS_TOKENS, strict=True):
            if sorted(pile) != list(tokens):
                raise WrongDeal(f"A bonus pile has the tokens {_row(tokens)}, not {_row(pile)}.")

    def __repr__(self) -> str:
        pack = "".join(LETTERS[kind] for kind in self.pack)
        return f"<Deal {pack}, bonus {self.bonus}, seat {self.starts} starts>"

    @classmethod
    def shuffled(cls, rng: "Random", starts: Seat | None = None) -> "Deal":
        """Draw a random deal. If `starts` is None, the starting seat is random too."""
        pack = shuffle((kind for kind in KINDS for _ in range(_copies_dealt(kind))), rng)
        bonus = tuple(tuple(shuffle(tokens, rng)) for tokens in BONUS_TOKENS)
        return cls(tuple(pack), bonus, int(rng.random() * 2) if starts is None else starts)


def shuffle(items: Iterable[Item], rng: "Random") -> list[Item]:
    """Return the items in random order."""
    # Only `rng.random` is used, because it gives the same numbers in all Python versions.
    shuffled, random = list(items), rng.random
    for last in range(len(shuffled) - 1, 0, -1):
        other = int(random() * (last + 1))
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


def new_round(deal: Deal) -> Position:
    """Return the position after the set-up."""
    position = Position()
    lay_out(position, deal.pack, bonus_row(deal.bonus), deal.starts)
    return position


def bonus_row(piles: Iterable[Sequence[int]]) -> list[int]:
    """Return the bonus piles in the layout of `Position.bonus`: one list with seven places per pile."""
    return [value for pile in piles for value in (*pile, *[0] * (BONUS_ROW - len(pile)))]


def lay_out(position: Position, pack: Sequence[Kind], bonus: Sequence[int], starts: Seat) -> None:
    """Set up a round in an existing position. All its old fields are overwritten."""
    # `holdings` contains the hand and the herd. Dealt camels therefore need no extra step to reach the herd.
    position.starter = starts
    position.turn = starts
    position.moves_played = 0
    position.ended = RUNNING
    position.discard = 0
    position.discard_top = NO_CARD
    for seat in range(2):
        position.holdings[seat] = 0
        for card in range(HAND_DEALT * seat, HAND_DEALT * (seat + 1)):
            position.holdings[seat] += 1 << 4 * pack[card]
        position.shown[seat] = 0
        position.goods_tokens[seat] = 0
        position.rupees[seat] = 0
        position.bonuses[seat] = 0
    position.market = CAMELS_LAID_OUT << CAMEL_SHIFT
    for card in range(2 * HAND_DEALT, 2 * HAND_DEALT + MARKET_DEALT):
        position.market += 1 << 4 * pack[card]
    position.drawn = 0
    for card in range(DECK_SIZE):
        position.deck[card] = pack[PACK_SIZE - DECK_SIZE + card]
    for good in range(6):
        position.tokens_taken[good] = 0
    for pile in range(BONUS_PILES):
        position.bonus_taken[pile] = 0
    for place in range(BONUS_ROW * BONUS_PILES):
        position.bonus[place] = bonus[place]


def _copies_dealt(kind: Kind) -> int:
    return COPIES[kind] - (CAMELS_LAID_OUT if NAMES[kind] == "camel" else 0)


def _row(values: Sequence[int]) -> str:
    return " ".join(str(value)[:9] for value in values[:9])
