"""Draws cards with block characters. Each kind of card has a picture, a letter, a name and a colour."""

from collections.abc import Sequence

from rich.text import Text

from jaipur.rules.cards import LETTERS, NO_CARD, Kind
from jaipur.words import Words

CARD_WIDTH = 10
CARD_HEIGHT = 5
_INSIDE = CARD_WIDTH - 2

# Colours of the 256-colour palette that are readable on black and on white.
COLOURS = ("#d7005f", "#d78700", "#8787af", "#af5fd7", "#5faf5f", "#af5f00", "#af875f")
FAINT = "bright_black"

# Each picture has two rows. They show a cut stone, stacked bars, a jug, folded cloth, a heaped bowl, a hide, a camel.
PICTURES = (
    (" ▗▟██▙▖ ", "  ▝▜▛▘  "),
    ("  ▟██▙  ", " ▟█▙▟█▙ "),
    ("  ▗▆▖▖  ", "  ▐██▘  "),
    (" ▆▆▆▆▆▆ ", " ▚▚▚▚▚▚ "),
    ("  ▗▟▙▖  ", " ▜████▛ "),
    (" ▜▙▄▄▟▛ ", " ▟▛▀▀▜▙ "),
    (" ▗▟▙▖▟▀ ", " ▐▛▀▜▛  "),
)


def card_rows(kind: Kind, words: Words, new: bool = False) -> list[Text]:
    """Draw a card with five rows and ten columns. If `new` is true, the card has a dot in its corner."""
    if kind == NO_CARD:
        return [Text(" " * CARD_WIDTH)] * CARD_HEIGHT
    colour = COLOURS[kind]
    edge = f"bold {colour}" if new else colour
    corner = "•" if new else "─"
    inside = (*PICTURES[kind], words.card(kind).center(_INSIDE))
    rows = [
        Text.assemble(("│", edge), (row, style), ("│", edge))
        for row, style in zip(inside, (colour, colour, ""), strict=True)
    ]
    letter = (f" {LETTERS[kind]} ", f"bold {colour}")
    top = Text.assemble(("╭─", edge), letter, (f"──{corner}─╮", edge))
    return [top, *rows, Text("╰" + "─" * _INSIDE + "╯", edge)]


def side_by_side(cards: Sequence[Sequence[Text]]) -> list[Text]:
    """Draw cards next to each other, with a space before each card."""
    space = Text(" ")
    rows = [space.join([Text(""), *parts]) for parts in zip(*cards, strict=True)]
    return rows or [space] * CARD_HEIGHT
