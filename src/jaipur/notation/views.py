"""Views as JSON, for bots and browsers.

A pile is a string of letters and a seat is a number. Goods tokens are lists of the values left in each pile, top first.
"""

from msgspec import Struct, json

from jaipur.notation.decoding import decode
from jaipur.rules import NotationError, Pile
from jaipur.rules.cards import LETTERS, Card, Rupees, Seat, parse_cards
from jaipur.rules.endings import Ending
from jaipur.rules.tokens import BONUS_SIZES, GOODS_TOKENS, SMALLEST_BONUS_SALE
from jaipur.rules.view import Trader, View

BONUS_NAMES = tuple(str(SMALLEST_BONUS_SALE + pile) for pile in range(len(BONUS_SIZES)))


class TraderData(Struct, frozen=True):
    """The cards and tokens of one trader that both traders know."""

    seals: int
    hand: int
    shown: str
    herd: int | None
    goods_tokens: str
    rupees: Rupees
    bonuses: dict[str, int]
    bonus_values: tuple[int, ...] | None


class ViewData(Struct, frozen=True):
    """The round as one seat sees it."""

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
    """Return the view as one line of JSON. Equal views give identical text."""
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
        ended=view.ended,
        market=str(view.market),
        deck=view.deck,
        discard=str(view.discard),
        discard_top=None if view.discard_top is None else view.discard_top.letter,
        tokens={
            LETTERS[good]: GOODS_TOKENS[good][taken:]
            for good, taken in enumerate(view.tokens_taken)
        },
        bonus=dict(zip(BONUS_NAMES, left, strict=True)),
        hand=str(view.hand),
        herd=view.herd,
        own=_trader_data(view.own),
        other=_trader_data(view.other),
    )


def view_from_data(data: ViewData) -> View:
    """Convert JSON fields back to a view. Raise `NotationError` for wrong letters or missing piles."""
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
        ended=data.ended,
        market=Pile.parse(data.market),
        deck=data.deck,
        discard=Pile.parse(data.discard),
        discard_top=_read_card(data.discard_top),
        tokens_taken=tuple(
            len(pile) - len(data.tokens[LETTERS[good]]) for good, pile in enumerate(GOODS_TOKENS)
        ),
        bonus_taken=tuple(size - tokens for size, tokens in zip(BONUS_SIZES, left, strict=True)),
        hand=Pile.parse(data.hand),
        herd=data.herd,
        own=_trader_from_data(data.own),
        other=_trader_from_data(data.other),
    )


def _read_card(text: str | None) -> Card | None:
    if text is None:
        return None
    if len(text) != 1:
        raise NotationError("This is not one card", text or "nothing")
    return parse_cards(text)[0]


def _trader_data(trader: Trader) -> TraderData:
    return TraderData(
        seals=trader.seals,
        hand=trader.hand,
        shown=str(trader.shown),
        herd=trader.herd,
        goods_tokens=str(trader.goods_tokens),
        rupees=trader.rupees,
        bonuses=dict(zip(BONUS_NAMES, trader.bonuses, strict=True)),
        bonus_values=trader.bonus_values,
    )


def _trader_from_data(data: TraderData) -> Trader:
    return Trader(
        seals=data.seals,
        hand=data.hand,
        shown=Pile.parse(data.shown),
        herd=data.herd,
        goods_tokens=Pile.parse(data.goods_tokens),
        rupees=data.rupees,
        bonuses=_by_pile(data.bonuses, "bonuses"),
        bonus_values=data.bonus_values,
    )


def _by_pile(numbers: dict[str, int], name: str) -> tuple[int, ...]:
    if missing := set(BONUS_NAMES) - numbers.keys():
        raise NotationError(f"“{name}” has no pile {min(missing)}")
    return tuple(numbers[pile] for pile in BONUS_NAMES)
