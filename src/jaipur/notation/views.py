"""Views as JSON: the wire form of what one seat knows.

Piles are letters, seats are numbers, goods tokens are the values left in each pile, top first.
"""

from msgspec import Struct, json

from jaipur.notation.cards import read_card, read_pile, write_pile
from jaipur.notation.decoding import decode
from jaipur.notation.errors import NotationError
from jaipur.rules.cards import LETTERS, Rupees, Seat
from jaipur.rules.position import ENDINGS, NO_CARD, Ending
from jaipur.rules.tokens import BONUS_SIZES, GOODS_TOKENS, SMALLEST_BONUS_SALE
from jaipur.rules.view import Trader, View

BONUS_NAMES = tuple(str(SMALLEST_BONUS_SALE + pile) for pile in range(len(BONUS_SIZES)))


class TraderData(Struct, frozen=True):
    """The public part of one trader, and the cards of the hand that both traders know."""

    seals: int
    hand: int
    shown: str
    herd: int | None
    goods_tokens: str
    rupees: Rupees
    bonuses: dict[str, int]
    bonus_values: tuple[int, ...] | None


class ViewData(Struct, frozen=True):
    """The round from one seat."""

    seat: Seat
    starter: Seat
    turn: Seat
    moves_played: int
    ended: Ending | None
    market: str
    deck: int
    discard: str
    discard_top: str | None
    tokens: dict[str, tuple[int, ...]]
    bonus: dict[str, int]
    hand: str
    herd: int
    own: TraderData
    other: TraderData


def write_view(view: View) -> str:
    """One line of JSON; equal views give equal bytes."""
    return json.encode(view_data(view)).decode()


def read_view(text: str) -> View:
    return view_from_data(decode(text, ViewData))


def view_data(view: View) -> ViewData:
    left = [size - taken for size, taken in zip(BONUS_SIZES, view.bonus_taken, strict=True)]
    return ViewData(
        seat=view.seat,
        starter=view.starter,
        turn=view.turn,
        moves_played=view.moves_played,
        ended=ENDINGS[view.ended],
        market=write_pile(view.market),
        deck=view.deck,
        discard=write_pile(view.discard),
        discard_top=None if view.discard_top == NO_CARD else LETTERS[view.discard_top],
        tokens={
            LETTERS[good]: GOODS_TOKENS[good][taken:]
            for good, taken in enumerate(view.tokens_taken)
        },
        bonus=dict(zip(BONUS_NAMES, left, strict=True)),
        hand=write_pile(view.hand),
        herd=view.herd,
        own=_trader_data(view.own),
        other=_trader_data(view.other),
    )


def view_from_data(data: ViewData) -> View:
    """The inverse of `view_data`, with the letters and names checked."""
    if {data.seat, data.starter, data.turn} - {0, 1}:
        raise NotationError("“seat”, “starter” and “turn” are seats, 0 or 1")
    if missing := set(LETTERS[: len(GOODS_TOKENS)]) - data.tokens.keys():
        raise NotationError(f"“tokens” has no pile {min(missing)}")
    left = _by_pile(data.bonus, "bonus")
    return View(
        seat=data.seat,
        starter=data.starter,
        turn=data.turn,
        moves_played=data.moves_played,
        ended=ENDINGS.index(data.ended),
        market=read_pile(data.market),
        deck=data.deck,
        discard=read_pile(data.discard),
        discard_top=NO_CARD if data.discard_top is None else read_card(data.discard_top),
        tokens_taken=tuple(
            len(pile) - len(data.tokens[LETTERS[good]]) for good, pile in enumerate(GOODS_TOKENS)
        ),
        bonus_taken=tuple(size - tokens for size, tokens in zip(BONUS_SIZES, left, strict=True)),
        hand=read_pile(data.hand),
        herd=data.herd,
        own=_trader_from_data(data.own),
        other=_trader_from_data(data.other),
    )


def _trader_data(trader: Trader) -> TraderData:
    return TraderData(
        seals=trader.seals,
        hand=trader.hand,
        shown=write_pile(trader.shown),
        herd=trader.herd,
        goods_tokens=write_pile(trader.goods_tokens),
        rupees=trader.rupees,
        bonuses=dict(zip(BONUS_NAMES, trader.bonuses, strict=True)),
        bonus_values=trader.bonus_values,
    )


def _trader_from_data(data: TraderData) -> Trader:
    return Trader(
        seals=data.seals,
        hand=data.hand,
        shown=read_pile(data.shown),
        herd=data.herd,
        goods_tokens=read_pile(data.goods_tokens),
        rupees=data.rupees,
        bonuses=_by_pile(data.bonuses, "bonuses"),
        bonus_values=data.bonus_values,
    )


def _by_pile(numbers: dict[str, int], name: str) -> tuple[int, ...]:
    if missing := set(BONUS_NAMES) - numbers.keys():
        raise NotationError(f"“{name}” has no pile {min(missing)}")
    return tuple(numbers[pile] for pile in BONUS_NAMES)
