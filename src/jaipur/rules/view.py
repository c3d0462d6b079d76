"""The view of one seat: the public cards and tokens, its own cards, and the cards that it has seen earlier.

A view is the whole information state of the seat. Players, browsers and bots get views and never a position.
"""

from typing import TYPE_CHECKING, Literal, NamedTuple

from .cards import (
    CAMEL_SHIFT,
    CARDS,
    DECK_SIZE,
    FULL_PACK,
    GOODS,
    GOODS_MASK,
    PILES,
    Card,
    Kind,
    Pile,
    PileCode,
    Rupees,
    Seat,
    count,
    total,
)
from .drawing import draw_view
from .endings import ENDINGS, RUNNING, Ending
from .tokens import (
    BONUS_SIZES,
    GOODS_TOKENS,
    LARGEST_BONUS_SALE,
    SMALLEST_BONUS_SALE,
    bonus_values,
    bonuses_by_pile,
)

if TYPE_CHECKING:
    from .position import Position

Herds = Literal["open", "hidden"]

# Indexed by `Position.discard_top`, which is -1 for an empty pile.
_TOP_CARDS = (*CARDS, None)


class Trader(NamedTuple):
    """The public part of one trader, and the cards of the hand that both traders know."""

    seals: int
    hand: int
    """The number of goods in the hand."""
    shown: Pile
    """The goods in the hand that were taken from the market in this round."""
    herd: int | None
    """None for the other trader if herds are hidden. `View.other_herd` can compute it."""
    goods_tokens: Pile
    """The number of goods tokens of each good, as a pile."""
    rupees: Rupees
    """The value of the goods tokens, without bonus tokens."""
    bonuses: tuple[int, ...]
    """The number of bonus tokens from each of the three piles."""
    bonus_values: tuple[int, ...] | None
    """The values of the bonus tokens, lowest first; None for the other trader until the round ends."""


class Payment(NamedTuple):
    """The tokens for a sale: the goods tokens, and the pile of a bonus token (0 to 2) if there is one."""

    tokens: tuple[int, ...]
    bonus: int | None


class View(NamedTuple):
    """The table as one seat knows it."""

    seat: Seat
    starter: Seat
    turn: Seat
    moves_played: int
    ended: Ending | None
    market: Pile
    deck: int
    """The number of cards in the deck."""
    discard: Pile
    discard_top: Card | None
    tokens_taken: tuple[int, ...]
    """The number of goods tokens taken of each good."""
    bonus_taken: tuple[int, ...]
    """The number of bonus tokens taken from each of the three piles."""
    hand: Pile
    herd: int
    own: Trader
    other: Trader

    def __str__(self) -> str:
        return draw_view(self)

    @property
    def herds(self) -> Herds:
        return "hidden" if self.other.herd is None else "open"

    def tokens_left(self, good: Kind) -> tuple[int, ...]:
        """The values of the goods tokens left, top first."""
        return GOODS_TOKENS[good][self.tokens_taken[good] :]

    def payment(self, sold: PileCode) -> Payment:
        """The tokens for a sale of these cards, which are of one good."""
        good = next(good for good in GOODS if count(sold, good))
        cards = count(sold, good)
        pile = min(cards, LARGEST_BONUS_SALE) - SMALLEST_BONUS_SALE
        bonus = pile >= 0 and self.bonus_taken[pile] < BONUS_SIZES[pile]
        return Payment(self.tokens_left(good)[:cards], pile if bonus else None)

    def other_herd(self) -> int:
        """The number of camels in the other herd, computed from the other cards. It also works if herds are hidden."""
        if self.other.herd is not None:
            return self.other.herd
        elsewhere = total(self.market) + total(self.hand) + total(self.discard)
        return total(FULL_PACK) - elsewhere - self.herd - self.deck - self.other.hand

    def unseen(self) -> Pile:
        """The cards this seat has not seen: the deck and the unknown part of the other hand."""
        seen = self.market + self.hand + self.discard + self.other.shown
        return PILES[FULL_PACK - seen - (self.herd + self.other_herd() << CAMEL_SHIFT)]


def view_of(position: "Position", seat: Seat, herds: Herds, seals: tuple[int, int]) -> View:
    """What a seat knows of a position, in a game with these seals so far."""
    other = 1 - seat
    holding = position.holdings[seat]
    return View(
        seat,
        position.starter,
        position.turn,
        position.moves_played,
        ENDINGS[position.ended],
        PILES[position.market],
        DECK_SIZE - position.drawn,
        PILES[position.discard],
        _TOP_CARDS[position.discard_top],
        tuple(position.tokens_taken),
        tuple(position.bonus_taken),
        PILES[holding & GOODS_MASK],
        holding >> CAMEL_SHIFT,
        _trader(position, seat, seals[seat], True, True),
        _trader(position, other, seals[other], herds == "open", position.ended != RUNNING),
    )


def _trader(
    position: "Position", seat: Seat, seals: int, herd_open: bool, bonuses_open: bool
) -> Trader:
    holding, bonuses = position.holdings[seat], position.bonuses[seat]
    return Trader(
        seals,
        (holding & GOODS_MASK) % 15,
        PILES[position.shown[seat]],
        holding >> CAMEL_SHIFT if herd_open else None,
        PILES[position.goods_tokens[seat]],
        position.rupees[seat],
        bonuses_by_pile(bonuses),
        bonus_values(bonuses) if bonuses_open else None,
    )
