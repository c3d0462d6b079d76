"""Drawing the table as text: a position from above, or a view from its seat.

One line a thing, so that a failing test can be read and a test can start from such a drawing; `notation.drawing` reads
it back. What a seat cannot see is drawn as a number.
"""

from collections.abc import Iterable, Sequence

from jaipur.rules.cards import GOODS, LETTERS, Pile, Seat, cards_in, letters_of
from jaipur.rules.position import ENDINGS, NO_CARD, Position
from jaipur.rules.tokens import BONUS_SIZES, GOODS_TOKENS, SMALLEST_BONUS_SALE
from jaipur.rules.view import Trader, View, bonus_values

BAR = " | "


def draw(position: Position) -> str:
    """The whole table from above, hidden cards and all."""
    bonus = [spaced(position.bonus_left(pile)) for pile in range(3)]
    lines = [
        _round(position),
        _line("deck", spaced(LETTERS[kind] for kind in position.deck_left())),
        *_middle(position, bonus),
    ]
    for seat in (0, 1):
        parts = [
            f"hand {cards(position.hand(seat))}",
            f"shown {cards(position.shown[seat])}",
            f"herd {position.herd(seat)}",
            *_winnings(position.goods_tokens[seat], position.rupees[seat]),
            f"bonus {spaced(bonus_values(position.bonuses[seat]))}",
        ]
        lines.append(_seat(seat, position.turn, parts))
    return "\n".join(lines)


def draw_view(view: View) -> str:
    """The table as one seat knows it."""
    left = [size - taken for size, taken in zip(BONUS_SIZES, view.bonus_taken, strict=True)]
    lines = [
        _round(view),
        _line("deck", f"{view.deck} cards"),
        *_middle(view, [f"{tokens} left" for tokens in left]),
    ]
    traders = {view.seat: view.own, 1 - view.seat: view.other}
    for seat in (0, 1):
        trader = traders[seat]
        own = seat == view.seat
        parts = [
            f"hand {cards(view.hand) if own else f'{trader.hand} cards'}",
            f"shown {cards(trader.shown)}",
            f"herd {'hidden' if trader.herd is None else trader.herd}",
            *_winnings(trader.goods_tokens, trader.rupees),
            f"bonus {_bonuses(trader)}",
        ]
        lines.append(_seat(seat, view.turn, parts))
    return "\n".join(lines)


def cards(pile: Pile) -> str:
    return spaced(LETTERS[kind] for kind in cards_in(pile))


def spaced(things: Iterable[object]) -> str:
    return " ".join(map(str, things)) or "-"


def _round(table: Position | View) -> str:
    ending = ENDINGS[table.ended] or "no"
    return _line(
        "round", f"moves {table.moves_played}{BAR}starter {table.starter}{BAR}ended {ending}"
    )


def _middle(table: Position | View, bonus: Sequence[str]) -> list[str]:
    tokens = [
        f"{LETTERS[good]} {spaced(GOODS_TOKENS[good][table.tokens_taken[good] :])}"
        for good in GOODS
    ]
    piles = [f"{SMALLEST_BONUS_SALE + pile}: {left}" for pile, left in enumerate(bonus)]
    discard = letters_of(table.discard)
    top = "" if table.discard_top == NO_CARD else f"{BAR}top {LETTERS[table.discard_top]}"
    return [
        _line("market", cards(table.market)),
        _line("discard", spaced(discard) + top),
        _line("tokens", BAR.join(tokens)),
        _line("bonus", BAR.join(piles)),
    ]


def _winnings(tokens: Pile, rupees: int) -> list[str]:
    return [f"tokens {cards(tokens)}", f"rupees {rupees}"]


def _bonuses(trader: Trader) -> str:
    if trader.bonus_values is not None:
        return spaced(trader.bonus_values)
    held = enumerate(trader.bonuses, SMALLEST_BONUS_SALE)
    return ", ".join(f"{tokens} of {pile}" for pile, tokens in held if tokens) or "-"


def _seat(seat: Seat, turn: Seat, parts: Sequence[str]) -> str:
    return _line(f"seat {seat}", BAR.join(parts), ">" if seat == turn else " ")


def _line(label: str, text: str, mark: str = " ") -> str:
    return f"{mark} {label:<8} {text}".rstrip()
