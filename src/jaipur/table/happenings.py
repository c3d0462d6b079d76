"""The visible effects of a move: the `happenings` field of a message.

Both seats see everything except the value of a bonus token. Only the owner of the token sees the value until the round
ends. Cards are letters, as in the notation.
"""

from msgspec import Struct

from jaipur.notation.views import BONUS_NAMES
from jaipur.rules import Ending, Move, Position, Rupees, Seat
from jaipur.rules.cards import CAMEL_MASK, GOODS, LETTERS, count, letters_of
from jaipur.rules.moves import TAKE_CAMELS
from jaipur.rules.tokens import GOODS_TOKENS, bonus_values


class Happening(Struct, frozen=True, tag_field="what", tag=str.lower):
    """The base class of all happenings."""


class MovedCards(Happening, frozen=True):
    """The base class of everything that a player does with cards."""

    seat: Seat
    cards: str


class Took(MovedCards, frozen=True):
    """A player took cards from the market."""


class Gave(MovedCards, frozen=True):
    """A player put cards into the market."""


class Refilled(Happening, frozen=True):
    """These cards came from the deck into the market, in this order."""

    cards: str


class Sold(MovedCards, frozen=True):
    """A player sold cards for goods tokens of these values."""

    tokens: tuple[int, ...]


class TookBonus(Happening, frozen=True, tag="bonus"):
    """A player took a bonus token. `value` is null if this audience must not see it."""

    seat: Seat
    pile: str
    value: int | None


class RoundEnded(Happening, frozen=True, tag="ended"):
    """The round ended with this result."""

    ended: Ending
    camel_token: Seat | None
    rupees: tuple[Rupees, Rupees]
    seal: Seat | None


AnyHappening = Took | Gave | Refilled | Sold | TookBonus | RoundEnded


def happenings_of(before: Position, move: Move, after: Position, seat: Seat) -> list[AnyHappening]:
    """Return the happenings that a seat sees when a move leads from one position to the next."""
    mover = before.turn
    seen: list[AnyHappening] = []
    if move.taken:
        camels = before.market & CAMEL_MASK
        taken = camels if move.code == TAKE_CAMELS else move.taken
        seen.append(Took(mover, letters_of(taken)))
        if move.given:
            seen.append(Gave(mover, letters_of(move.given)))
    else:
        seen.extend(_sale(before, move, after, seat))
    if after.drawn > before.drawn:
        drawn = before.deck[before.drawn : after.drawn]
        seen.append(Refilled("".join(LETTERS[card] for card in drawn)))
    return seen + round_end(after)


def round_end(after: Position) -> list[AnyHappening]:
    """Return the end of the round as a list with one happening. The list is empty if the round is running."""
    result = after.result()
    if result is None:
        return []
    return [RoundEnded(result.ended, result.camel_token, result.rupees, result.seal)]


def _sale(before: Position, move: Move, after: Position, seat: Seat) -> list[AnyHappening]:
    mover = before.turn
    good = next(good for good in GOODS if count(move.given, good))
    tokens = GOODS_TOKENS[good][before.tokens_taken[good] : after.tokens_taken[good]]
    seen: list[AnyHappening] = [Sold(mover, letters_of(move.given), tokens)]
    for pile, name in enumerate(BONUS_NAMES):
        if after.bonus_taken[pile] > before.bonus_taken[pile]:
            (value,) = bonus_values(after.bonuses[mover] - before.bonuses[mover])
            visible = seat == mover or after.ended
            seen.append(TookBonus(mover, name, value if visible else None))
    return seen
