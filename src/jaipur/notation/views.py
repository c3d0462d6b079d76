"""Views as JSON: the one thing of a running round that leaves the house.

Piles are letters, seats are numbers, goods tokens are the values left in each pile, top first.
"""

import json

from jaipur.notation.cards import read_card, read_pile, write_pile
from jaipur.notation.errors import NotationError
from jaipur.notation.fields import Data, field, numbers, optional, parse_object
from jaipur.rules.cards import LETTERS
from jaipur.rules.position import ENDINGS, NO_CARD
from jaipur.rules.tokens import BONUS_SIZES, GOODS_TOKENS, SMALLEST_BONUS_SALE
from jaipur.rules.view import Trader, View

BONUS_NAMES = tuple(str(SMALLEST_BONUS_SALE + pile) for pile in range(len(BONUS_SIZES)))


def write_view(view: View) -> str:
    """One line of JSON; equal views give equal bytes."""
    return json.dumps(view_as_data(view), separators=(",", ":"))


def read_view(text: str) -> View:
    return view_from_data(parse_object(text))


def view_as_data(view: View) -> dict[str, object]:
    left = [size - taken for size, taken in zip(BONUS_SIZES, view.bonus_taken, strict=True)]
    return {
        "seat": view.seat,
        "starter": view.starter,
        "turn": view.turn,
        "moves_played": view.moves_played,
        "ended": ENDINGS[view.ended],
        "market": write_pile(view.market),
        "deck": view.deck,
        "discard": write_pile(view.discard),
        "discard_top": None if view.discard_top == NO_CARD else LETTERS[view.discard_top],
        "tokens": {
            LETTERS[good]: list(GOODS_TOKENS[good][taken:])
            for good, taken in enumerate(view.tokens_taken)
        },
        "bonus": dict(zip(BONUS_NAMES, left, strict=True)),
        "hand": write_pile(view.hand),
        "herd": view.herd,
        "own": _trader_as_data(view.own),
        "other": _trader_as_data(view.other),
    }


def view_from_data(data: Data) -> View:
    """A view from its data; fields it does not know are passed over."""
    ended = optional(data, "ended", str)
    if ended not in ENDINGS:
        raise NotationError(f"“ended” is none of {', '.join(filter(None, ENDINGS))}")
    tokens: dict[str, object] = field(data, "tokens", dict)
    bonus: dict[str, object] = field(data, "bonus", dict)
    top = optional(data, "discard_top", str)
    left = [field(bonus, name, int) for name in BONUS_NAMES]
    return View(
        seat=_seat(data, "seat"),
        starter=_seat(data, "starter"),
        turn=_seat(data, "turn"),
        moves_played=field(data, "moves_played", int),
        ended=ENDINGS.index(ended),
        market=read_pile(field(data, "market", str)),
        deck=field(data, "deck", int),
        discard=read_pile(field(data, "discard", str)),
        discard_top=NO_CARD if top is None else read_card(top),
        tokens_taken=tuple(
            len(pile) - len(numbers(tokens, LETTERS[good]))
            for good, pile in enumerate(GOODS_TOKENS)
        ),
        bonus_taken=tuple(size - tokens for size, tokens in zip(BONUS_SIZES, left, strict=True)),
        hand=read_pile(field(data, "hand", str)),
        herd=field(data, "herd", int),
        own=_trader_from_data(field(data, "own", dict)),
        other=_trader_from_data(field(data, "other", dict)),
    )


def _trader_as_data(trader: Trader) -> dict[str, object]:
    return {
        "seals": trader.seals,
        "hand": trader.hand,
        "shown": write_pile(trader.shown),
        "herd": trader.herd,
        "goods_tokens": write_pile(trader.goods_tokens),
        "rupees": trader.rupees,
        "bonuses": dict(zip(BONUS_NAMES, trader.bonuses, strict=True)),
        "bonus_values": None if trader.bonus_values is None else list(trader.bonus_values),
    }


def _trader_from_data(data: Data) -> Trader:
    bonuses: dict[str, object] = field(data, "bonuses", dict)
    return Trader(
        seals=field(data, "seals", int),
        hand=field(data, "hand", int),
        shown=read_pile(field(data, "shown", str)),
        herd=optional(data, "herd", int),
        goods_tokens=read_pile(field(data, "goods_tokens", str)),
        rupees=field(data, "rupees", int),
        bonuses=tuple(field(bonuses, name, int) for name in BONUS_NAMES),
        bonus_values=(
            None if optional(data, "bonus_values", list) is None else numbers(data, "bonus_values")
        ),
    )


def _seat(data: Data, name: str) -> int:
    seat = field(data, name, int)
    if seat not in (0, 1):
        raise NotationError(f"“{name}” is a seat, 0 or 1")
    return seat
