"""Why a move is illegal: a stable code, the values for the sentence, and the sentence in English.

`words` builds the sentence in other languages from the same code and values. A value that is a letter means a kind of
card.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from .cards import LETTERS, NAMES

if TYPE_CHECKING:
    from .moves import Move


class Rule(StrEnum):
    """The rules that a move can break, in the order of the checks."""

    ROUND_OVER = "round_over"
    EMPTY_MOVE = "empty_move"
    CAMELS_ALONE = "camels_alone"
    CAMELS_AS_ONE = "camels_as_one"
    NO_CAMELS_IN_MARKET = "no_camels_in_market"
    NOT_IN_MARKET = "not_in_market"
    ONE_GOOD = "one_good"
    SAME_KIND = "same_kind"
    CAMELS_NOT_SOLD = "camels_not_sold"
    ONE_KIND_A_SALE = "one_kind_a_sale"
    NOT_IN_HAND = "not_in_hand"
    NOT_IN_HERD = "not_in_herd"
    TWO_PRECIOUS = "two_precious"
    HAND_LIMIT = "hand_limit"
    ONE_FOR_ONE = "one_for_one"
    UNEVEN_EXCHANGE = "uneven_exchange"


SENTENCES: Mapping[Rule, str] = {
    Rule.ROUND_OVER: "The round is over.",
    Rule.EMPTY_MOVE: "A turn takes cards or sells cards; this does neither.",
    Rule.CAMELS_ALONE: "Camels are taken on their own, never together with goods and never for cards.",
    Rule.CAMELS_AS_ONE: "All camels of the market are taken at once; write +M, however many they are.",
    Rule.NO_CAMELS_IN_MARKET: "There is no camel in the market.",
    Rule.NOT_IN_MARKET: "The market has {have} {kind}; you asked for {wanted}.",
    Rule.ONE_GOOD: "Only one good is free; for {taken}, give {taken} cards.",
    Rule.SAME_KIND: "You cannot take and give {kind} in one exchange; give another kind.",
    Rule.CAMELS_NOT_SOLD: (
        "Camels are not sold; they pay in an exchange. "
        "Take two goods or more from the market for them."
    ),
    Rule.ONE_KIND_A_SALE: (
        "A sale is of one kind, not {kind} and {other}. "
        "To exchange them, take as many goods from the market."
    ),
    Rule.NOT_IN_HAND: "Your hand has {have} {kind}; this would give {wanted}.",
    Rule.NOT_IN_HERD: "Camels in your herd: {have}; you would give {wanted}.",
    Rule.TWO_PRECIOUS: (
        "Diamonds, gold and silver are sold two or more at a time; "
        "one alone can only pay in an exchange."
    ),
    Rule.HAND_LIMIT: "You would hold {held} goods; the limit is {limit}. Sell first, or give goods instead of camels.",
    Rule.ONE_FOR_ONE: "One for one is not allowed. Take another good and give another card, or give nothing.",
    Rule.UNEVEN_EXCHANGE: "You would take {taken} and give {given}; give as many cards as you take.",
}
NONE_SENTENCES: Mapping[Rule, str] = {
    Rule.NOT_IN_MARKET: "The market has no {kind}.",
    Rule.NOT_IN_HAND: "You have no {kind} in your hand.",
    Rule.NOT_IN_HERD: "You have no camels in your herd.",
}
"""The sentences for the case that there is no card of this kind at all."""


class Reason(NamedTuple):
    """Why a move is not allowed."""

    rule: Rule
    values: Mapping[str, int | str] = MappingProxyType({})

    @property
    def none(self) -> bool:
        """Whether there is not a single card of the kind that the move asks for."""
        return self.rule in NONE_SENTENCES and self.values.get("have") == 0

    def __str__(self) -> str:
        named = {
            name: NAMES[LETTERS.index(value)] if isinstance(value, str) else value
            for name, value in self.values.items()
        }
        return (NONE_SENTENCES if self.none else SENTENCES)[self.rule].format(**named)


class IllegalMove(ValueError):  # noqa: N818  # the name describes the input
    """The rules do not allow this move in this position."""

    def __init__(self, move: "Move", reason: Reason) -> None:
        super().__init__(f"{move}: {reason}" if str(move) else str(reason))
        self.move = move
        self.reason = reason


class WrongDeal(ValueError):  # noqa: N818  # the name describes the input
    """The deal has wrong cards or tokens, or the game cannot use it now."""
