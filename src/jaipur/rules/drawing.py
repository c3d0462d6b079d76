"""Drawings of the table as text. `draw` shows all cards of a position, `draw_view` shows only what one seat knows.

Each line shows one part of the table. If cards are hidden, the drawing shows their number. `notation.drawing` parses
drawings.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .cards import CARDS, GOODS, LETTERS, Card, PileCode, Seat, cards_in, letters_of
from .endings import ENDINGS, Ending
from .tokens import BONUS_SIZES, GOODS_TOKENS, SMALLEST_BONUS_SALE, bonus_values

if TYPE_CHECKING:
    from .position import Position
    from .view import Trader, View

BAR = " | "


def draw(position: "Position") -> str:
    """Draw the whole table, including hidden cards."""
    bonus = [spaced(position.bonus_left(pile)) for pile in range(3)]
    top = (*CARDS, None)[position.discard_top]
    lines = [
        _round(position, ENDINGS[position.ended]),
        _line("deck", spaced(card.letter for card in position.deck_left())),
        *_middle(position, top, bonus),
    ]
    for seat in (0, 1):
        parts = [
            f"hand {cards(position.hand(seat))}",
            f"shown {cards(position.shown[seat])}",
            f"herd {position.herd(seat)}",
            f"tokens {cards(position.goods_tokens[seat])}",
            f"rupees {position.rupees[seat]}",
            f"bonus {spaced(bonus_values(position.bonuses[seat]))}",
        ]
        lines.append(_seat(seat, position.turn, parts))
    return "\n".join(lines)


def draw_view(view: "View") -> str:
    """Draw the table as one seat knows it."""
    left = [size - taken for size, taken in zip(BONUS_SIZES, view.bonus_taken, strict=True)]
    lines = [
        _round(view, view.ended),
        _line("deck", f"{view.deck} cards"),
        *_middle(view, view.discard_top, [f"{tokens} left" for tokens in left]),
    ]
    traders = {view.seat: view.own, 1 - view.seat: view.other}
    for seat in (0, 1):
        trader = traders[seat]
        parts = [
            f"hand {cards(view.hand) if seat == view.seat else f'{trader.hand} cards'}",
            f"shown {cards(trader.shown)}",
            f"herd {'hidden' if trader.herd is None else trader.herd}",
            f"tokens {cards(trader.goods_tokens)}",
            f"rupees {trader.rupees}",
            f"bonus {_bonuses(trader)}",
        ]
        lines.append(_seat(seat, view.turn, parts))
    return "\n".join(lines)


def cards(pile: PileCode) -> str:
    return spaced(LETTERS[kind] for kind in cards_in(pile))


def spaced(items: Iterable[object]) -> str:
    return " ".join(map(str, items)) or "-"


def _round(table: "Position | View", ended: Ending | None) -> str:
    parts = (f"moves {table.moves_played}", f"starter {table.starter}", f"ended {ended or 'no'}")
    return _line("round", BAR.join(parts))


def _middle(table: "Position | View", top: Card | None, bonus: Sequence[str]) -> list[str]:
    tokens = [
        f"{LETTERS[good]} {spaced(GOODS_TOKENS[good][table.tokens_taken[good] :])}"
        for good in GOODS
    ]
    piles = [f"{SMALLEST_BONUS_SALE + pile}: {left}" for pile, left in enumerate(bonus)]
    top_card = f"{BAR}top {top.letter}" if top is not None else ""
    return [
        _line("market", cards(table.market)),
        _line("discard", spaced(letters_of(table.discard)) + top_card),
        _line("tokens", BAR.join(tokens)),
        _line("bonus", BAR.join(piles)),
    ]


def _bonuses(trader: "Trader") -> str:
    if trader.bonus_values is not None:
        return spaced(trader.bonus_values)
    held = enumerate(trader.bonuses, SMALLEST_BONUS_SALE)
    return ", ".join(f"{tokens} of {pile}" for pile, tokens in held if tokens) or "-"


def _seat(seat: Seat, turn: Seat, parts: Sequence[str]) -> str:
    return _line(f"seat {seat}", BAR.join(parts), ">" if seat == turn else " ")


def _line(label: str, text: str, mark: str = " ") -> str:
    return f"{mark} {label:<8} {text}".rstrip()
