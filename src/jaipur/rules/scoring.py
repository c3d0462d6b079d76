"""Scoring: the camel token, the rupees, the two tie-breaks, and the result of a round."""

from typing import TYPE_CHECKING, NamedTuple

from .cards import CAMEL_SHIFT, NOBODY, Rupees, Seat
from .endings import ABANDONED, ENDINGS, Ending
from .tokens import CAMEL_TOKEN

if TYPE_CHECKING:
    from .position import Position


def camel_token(position: "Position") -> Seat:
    """Return the seat with the larger herd, or NOBODY if the herds are equal."""
    herds = (position.holdings[0] >> CAMEL_SHIFT, position.holdings[1] >> CAMEL_SHIFT)
    if herds[0] == herds[1]:
        return NOBODY
    return 0 if herds[0] > herds[1] else 1


def bonus_rupees(position: "Position", seat: Seat) -> Rupees:
    total = 0
    for value in range(1, 11):
        total += value * (position.bonuses[seat] >> 4 * value & 15)
    return total


def rupees(position: "Position", seat: Seat) -> Rupees:
    """Return the rupees of a seat if the round ended now: goods tokens, bonus tokens and the camel token."""
    camel = CAMEL_TOKEN if camel_token(position) == seat else 0
    return position.rupees[seat] + bonus_rupees(position, seat) + camel


def tokens_held(tokens: int) -> int:
    """Return the number of tokens in a packed pile of goods tokens or bonus tokens."""
    held = 0
    while tokens > 0:
        held += tokens & 15
        tokens >>= 4
    return held


def round_winner(position: "Position") -> Seat:
    """Return the seat with more rupees, or NOBODY if the round was abandoned.

    If the rupees are equal, the seat with more bonus tokens wins. If these are equal too, the seat with more goods
    tokens wins. If all are equal, return NOBODY.
    """
    if position.ended == ABANDONED:
        return NOBODY
    lead = rupees(position, 0) - rupees(position, 1)
    if lead == 0:
        lead = tokens_held(position.bonuses[0]) - tokens_held(position.bonuses[1])
    if lead == 0:
        lead = tokens_held(position.goods_tokens[0]) - tokens_held(position.goods_tokens[1])
    if lead == 0:
        return NOBODY
    return 0 if lead > 0 else 1


class Result(NamedTuple):
    """How a round ended. `camel_token` and `seal` are the seats that got them, or None if nobody did."""

    ended: Ending
    camel_token: Seat | None
    rupees: tuple[Rupees, Rupees]
    seal: Seat | None


def result_of(position: "Position") -> Result | None:
    """Return the result of the round, or None if the round is not finished."""
    ended = ENDINGS[position.ended]
    if ended is None:
        return None
    return Result(
        ended,
        somebody(camel_token(position)),
        (rupees(position, 0), rupees(position, 1)),
        somebody(round_winner(position)),
    )


def somebody(seat: Seat) -> Seat | None:
    return None if seat == NOBODY else seat
