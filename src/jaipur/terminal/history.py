"""The turns of a round as one seat saw them, and the slots of the market cards.

The rules treat the market as a pile. On the screen each card keeps its slot: a card that leaves empties it, and new
cards fill empty slots from the left, first those of an exchange, then those of the deck.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jaipur.rules import Round, Seat, new_round
from jaipur.rules.cards import CAMEL, NO_CARD, Kind, cards_in, parse_cards
from jaipur.table.happenings import AnyHappening, Gave, Refilled, Took, happenings_of


@dataclass(frozen=True, slots=True)
class History:
    """The events of every turn, and the market after the last one."""

    turns: Sequence[Sequence[AnyHappening]]
    slots: tuple[Kind, ...]
    """The card in each market slot; `NO_CARD` if it is empty."""
    new_slots: frozenset[int]
    """Slots filled in the last two turns: since the player to move last chose."""


def history_of(played: Round, seat: Seat) -> History:
    """Replay a round from the point of view of a seat."""
    position = new_round(played.deal)
    # The camels of the first market are laid out before the other cards.
    slots = sorted(cards_in(position.market), key=lambda kind: kind != CAMEL)
    filled_in = [0] * len(slots)
    turns: list[list[AnyHappening]] = []
    for move in played.moves:
        before = position.copy()
        position.play(move)
        turns.append(happenings_of(before, move, position, seat))
        for slot in _update(slots, turns[-1]):
            filled_in[slot] = len(turns)
    new_slots = frozenset(
        slot for slot, turn in enumerate(filled_in) if turn > max(0, len(turns) - 2)
    )
    return History(turns, tuple(slots), new_slots)


def _update(slots: list[Kind], events: Iterable[AnyHappening]) -> list[int]:
    """Apply the events of a turn to the slots; returns the slots that got a new card."""
    new: list[Kind] = []
    for event in events:
        match event:
            case Took(_, cards):
                for card in parse_cards(cards):
                    slots[slots.index(card)] = NO_CARD
            case Gave(_, cards) | Refilled(cards):
                new.extend(parse_cards(cards))
    empty = [slot for slot, kind in enumerate(slots) if kind == NO_CARD]
    filled = empty[: len(new)]
    for slot, kind in zip(filled, new, strict=False):
        slots[slot] = kind
    return filled
