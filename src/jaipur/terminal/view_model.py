"""The view model: what one seat sees of the table, and sentences about it. Renderers use only the view model.

In the rules, the market is a pile without an order. On the screen, each card of the market keeps its slot. A slot
becomes empty when its card leaves. New cards fill the empty slots from left to right.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jaipur.rules import Game, Seat, View, new_round
from jaipur.rules.cards import CAMEL, NO_CARD, Kind, cards_in, parse_cards
from jaipur.table.happenings import AnyHappening, Gave, Refilled, Took, happenings_of
from jaipur.terminal.move_text import describe_turn, subjects_for
from jaipur.words import Words


@dataclass(frozen=True, slots=True)
class ViewModel:
    """The current round as one seat sees it."""

    view: View
    slots: Sequence[Kind]
    """The card in each slot of the market, or `NO_CARD` if the slot is empty."""
    new_slots: frozenset[int]
    """The slots that were filled in the last two turns, that is, since the previous decision of this player."""
    round_number: int
    own_name: str
    other_name: str
    news: Sequence[str]
    """Sentences about the last two turns. Before the second turn, a sentence names the starter of the round."""
    history: Sequence[str]
    """A sentence for every turn."""


def view_model_of(
    game: Game, seat: Seat, names: tuple[str, str], words: Words, addressed: bool = True
) -> ViewModel:
    """Replay the current round as a seat saw it. If `addressed` is true, the sentences call the seat's trader “you”."""
    subjects = subjects_for(names, seat if addressed else None)
    played, number = game.rounds[-1], len(game.rounds)
    position = new_round(played.deal)
    # The camels of the first market are laid out before the other cards.
    slots = sorted(cards_in(position.market), key=lambda kind: kind != CAMEL)
    history = []
    new_slots: list[Sequence[int]] = [()]
    for move in played.moves:
        before = position.copy()
        position.play(move)
        turn = happenings_of(before, move, position, seat)
        history.append(describe_turn(words, turn, subjects))
        new_slots.append(_update(slots, turn))
    start = words.by(subjects[played.deal.starts], "round.begins", number=number)
    return ViewModel(
        view=game.view(seat),
        slots=slots,
        new_slots=frozenset().union(*new_slots[-2:]),
        round_number=number,
        own_name=names[seat],
        other_name=names[1 - seat],
        news=[start, *history][-2:],
        history=history,
    )


def _update(slots: list[Kind], events: Iterable[AnyHappening]) -> list[int]:
    """Apply the events of a turn to the slots. Return the indices of the slots that got a new card."""
    new: list[Kind] = []
    for event in events:
        match event:
            case Took(_, cards):
                for card in parse_cards(cards):
                    slots[slots.index(card)] = NO_CARD
            case Gave(_, cards) | Refilled(cards):
                new.extend(parse_cards(cards))
    filled = [slot for slot, kind in enumerate(slots) if kind == NO_CARD][: len(new)]
    for slot, kind in zip(filled, new, strict=True):
        slots[slot] = kind
    return filled
