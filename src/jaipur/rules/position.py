"""The position of one round: everything on the table, hidden or not.

The fields have a fixed size and hold small integers, so that the functions of the rules can be compiled over a record
with the same fields. Players never get a position: they get a `View`.
"""

from .cards import (
    CAMEL_SHIFT,
    CARDS,
    DECK_SIZE,
    GOODS_MASK,
    NO_CARD,
    PILES,
    Card,
    Kind,
    Pile,
    PileCode,
    Rupees,
    Seat,
    letters_of,
)
from .drawing import draw
from .endings import RUNNING
from .errors import IllegalMove, Reason
from .legality import why_not
from .listing import MOST_MOVES, list_moves
from .moves import MOVES, Move, code_of
from .scoring import Result, result_of
from .tokens import BONUS_ROW, BONUS_SIZES
from .turn import carry_out
from .view import Herds, View, view_of


class Position:
    """The state of one round. `new_round` creates it, `play` changes it, `print` draws it.

    Piles are packed integers: `Pile(position.market)` lists the cards.
    """

    __slots__ = (
        "bonus", "bonus_taken", "bonuses", "deck", "discard", "discard_top", "drawn", "ended",
        "goods_tokens", "holdings", "market", "moves_played", "rupees", "shown", "starter",
        "tokens_taken", "turn",
    )  # fmt: skip

    def __init__(self) -> None:
        self.starter: Seat = 0
        self.turn: Seat = 0
        self.moves_played = 0
        self.ended = RUNNING
        self.market: PileCode = 0
        self.deck: list[Kind] = [NO_CARD] * DECK_SIZE
        """All cards of the deck, top first. The first `drawn` cards are no longer in it."""
        self.drawn = 0
        self.discard: PileCode = 0
        self.discard_top: Kind = NO_CARD
        self.holdings: list[PileCode] = [0, 0]
        """By seat: the goods in the hand and the camels of the herd, in one pile."""
        self.shown: list[PileCode] = [0, 0]
        """By seat: the goods in the hand that were taken from the market, which both traders know."""
        self.tokens_taken: list[int] = [0] * 6
        """By good: the number of tokens taken."""
        self.goods_tokens: list[PileCode] = [0, 0]
        """By seat: the number of tokens of each good, as a pile."""
        self.rupees: list[Rupees] = [0, 0]
        """By seat: the value of the goods tokens."""
        self.bonus: list[int] = [0] * BONUS_ROW * len(BONUS_SIZES)
        """The three bonus piles, seven places each, top first."""
        self.bonus_taken: list[int] = [0, 0, 0]
        self.bonuses: list[int] = [0, 0]
        """By seat: the bonus tokens taken. Hexadecimal digit v is the number of tokens of value v."""

    def legal_moves(self) -> list[Move]:
        """All legal moves, always in the same order."""
        codes = [0] * MOST_MOVES
        return list(map(MOVES.__getitem__, codes[: list_moves(self, codes)]))

    def why_not(self, move: Move | str) -> Reason | None:
        """The first rule that a move breaks, or None if the move is legal."""
        if isinstance(move, str):
            move = Move.parse(move)
        return why_not(self, int(move.taken), int(move.given))

    def play(self, move: Move | str) -> None:
        """Play a move. Raises `IllegalMove` if the rules forbid it, `NotationError` if the text is not a move."""
        if isinstance(move, str):
            move = Move.parse(move)
        taken, given = int(move.taken), int(move.given)
        reason = why_not(self, taken, given)
        if reason is not None:
            raise IllegalMove(move, reason)
        carry_out(self, code_of(taken, given))

    def view(self, seat: Seat, herds: Herds = "open", seals: tuple[int, int] = (0, 0)) -> View:
        """What a seat knows, in a game with these seals so far."""
        return view_of(self, seat, herds, seals)

    def result(self) -> Result | None:
        """The result of a finished round; None while it is running."""
        return result_of(self)

    def copy(self) -> "Position":
        """An independent copy. It shares the deck and the bonus piles, which never change."""
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
        return PILES[self.holdings[seat] & GOODS_MASK]

    def herd(self, seat: Seat) -> int:
        return self.holdings[seat] >> CAMEL_SHIFT

    def deck_left(self) -> list[Card]:
        """The cards left in the deck, top first."""
        return [CARDS[kind] for kind in self.deck[self.drawn :]]

    def bonus_left(self, pile: int) -> list[int]:
        """The values left in a bonus pile, top first."""
        first = BONUS_ROW * pile
        return list(self.bonus[first + self.bonus_taken[pile] : first + BONUS_SIZES[pile]])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._comparable() == other._comparable()

    __hash__ = None  # type: ignore[assignment]  # a position is mutable

    def __str__(self) -> str:
        return draw(self)

    def __repr__(self) -> str:
        hands = " and ".join(f"{self.hand(seat) or '-'} with {self.herd(seat)}M" for seat in (0, 1))
        return (
            f"<Position after {self.moves_played} moves: market {letters_of(self.market)}, "
            f"hands {hands}, seat {self.turn} to move>"
        )

    def _comparable(self) -> tuple[object, ...]:
        """The fields to compare. Of the deck and the bonus piles, only the rest counts."""
        bonus_left = [self.bonus_left(pile) for pile in range(3)]
        partly_used = {"deck", "drawn", "bonus", "bonus_taken"}
        rest = [getattr(self, field) for field in self.__slots__ if field not in partly_used]
        return (*rest, self.deck_left(), bonus_left)
