"""The visible effects of a move, for one seat.

Both seats see everything except the value of a bonus token: until the round ends only its owner knows it.
"""

from dataclasses import dataclass

from jaipur.rules.cards import CARDS, GOODS_MASK, Card, Pile, Seat, count
from jaipur.rules.moves import TAKE_CAMELS, Move
from jaipur.rules.position import Position
from jaipur.rules.scoring import Result
from jaipur.rules.tokens import GOODS_TOKENS, bonus_values


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
    """Cards from the deck filled the market, in this order."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Sold:
    """A trader sold cards and took the tokens of these values."""

    seat: Seat
    cards: Pile
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TookBonus:
    """A trader took a bonus token from a pile; its value is None for a seat that does not know it."""

    seat: Seat
    pile: int
    value: int | None


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round ended with this result."""

    result: Result


Event = Took | Gave | Refilled | Sold | TookBonus | RoundEnded


def events_of(before: Position, move: Move, after: Position, seat: Seat) -> list[Event]:
    """The events that a seat sees when a move leads from one position to the next."""
    mover = before.turn
    seen: list[Event] = []
    if move.taken:
        camels = Pile(before.market & ~GOODS_MASK)
        seen.append(Took(mover, camels if move.code == TAKE_CAMELS else move.taken))
        if move.given:
            seen.append(Gave(mover, move.given))
    else:
        seen.extend(_sale(before, move, after, seat))
    if after.drawn > before.drawn:
        seen.append(
            Refilled(tuple(CARDS[kind] for kind in before.deck[before.drawn : after.drawn]))
        )
    result = after.result()
    if result is not None:
        seen.append(RoundEnded(result))
    return seen


def _sale(before: Position, move: Move, after: Position, seat: Seat) -> list[Event]:
    mover = before.turn
    good = next(good for good in range(6) if count(move.given, good))
    tokens = GOODS_TOKENS[good][before.tokens_taken[good] : after.tokens_taken[good]]
    seen: list[Event] = [Sold(mover, move.given, tokens)]
    for pile in range(3):
        if after.bonus_taken[pile] > before.bonus_taken[pile]:
            (value,) = bonus_values(after.bonuses[mover] - before.bonuses[mover])
            known = seat == mover or after.ended
            seen.append(TookBonus(mover, pile, value if known else None))
    return seen
