"""Cards drawn with block characters: each kind has a picture, a letter, a name and a colour."""

from collections.abc import Sequence

from rich.text import Text

from jaipur.rules import LETTERS, Kind
from jaipur.rules.cards import NO_CARD
from jaipur.words import Words

CARD_WIDTH = 10
CARD_HEIGHT = 5
_INSIDE = CARD_WIDTH - 2

# Colours of middling brightness, to be read on black and on white, from the palette of 256 that most terminals have.
COLOURS = ("#d7005f", "#d78700", "#8787af", "#af5fd7", "#5faf5f", "#af5f00", "#af875f")
FRESH, FAINT = "bold", "bright_black"

# Two rows a picture: a cut stone, stacked bars, an ewer, folded cloth, a heaped bowl, a hide, a camel.
PICTURES = (
    (" ▗▟██▙▖ ", "  ▝▜▛▘  "),
    ("  ▟██▙  ", " ▟█▙▟█▙ "),
    ("  ▗▆▖▖  ", "  ▐██▘  "),
    (" ▆▆▆▆▆▆ ", " ▚▚▚▚▚▚ "),
    ("  ▗▟▙▖  ", " ▜████▛ "),
    (" ▜▙▄▄▟▛ ", " ▟▛▀▀▜▙ "),
    (" ▗▟▙▖▟▀ ", " ▐▛▀▜▛  "),
)


def card_rows(kind: Kind, words: Words, fresh: bool = False) -> list[Text]:
    """A card, five rows of ten columns; a new one in the market has a dot in its corner."""
    if kind == NO_CARD:
        return [Text(" " * CARD_WIDTH)] * CARD_HEIGHT
    colour = COLOURS[kind]
    edge = f"{FRESH} {colour}" if fresh else colour
    corner = "•" if fresh else "─"
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
    """Cards in a row, one column apart."""
    return [Text(" ").join(rows) for rows in zip(*cards, strict=True)] or [Text("")] * CARD_HEIGHT
