"""The position of one round: everything that lies on the table, hidden or not.

All fields have a fixed size and hold small numbers, so that the functions that work on them can be compiled over a
record of the same fields. Nobody who plays is ever handed a position: they get a `View`.
"""

from typing import Literal

from jaipur.rules.cards import CAMEL_SHIFT, GOODS_MASK, Kind, Pile, Rupees, Seat
from jaipur.rules.tokens import BONUS_ROW, BONUS_SIZES

RUNNING, OUT_OF_GOODS, OUT_OF_CARDS, ABANDONED = range(4)

Ending = Literal["goods", "deck", "abandoned"]
ENDINGS: tuple[Ending | None, ...] = (None, "goods", "deck", "abandoned")

NO_CARD: Kind = -1
DECK_SIZE = 40


class Position:
    """One round as it stands. `copy` is cheap: deck and bonus piles never change, only how far they are used."""

    __slots__ = (
        "bonus",
        "bonus_taken",
        "bonuses",
        "deck",
        "discard",
        "discard_top",
        "drawn",
        "ended",
        "goods_tokens",
        "holdings",
        "market",
        "moves_played",
        "rupees",
        "shown",
        "starter",
        "tokens_taken",
        "turn",
    )

    def __init__(self) -> None:
        self.starter: Seat = 0
        self.turn: Seat = 0
        self.moves_played = 0
        self.ended = RUNNING
        self.market: Pile = 0
        self.deck: list[Kind] = [NO_CARD] * DECK_SIZE
        """Top first; the first `drawn` cards have left it."""
        self.drawn = 0
        self.discard: Pile = 0
        self.discard_top: Kind = NO_CARD
        self.holdings: list[Pile] = [0, 0]
        """By seat: the goods in the hand and the camels of the herd, in one pile."""
        self.shown: list[Pile] = [0, 0]
        """By seat: the goods in the hand that came from the market, so that both traders know them."""
        self.tokens_taken: list[int] = [0] * 6
        """By good: how many tokens of its pile are gone."""
        self.goods_tokens: list[Pile] = [0, 0]
        """By seat: how many tokens of each good, as a pile."""
        self.rupees: list[Rupees] = [0, 0]
        """By seat: what the goods tokens pay."""
        self.bonus: list[int] = [0] * BONUS_ROW * len(BONUS_SIZES)
        """The three bonus piles, seven places each, top first."""
        self.bonus_taken: list[int] = [0, 0, 0]
        self.bonuses: list[int] = [0, 0]
        """By seat: the bonus tokens won; the hexadecimal digit v counts those worth v."""

    def copy(self) -> "Position":
        twin = Position.__new__(Position)
        twin.starter = self.starter
        twin.turn = self.turn
        twin.moves_played = self.moves_played
        twin.ended = self.ended
        twin.market = self.market
        twin.deck = self.deck
        twin.drawn = self.drawn
        twin.discard = self.discard
        twin.discard_top = self.discard_top
        twin.holdings = self.holdings[:]
        twin.shown = self.shown[:]
        twin.tokens_taken = self.tokens_taken[:]
        twin.goods_tokens = self.goods_tokens[:]
        twin.rupees = self.rupees[:]
        twin.bonus = self.bonus
        twin.bonus_taken = self.bonus_taken[:]
        twin.bonuses = self.bonuses[:]
        return twin

    def hand(self, seat: Seat) -> Pile:
        return self.holdings[seat] & GOODS_MASK

    def herd(self, seat: Seat) -> int:
        return self.holdings[seat] >> CAMEL_SHIFT

    def deck_left(self) -> list[Kind]:
        return list(self.deck[self.drawn :])

    def bonus_left(self, pile: int) -> list[int]:
        """The values left in a bonus pile, top first."""
        first = BONUS_ROW * pile
        return list(self.bonus[first + self.bonus_taken[pile] : first + BONUS_SIZES[pile]])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._on_the_table() == other._on_the_table()

    __hash__ = None  # type: ignore[assignment]  # it changes with every move

    def __repr__(self) -> str:
        from jaipur.rules.drawing import draw  # noqa: PLC0415  # it draws views too, which know positions

        return draw(self)

    def _on_the_table(self) -> tuple[object, ...]:
        bonus_left = [self.bonus_left(pile) for pile in range(3)]
        gone = {"deck", "drawn", "bonus", "bonus_taken"}
        rest = [getattr(self, field) for field in self.__slots__ if field not in gone]
        return (*rest, self.deck_left(), bonus_left)
