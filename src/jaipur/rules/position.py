"""The position of one round: everything on the table, hidden or not.

The fields have a fixed size and hold small integers. Numba can therefore compile the functions of the rules for an
array record with the same fields. Players never get a position. They get a `View`.
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
    """The state of one round. `new_round` creates a position, `play` changes it, and `print` draws it.

    The fields are plain integers. `Pile(position.market)` converts a field to a pile of cards.
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
        """The deck, top first, with 40 places. The cards in the first `drawn` places have left the deck."""
        self.drawn = 0
        self.discard: PileCode = 0
        self.discard_top: Kind = NO_CARD
        self.holdings: list[PileCode] = [0, 0]
        """By seat: the goods in the hand and the camels of the herd, in one pile."""
        self.shown: list[PileCode] = [0, 0]
        """By seat: the goods in the hand that came from the market. Both traders know these cards."""
        self.tokens_taken: list[int] = [0] * 6
        """By good: the number of tokens that the traders have taken."""
        self.goods_tokens: list[PileCode] = [0, 0]
        """By seat: the goods tokens of the trader, packed like a pile (one hexadecimal digit per good)."""
        self.rupees: list[Rupees] = [0, 0]
        """By seat: the total value of the goods tokens of the trader."""
        self.bonus: list[int] = [0] * BONUS_ROW * len(BONUS_SIZES)
        """The values of the three bonus piles, top first. Each pile has seven places in this list."""
        self.bonus_taken: list[int] = [0, 0, 0]
        self.bonuses: list[int] = [0, 0]
        """By seat: the bonus tokens of the trader. Hexadecimal digit v is the number of tokens of value v."""

    def legal_moves(self) -> list[Move]:
        """Return all legal moves, always in the same order."""
        codes = [0] * MOST_MOVES
        return list(map(MOVES.__getitem__, codes[: list_moves(self, codes)]))

    def why_not(self, move: Move | str) -> Reason | None:
        """Return the first rule that a move breaks, or None if the move is legal."""
        if isinstance(move, str):
            move = Move.parse(move)
        return why_not(self, int(move.taken), int(move.given))

    def play(self, move: Move | str) -> None:
        """Play a move.

        Raise `IllegalMove` if the rules forbid the move, and `NotationError` if the text is not a move.
        """
        if isinstance(move, str):
            move = Move.parse(move)
        taken, given = int(move.taken), int(move.given)
        reason = why_not(self, taken, given)
        if reason is not None:
            raise IllegalMove(move, reason)
        carry_out(self, code_of(taken, given))

    def view(self, seat: Seat, herds: Herds = "open", seals: tuple[int, int] = (0, 0)) -> View:
        """Return what a seat knows. `seals` are the seals of both traders before this round."""
        return view_of(self, seat, herds, seals)

    def result(self) -> Result | None:
        """Return the result of the round, or None if the round is not finished."""
        return result_of(self)

    def copy(self) -> "Position":
        """Return an independent copy. The copy shares the lists `deck` and `bonus`, because they never change."""
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
        """Return the cards left in the deck, top first."""
        return [CARDS[kind] for kind in self.deck[self.drawn :]]

    def bonus_left(self, pile: int) -> list[int]:
        """Return the values left in a bonus pile, top first."""
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
        """Return the values that `==` compares.

        Cards and tokens that have left the deck or a bonus pile are ignored.
        """
        bonus_left = [self.bonus_left(pile) for pile in range(3)]
        partly_used = {"deck", "drawn", "bonus", "bonus_taken"}
        rest = [getattr(self, field) for field in self.__slots__ if field not in partly_used]
        return (*rest, self.deck_left(), bonus_left)
