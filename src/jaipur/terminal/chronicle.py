"""What one seat saw of a round so far, move by move, and where the cards of the market lie.

The market is a pile to the rules; on a table its five places stay put. A card that leaves makes room, and the cards
that come, given ones before those of the deck, fill the empty places from the left.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jaipur.rules import CAMEL, Event, Kind, PileCode, Round, Seat, cards_in, events_of, new_round
from jaipur.rules.cards import NO_CARD
from jaipur.rules.events import Gave, Refilled, Took

Turn = list[Event]


@dataclass(frozen=True, slots=True)
class Chronicle:
    """The turns of a round as a seat saw them, and the market they led to."""

    turns: Sequence[Turn]
    places: tuple[Kind, ...]
    """The card at each place of the market, `NO_CARD` where it is empty."""
    fresh: frozenset[int]
    """The places whose cards came with the last two turns: since whoever is to move last chose."""


def chronicle(played: Round, seat: Seat) -> Chronicle:
    """Go through a round again with the eyes of a seat."""
    position = new_round(played.deal)
    places = first_places(position.market)
    laid = [0] * len(places)
    turns: list[Turn] = []
    for move in played.moves:
        before = position.copy()
        position.play(move)
        turns.append(events_of(before, move, position, seat))
        for place in lay(places, turns[-1]):
            laid[place] = len(turns)
    fresh = frozenset(place for place, turn in enumerate(laid) if turn > max(0, len(turns) - 2))
    return Chronicle(turns, tuple(places), fresh)


def first_places(market: PileCode) -> list[Kind]:
    """The market as it is laid out: the camels lie there before the pack is opened."""
    return sorted(cards_in(market), key=lambda kind: kind != CAMEL)


def lay(places: list[Kind], events: Iterable[Event]) -> list[int]:
    """Move the cards of a turn out of and into the places; the places filled anew."""
    came: list[Kind] = []
    for event in events:
        match event:
            case Took(_, cards):
                for kind in cards_in(cards):
                    places[places.index(kind)] = NO_CARD
            case Gave(_, cards):
                came.extend(cards_in(cards))
            case Refilled(kinds):
                came.extend(kinds)
    empty = [place for place, kind in enumerate(places) if kind == NO_CARD]
    filled = empty[: len(came)]
    for place, kind in zip(filled, came, strict=False):
        places[place] = kind
    return filled
