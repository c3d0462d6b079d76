"""What one person is shown: the view of their seat, and what is said about it. Every face draws from this alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from jaipur.rules import Game, Kind, Seat, View
from jaipur.terminal.chronicle import chronicle
from jaipur.terminal.story import tell, voices_for
from jaipur.words import Words


@dataclass(frozen=True, slots=True)
class Sight:
    """The table from one seat, ready to be drawn or read out."""

    view: View
    places: tuple[Kind, ...]
    fresh: frozenset[int]
    number: int
    """Of the round."""
    own: str
    other: str
    news: Sequence[str]
    """The last move of each trader, or who starts."""
    log: Sequence[str]


def sight_of(game: Game, seat: Seat, names: tuple[str, str], words: Words) -> Sight:
    """Look at the running round from a seat."""
    played = game.rounds[-1]
    seen = chronicle(played, seat)
    voices = voices_for(names, seat)
    log = [tell(words, events, voices) for events in seen.turns]
    number = len(game.rounds)
    begins = words.by(voices[played.deal.starts], "round.begins", number=number)
    return Sight(
        view=game.view(seat),
        places=seen.places,
        fresh=seen.fresh,
        number=number,
        own=names[seat],
        other=names[1 - seat],
        news=[begins, *log][-2:],
        log=log,
    )
