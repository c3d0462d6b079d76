"""The view model: what one seat sees of the table, and the sentences about it. Renderers use nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

from jaipur.rules import Game, Seat, View
from jaipur.rules.cards import Kind
from jaipur.terminal.history import history_of
from jaipur.terminal.move_text import describe_turn, subjects_for
from jaipur.words import Words


@dataclass(frozen=True, slots=True)
class ViewModel:
    """The running round from one seat."""

    view: View
    slots: tuple[Kind, ...]
    new_slots: frozenset[int]
    round_number: int
    own_name: str
    other_name: str
    news: Sequence[str]
    """The last two turns; who starts, while there are fewer."""
    history: Sequence[str]
    """A sentence for every turn."""


def view_model_of(game: Game, seat: Seat, names: tuple[str, str], words: Words) -> ViewModel:
    current = game.rounds[-1]
    seen = history_of(current, seat)
    subjects = subjects_for(names, seat)
    history = [describe_turn(words, events, subjects) for events in seen.turns]
    number = len(game.rounds)
    start = words.by(subjects[current.deal.starts], "round.begins", number=number)
    return ViewModel(
        view=game.view(seat),
        slots=seen.slots,
        new_slots=seen.new_slots,
        round_number=number,
        own_name=names[seat],
        other_name=names[1 - seat],
        news=[start, *history][-2:],
        history=history,
    )
