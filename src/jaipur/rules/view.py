"""The view of one seat: the public cards and tokens, the seat's own cards, and the cards that the seat saw earlier.

A view contains everything that the seat knows. Players, browsers and bots get views, and never a position.
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

# The index is `Position.discard_top`. For an empty discard pile it is -1, which selects the last entry.
_TOP_CARDS = (*CARDS, None)


class Trader(NamedTuple):
    """The cards and tokens of one trader that both traders know."""

    seals: int
    hand: int
    """The number of goods in the hand."""
    shown: Pile
    """The goods in the hand that came from the market in this round."""
    herd: int | None
    """The number of camels. None for the other trader if herds are hidden; then use `View.other_herd`."""
    goods_tokens: Pile
    """The trader's goods tokens, packed like a pile (one hexadecimal digit per good)."""
    rupees: Rupees
    """The total value of the goods tokens. Bonus tokens are not included."""
    bonuses: tuple[int, ...]
    """The number of bonus tokens from each of the three piles."""
    bonus_values: tuple[int, ...] | None
    """The values of the bonus tokens, lowest first. None for the other trader before the end of the round."""


class Payment(NamedTuple):
    """The tokens that a trader gets for a sale."""

    tokens: tuple[int, ...]
    """The values of the goods tokens."""
    bonus: int | None
    """The index (0 to 2) of the bonus pile, or None if the sale earns no bonus token."""


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
    """By good: the number of goods tokens that the traders have taken."""
    bonus_taken: tuple[int, ...]
    """By bonus pile: the number of bonus tokens that the traders have taken."""
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
        """Return the values of the tokens that are left of a good, top first."""
        return GOODS_TOKENS[good][self.tokens_taken[good] :]

    def payment(self, sold: PileCode) -> Payment:
        """Return the tokens for a sale of these cards. All cards are of the same good."""
        good = next(good for good in GOODS if count(sold, good))
        cards = count(sold, good)
        pile = min(cards, LARGEST_BONUS_SALE) - SMALLEST_BONUS_SALE
        bonus = pile >= 0 and self.bonus_taken[pile] < BONUS_SIZES[pile]
        return Payment(self.tokens_left(good)[:cards], pile if bonus else None)

    def other_herd(self) -> int:
        """Return the number of camels in the other trader's herd, even if herds are hidden.

        The number follows from the size of the pack and the positions of all other cards.
        """
        if self.other.herd is not None:
            return self.other.herd
        elsewhere = total(self.market) + total(self.hand) + total(self.discard)
        return total(FULL_PACK) - elsewhere - self.herd - self.deck - self.other.hand

    def unseen(self) -> Pile:
        """Return the cards that this seat has not seen: the deck and the unknown cards of the other hand."""
        seen = self.market + self.hand + self.discard + self.other.shown
        return PILES[FULL_PACK - seen - (self.herd + self.other_herd() << CAMEL_SHIFT)]


def view_of(position: "Position", seat: Seat, herds: Herds, seals: tuple[int, int]) -> View:
    """Return what a seat knows of a position. `seals` are the seals of both traders before this round."""
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
