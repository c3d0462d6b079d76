"""What can be wrong with a move: stable codes, the values behind them, and an English sentence for each.

Other languages make their own sentence from the same code and values, in which a kind of card is its letter.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from jaipur.rules.cards import LETTERS, NAMES

if TYPE_CHECKING:
    from jaipur.rules.moves import Move


class Rule(StrEnum):
    """The rules a move can break, in the order they are looked at."""

    ROUND_OVER = "round_over"
    EMPTY_MOVE = "empty_move"
    CAMELS_ALONE = "camels_alone"
    CAMELS_AS_ONE = "camels_as_one"
    NO_CAMELS_IN_MARKET = "no_camels_in_market"
    NOT_IN_MARKET = "not_in_market"
    ONE_GOOD = "one_good"
    ONE_FOR_ONE = "one_for_one"
    UNEVEN_EXCHANGE = "uneven_exchange"
    SAME_KIND = "same_kind"
    CAMELS_NOT_SOLD = "camels_not_sold"
    ONE_KIND_A_SALE = "one_kind_a_sale"
    NOT_IN_HAND = "not_in_hand"
    NOT_IN_HERD = "not_in_herd"
    TWO_PRECIOUS = "two_precious"
    HAND_LIMIT = "hand_limit"


SENTENCES: Mapping[Rule, str] = {
    Rule.ROUND_OVER: "The round is over.",
    Rule.EMPTY_MOVE: "A turn takes cards or sells cards; this does neither.",
    Rule.CAMELS_ALONE: "Camels are taken on their own, never together with goods and never for cards.",
    Rule.CAMELS_AS_ONE: "All camels of the market are taken at once; write +M, however many they are.",
    Rule.NO_CAMELS_IN_MARKET: "There is no camel in the market.",
    Rule.NOT_IN_MARKET: "Of {kind}, the market has {have}; you asked for {wanted}.",
    Rule.ONE_GOOD: "Without giving cards you take exactly one good; for {taken} goods give {taken} cards.",
    Rule.ONE_FOR_ONE: "An exchange takes two goods or more; one for one is not allowed.",
    Rule.UNEVEN_EXCHANGE: "You would take {taken} and give {given}; an exchange is even.",
    Rule.SAME_KIND: "You would take and give {kind} in one exchange.",
    Rule.CAMELS_NOT_SOLD: "Camels cannot be sold.",
    Rule.ONE_KIND_A_SALE: "A sale is of one kind; {kind} and {other} are two.",
    Rule.NOT_IN_HAND: "Of {kind}, your hand has {have}; you would give {wanted}.",
    Rule.NOT_IN_HERD: "Camels in your herd: {have}; you would give {wanted}.",
    Rule.TWO_PRECIOUS: "Diamonds, gold and silver are sold two or more at a time; of {kind} you would sell one.",
    Rule.HAND_LIMIT: (
        "You would hold {held} goods; the limit is {limit}. "
        "Sell first, or give goods instead of camels."
    ),
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is not allowed."""

    rule: Rule
    values: Mapping[str, int | str] = field(default_factory=dict)

    def __str__(self) -> str:
        named = {
            name: NAMES[LETTERS.index(value)] if isinstance(value, str) else value
            for name, value in self.values.items()
        }
        return SENTENCES[self.rule].format(**named)


class IllegalMove(ValueError):  # noqa: N818  # a move is illegal, as at the table
    """A move that the rules do not allow here."""

    def __init__(self, move: "Move", reason: Reason) -> None:
        super().__init__(f"{move}: {reason}" if str(move) else str(reason))
        self.move = move
        self.reason = reason


class WrongDeal(ValueError):  # noqa: N818  # said of a deal
    """A deal that this box cannot give, or that does not come now."""
