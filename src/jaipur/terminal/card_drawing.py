"""Cards drawn with block characters: a picture, a letter, a name and a colour per kind."""

from collections.abc import Sequence

from rich.text import Text

from jaipur.rules.cards import LETTERS, NO_CARD, Kind
from jaipur.words import Words

CARD_WIDTH = 10
CARD_HEIGHT = 5
_INSIDE = CARD_WIDTH - 2

# Colours of the 256-colour palette that are readable on black and on white.
COLOURS = ("#d7005f", "#d78700", "#8787af", "#af5fd7", "#5faf5f", "#af5f00", "#af875f")
NEW, FAINT = "bold", "bright_black"

# Two rows per picture: a cut stone, stacked bars, an ewer, folded cloth, a heaped bowl, a hide, a camel.
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
    """A card of five rows and ten columns; a new market card has a dot in its corner."""
    if kind == NO_CARD:
        return [Text(" " * CARD_WIDTH)] * CARD_HEIGHT
    colour = COLOURS[kind]
    edge = f"{NEW} {colour}" if new else colour
    corner = "•" if new else "─"
    upper, lower = PICTURES[kind]
    name = words.card(kind).center(_INSIDE)
    letter = (f" {LETTERS[kind]} ", f"bold {colour}")
    return [
        Text.assemble(("╭─", edge), letter, (f"──{corner}─╮", edge)),
        _framed(upper, colour, edge),
        _framed(lower, colour, edge),
        _framed(name, "", edge),
        Text("╰" + "─" * _INSIDE + "╯", edge),
    ]


def _framed(inside: str, style: str, edge: str) -> Text:
    return Text.assemble(("│", edge), (inside, style), ("│", edge))


def side_by_side(cards: Sequence[Sequence[Text]]) -> list[Text]:
    """Cards in one row, separated by a space."""
    return [Text(" ").join(rows) for rows in zip(*cards, strict=True)] or [Text("")] * CARD_HEIGHT
