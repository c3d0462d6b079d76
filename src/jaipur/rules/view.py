"""What one seat knows: all that lies open, its own cards, and what an attentive trader remembers.

A view is the whole information state of the seat. Players, browsers and bots get views and never a position.
`deal_unseen` goes back: a position that this seat cannot tell from the real one.
"""

from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

from jaipur.rules.cards import (
    CAMEL,
    CAMEL_SHIFT,
    FULL_PACK,
    GOODS,
    GOODS_MASK,
    Kind,
    Pile,
    Rupees,
    Seat,
    cards_in,
    count,
    size,
    total,
)
from jaipur.rules.position import DECK_SIZE, NO_CARD, RUNNING, Position
from jaipur.rules.setup import shuffle
from jaipur.rules.tokens import (
    BONUS_ROW,
    BONUS_SIZES,
    BONUS_TOKENS,
    GOODS_TOKENS,
    LARGEST_BONUS_SALE,
    SMALLEST_BONUS_SALE,
)

Herds = Literal["open", "hidden"]


class Trader(NamedTuple):
    """What lies open of one trader, and what of it an attentive one remembers."""

    seals: int
    hand: int
    """How many goods the hand holds."""
    shown: Pile
    """Those of them that were seen going in and not out."""
    herd: int | None
    """None for the other trader where herds are hidden; counting cards still tells it."""
    goods_tokens: Pile
    rupees: Rupees
    """What the goods tokens pay; bonus tokens come on top."""
    bonuses: tuple[int, ...]
    """How many bonus tokens from each of the three piles."""
    bonus_values: tuple[int, ...] | None
    """Their values, lowest first; None for the other trader until the round has ended."""


class View(NamedTuple):
    """The table from one seat."""

    seat: Seat
    starter: Seat
    turn: Seat
    moves_played: int
    ended: int
    market: Pile
    deck: int
    discard: Pile
    discard_top: Kind
    tokens_taken: tuple[int, ...]
    bonus_taken: tuple[int, ...]
    hand: Pile
    herd: int
    own: Trader
    other: Trader

    @property
    def herds(self) -> Herds:
        return "hidden" if self.other.herd is None else "open"

    def other_herd(self) -> int:
        """The other's herd, counted: all camels move in the open, and no card is ever lost."""
        if self.other.herd is not None:
            return self.other.herd
        elsewhere = total(self.market) + total(self.hand) + total(self.discard)
        return total(FULL_PACK) - elsewhere - self.herd - self.deck - self.other.hand

    def unseen(self) -> Pile:
        """The cards this seat has not seen: the deck and the unknown part of the other hand."""
        seen = self.market + self.hand + self.discard + self.other.shown
        return FULL_PACK - seen - (self.herd + self.other_herd() << CAMEL_SHIFT)


class Payment(NamedTuple):
    """What a sale would pay, as anybody can see before it: the goods tokens, and from which pile a bonus."""

    tokens: tuple[int, ...]
    bonus: int | None


def payment_for(view: View, sold: Pile) -> Payment:
    """What cards of one good would pay now."""
    good = next(good for good in GOODS if count(sold, good))
    cards, gone = count(sold, good), view.tokens_taken[good]
    pile = min(cards, LARGEST_BONUS_SALE) - SMALLEST_BONUS_SALE
    earned = pile >= 0 and view.bonus_taken[pile] < BONUS_SIZES[pile]
    return Payment(GOODS_TOKENS[good][gone : gone + cards], pile if earned else None)


def view_of(
    position: Position, seat: Seat, herds: Herds = "open", seals: tuple[int, int] = (0, 0)
) -> View:
    """What a seat knows of a position, in a game with these seals so far."""
    other = 1 - seat
    holding = position.holdings[seat]
    bonuses_open = position.ended != RUNNING
    return View(
        seat=seat,
        starter=position.starter,
        turn=position.turn,
        moves_played=position.moves_played,
        ended=position.ended,
        market=position.market,
        deck=DECK_SIZE - position.drawn,
        discard=position.discard,
        discard_top=position.discard_top,
        tokens_taken=tuple(position.tokens_taken),
        bonus_taken=tuple(position.bonus_taken),
        hand=holding & GOODS_MASK,
        herd=holding >> CAMEL_SHIFT,
        own=_trader(position, seat, seals[seat], True, True),
        other=_trader(position, other, seals[other], herds == "open", bonuses_open),
    )


def _trader(
    position: Position, seat: Seat, seals: int, herd_open: bool, bonuses_open: bool
) -> Trader:
    holding, bonuses = position.holdings[seat], position.bonuses[seat]
    return Trader(
        seals=seals,
        hand=size(holding & GOODS_MASK),
        shown=position.shown[seat],
        herd=holding >> CAMEL_SHIFT if herd_open else None,
        goods_tokens=position.goods_tokens[seat],
        rupees=position.rupees[seat],
        bonuses=_bonuses_by_pile(bonuses),
        bonus_values=bonus_values(bonuses) if bonuses_open else None,
    )


@lru_cache
def bonus_values(bonuses: int) -> tuple[int, ...]:
    """The values of a trader's bonus tokens, lowest first."""
    return tuple(value for value in range(1, 11) for _ in range(bonuses >> 4 * value & 15))


@lru_cache
def _bonuses_by_pile(bonuses: int) -> tuple[int, ...]:
    values = bonus_values(bonuses)
    return tuple(sum(value in tokens for value in values) for tokens in BONUS_TOKENS)


def deal_unseen(view: View, rng: Random) -> Position:
    """A position with this very view, every unseen card and token drawn evenly from where it may lie."""
    seat, other = view.seat, 1 - view.seat
    hidden, deck = _draw_hidden(view, rng)
    position = Position()
    position.starter = view.starter
    position.turn = view.turn
    position.moves_played = view.moves_played
    position.ended = view.ended
    position.market = view.market
    position.drawn = DECK_SIZE - len(deck)
    position.deck = [NO_CARD] * position.drawn + deck
    position.discard = view.discard
    position.discard_top = view.discard_top
    position.tokens_taken = list(view.tokens_taken)
    position.bonus_taken = list(view.bonus_taken)
    position.holdings[seat] = view.hand + (view.herd << CAMEL_SHIFT)
    position.holdings[other] = view.other.shown + hidden + (view.other_herd() << CAMEL_SHIFT)
    for chair, trader in ((seat, view.own), (other, view.other)):
        position.shown[chair] = trader.shown
        position.goods_tokens[chair] = trader.goods_tokens
        position.rupees[chair] = trader.rupees
    _draw_bonuses(view, position, rng)
    return position


def _draw_hidden(view: View, rng: Random) -> tuple[Pile, list[Kind]]:
    """Split the unseen cards into the unknown part of the other hand, which is all goods, and the deck."""
    unseen = shuffle(cards_in(view.unseen()), rng)
    hidden = 0
    for _ in range(view.other.hand - size(view.other.shown)):
        place = next(place for place, kind in enumerate(unseen) if kind != CAMEL)
        hidden += 1 << 4 * unseen.pop(place)
    return hidden, unseen


def _draw_bonuses(view: View, position: Position, rng: Random) -> None:
    """Give the other trader unseen tokens of the piles they came from, and shuffle what is left of each pile."""
    own = view.own.bonus_values or ()
    for pile, tokens in enumerate(BONUS_TOKENS):
        unseen = shuffle(_without(tokens, [value for value in own if value in tokens]), rng)
        if view.other.bonus_values is None:
            theirs = unseen[: view.other.bonuses[pile]]
        else:
            theirs = [value for value in view.other.bonus_values if value in tokens]
        left = _without(unseen, theirs)
        last = BONUS_ROW * pile + BONUS_SIZES[pile]
        position.bonus[last - len(left) : last] = left
        position.bonuses[1 - view.seat] += sum(1 << 4 * value for value in theirs)
    position.bonuses[view.seat] = sum(1 << 4 * value for value in own)


def _without(tokens: tuple[int, ...] | list[int], gone: list[int]) -> list[int]:
    left = list(tokens)
    for value in gone:
        left.remove(value)
    return left
