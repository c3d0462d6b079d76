"""Cards and piles as letters: `DGSCPLM`, always in this order where the order means nothing."""

from jaipur.notation.errors import NotationError
from jaipur.rules.cards import COPIES, KINDS, LETTERS, NAMES, Kind, Pile, letters_of, pile_of


def write_pile(pile: Pile) -> str:
    return letters_of(pile)


def read_cards(text: str) -> tuple[Kind, ...]:
    """Cards in the order they are written."""
    for place, letter in enumerate(text):
        if letter not in LETTERS:
            raise NotationError(f"Cards are {LETTERS}", text, place)
    return tuple(map(LETTERS.index, text))


def read_card(text: str) -> Kind:
    """One card."""
    if len(text) != 1:
        raise NotationError("This is not one card", text or "nothing")
    return read_cards(text)[0]


def read_pile(text: str) -> Pile:
    """Cards whose order means nothing."""
    cards = read_cards(text)
    for kind in KINDS:
        if cards.count(kind) > COPIES[kind]:
            raise NotationError(f"The pack has only {COPIES[kind]} {NAMES[kind]}", text)
    return pile_of(cards)
