"""What happened at the table when a move was played, as one seat saw it.

Everything is seen by both, but for the value of a bonus token, which only its owner may look at before the round ends.
"""

from dataclasses import dataclass

from jaipur.rules.cards import GOODS_MASK, Kind, Pile, Seat, count
from jaipur.rules.moves import TAKE_CAMELS, Move
from jaipur.rules.position import Position
from jaipur.rules.scoring import Result, result_of
from jaipur.rules.tokens import GOODS_TOKENS
from jaipur.rules.view import bonus_values


@dataclass(frozen=True, slots=True)
class Took:
    """A trader took cards from the market."""

    seat: Seat
    cards: Pile


@dataclass(frozen=True, slots=True)
class Gave:
    """A trader put cards into the market."""

    seat: Seat
    cards: Pile


@dataclass(frozen=True, slots=True)
class Refilled:
    """Cards from the deck were laid into the market, in this order."""

    cards: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Sold:
    """A trader sold cards and took the tokens of these values."""

    seat: Seat
    cards: Pile
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TookBonus:
    """A trader took a bonus token from a pile; its value is None for whoever may not look."""

    seat: Seat
    pile: int
    value: int | None


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round ended with this result."""

    result: Result


Event = Took | Gave | Refilled | Sold | TookBonus | RoundEnded


def events_of(before: Position, move: Move, after: Position, seat: Seat) -> list[Event]:
    """What a seat sees when a move leads from one position to the next."""
    mover = before.turn
    seen: list[Event] = []
    if move.taken:
        camels = before.market & ~GOODS_MASK
        seen.append(Took(mover, camels if move.code == TAKE_CAMELS else move.taken))
        if move.given:
            seen.append(Gave(mover, move.given))
    else:
        seen.extend(_sale(before, move, after, seat))
    if after.drawn > before.drawn:
        seen.append(Refilled(tuple(before.deck[before.drawn : after.drawn])))
    ended = result_of(after)
    if ended is not None:
        seen.append(RoundEnded(ended))
    return seen


def _sale(before: Position, move: Move, after: Position, seat: Seat) -> list[Event]:
    mover = before.turn
    good = next(good for good in range(6) if count(move.given, good))
    tokens = GOODS_TOKENS[good][before.tokens_taken[good] : after.tokens_taken[good]]
    seen: list[Event] = [Sold(mover, move.given, tokens)]
    for pile in range(3):
        if after.bonus_taken[pile] > before.bonus_taken[pile]:
            (value,) = bonus_values(after.bonuses[mover] - before.bonuses[mover])
            may_look = seat == mover or after.ended
            seen.append(TookBonus(mover, pile, value if may_look else None))
    return seen
