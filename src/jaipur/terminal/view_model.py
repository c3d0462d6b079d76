"""The view model: what one seat sees of the table, and sentences about it. Renderers use only this.

The rules treat the market as a pile. On the screen each card keeps its slot. A slot becomes empty when its card leaves.
New cards fill empty slots from the left: first the cards of an exchange, then the cards from the deck.
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
    """The last round as one seat sees it."""

    view: View
    slots: Sequence[Kind]
    """The card in each market slot; `NO_CARD` if the slot is empty."""
    new_slots: frozenset[int]
    """The slots that were filled in the last two turns, that is, since the last decision of the player to move."""
    round_number: int
    own_name: str
    other_name: str
    news: Sequence[str]
    """The last two turns. Before the second turn, also the starter of the round."""
    history: Sequence[str]
    """A sentence for every turn."""


def view_model_of(
    game: Game, seat: Seat, names: tuple[str, str], words: Words, addressed: bool = True
) -> ViewModel:
    """Replay the last round as a seat saw it. If `addressed`, the sentences call its trader “you”."""
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
    """Apply the events of a turn to the slots. Returns the slots that got a new card."""
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
