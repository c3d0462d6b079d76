"""Draws the table in 80 columns and 24 rows, without scrolling. A wide terminal shows a panel beside the table.

The parts from top to bottom are: the opponent, the market with the deck and the discard pile, the tokens, the last
turns, the player's hand.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from rich.cells import cell_len
from rich.text import Text

from jaipur.rules import Card, Trader, View, tokens
from jaipur.rules.cards import CAMEL, GOODS, LETTERS, Kind
from jaipur.rules.game import SEALS_TO_WIN
from jaipur.rules.moves import HAND_LIMIT
from jaipur.terminal.card_drawing import COLOURS, FAINT, card_rows, side_by_side
from jaipur.terminal.pages import fold
from jaipur.terminal.player_input import command_names
from jaipur.terminal.screen import WIDTH
from jaipur.terminal.view_model import ViewModel
from jaipur.words import Words

_SIDE = 58
"""The column of the texts beside the market."""
_NAME = 9  # the width of the name of a good


def draw_table(model: ViewModel, words: Words, height: int, note: str = "") -> list[Text]:
    """Return the rows of the table, without the input line.

    If there are too many rows for `height`, leave out the older of the two last turns.
    """
    view = model.view
    rule, gap = Text("─" * WIDTH, FAINT), Text("")
    below = _folded(note, f"bold {COLOURS[Card.GOLD]}", "•") if note else [Text("")]
    rows = [
        _trader_row(model.other_name, view.other, False, words),
        rule,
        *_market(model, words),
        gap,
        *_tokens(view, words),
        rule,
        *_news(model.news),
        rule,
        *side_by_side([card_rows(kind, words) for kind in view.hand]),
        _trader_row(model.own_name, view.own, True, words),
        *below,
        Text(" " + words.say("hint", **command_names(words)), FAINT),
    ]
    if len(rows) >= height:
        rows = [row for row in rows if row is not gap]
        if len(rows) >= height and len(model.news) > 1:
            return draw_table(replace(model, news=model.news[-1:]), words, height, note)
        return rows
    if len(rows) + 2 * rows.count(rule) < height:
        return [line for row in rows for line in ([gap, row, gap] if row is rule else [row])]
    return rows


def add_panel(rows: Sequence[Text], title: str, lines: Sequence[str]) -> list[Text]:
    """Add a panel to the right of the table."""
    panel = [Text(title, "bold"), *map(Text, lines)]
    return [
        _beside(left, Text.assemble(("│ ", FAINT), right), WIDTH + 1)
        for left, right in zip_longest(rows, panel, fillvalue=Text(""))
    ]


def _trader_row(name: str, trader: Trader, own: bool, words: Words) -> Text:
    """Draw the row of a trader. The rows of both traders have the same columns."""
    seals = "◆" * trader.seals + "◇" * (SEALS_TO_WIN - trader.seals)
    backs = "" if own else "▒" * trader.hand + "·" * (HAND_LIMIT - trader.hand) + " "
    herd = "?" if trader.herd is None else str(trader.herd)
    cells = (
        (Text(name, "bold"), 17),
        (_labelled(words.say("label.seals"), seals, COLOURS[Card.GOLD]), 11),
        (_labelled(words.say("label.hand"), f"{backs}{trader.hand}/{HAND_LIMIT}"), 18),
        (_labelled(words.say("label.herd"), herd, COLOURS[CAMEL]), 11),
        (_winnings(trader, words), 0),
    )
    row = Text(" ")
    for cell, width in cells:
        cell.pad_right(max(0, width - cell.cell_len))
        row.append_text(cell)
    return row


def _winnings(trader: Trader, words: Words) -> Text:
    """Draw the rupees and the bonus tokens of a trader.

    The trader sees the values of the bonus tokens. The opponent sees only their number.
    """
    bonus, values = words.say("label.bonus"), trader.bonus_values
    rupees = words.say("rupees", n=trader.rupees + sum(values or ()))
    if values:
        bonus = f" ({sum(values)} {bonus})"
    elif values is None and any(trader.bonuses):
        bonus = f" + {sum(trader.bonuses)} {bonus}"
    else:
        bonus = ""
    return Text.assemble((rupees, "bold"), bonus)


def _market(model: ViewModel, words: Words) -> list[Text]:
    view = model.view
    cards = [
        card_rows(kind, words, slot in model.new_slots) for slot, kind in enumerate(model.slots)
    ]
    top = Text("")
    if view.discard_top is not None:
        top = Text(f" {words.card(view.discard_top)}", COLOURS[view.discard_top])
    empty = sum(not view.tokens_left(good) for good in GOODS)
    ends = words.say("label.empty_piles", n=empty, limit=tokens.EMPTY_PILES_THAT_END)
    side = [
        Text(words.say("label.round", number=model.round_number), "bold"),
        _labelled(words.say("label.deck"), str(view.deck)),
        _labelled(words.say("label.discard"), str(len(view.discard))).append_text(top),
        Text(""),
        Text(ends if empty else "", "bold"),
    ]
    return list(map(_beside, side_by_side(cards), side))


def _tokens(view: View, words: Words) -> list[Text]:
    """Draw the goods tokens in two columns, and the number of bonus tokens left for each size of sale."""
    rows = []
    for row in range(3):
        line = Text(" ").append_text(_pile(view, row, words))
        line.pad_right(25 - line.cell_len)
        line.append_text(_pile(view, row + 3, words))
        left = tokens.BONUS_SIZES[row] - view.bonus_taken[row]
        size = tokens.SMALLEST_BONUS_SALE + row
        sale = f"{size}+" if size == tokens.LARGEST_BONUS_SALE else str(size)
        bonus = _labelled(words.say("label.bonus_for", size=sale), f"×{left}")
        rows.append(_beside(line, bonus))
    return rows


def _pile(view: View, good: Kind, words: Words) -> Text:
    values = view.tokens_left(good)
    colour = COLOURS[good]
    name = words.kind(good)
    name += " " * max(1, _NAME - cell_len(name))
    letter = (f"{LETTERS[good]} ", f"bold {colour}")
    if not values:
        empty = f"─ {words.say('label.empty')} ─"
        return Text.assemble(letter, (name, f"strike {FAINT}"), (empty, FAINT))
    top, rest = str(values[0]), "".join(f" {value}" for value in values[1:])
    return Text.assemble(letter, (name, colour), (top, "bold"), rest)


def _news(news: Sequence[str]) -> list[Text]:
    """Draw the last turns. The latest turn is bold."""
    rows: list[Text] = []
    for index, sentence in enumerate(news):
        last = index == len(news) - 1
        rows.extend(_folded(sentence, "bold" if last else "", "›" if last else " "))
    return rows if len(rows) > 1 else [Text(""), *rows]


def _folded(sentence: str, style: str, mark: str) -> list[Text]:
    return [Text(row, style) for row in fold(sentence, WIDTH - 1, f" {mark} ", "   ")]


def _labelled(label: str, value: str, colour: str = "") -> Text:
    return Text.assemble((f"{label} ", FAINT), (value, f"bold {colour}"))


def _beside(row: Text, side: Text, column: int = _SIDE) -> Text:
    row = row.copy()
    row.pad_right(max(0, column - row.cell_len))
    return row.append_text(side)
