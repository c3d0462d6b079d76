"""A game: rounds until a trader has two Seals of Excellence.

A game stores the deal and the moves of every round. A record needs nothing else. The caller provides the deals.
"""

from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from .cards import NOBODY, Seat
from .endings import RUNNING, STOPPED
from .errors import IllegalMove, WrongDeal
from .input_errors import WrongRecord, within
from .moves import Move
from .position import Position
from .scoring import Result
from .setup import Deal, new_round
from .turn import MOVE_LIMIT, abandon
from .view import Herds, View

if TYPE_CHECKING:
    from .records import Record, RoundRecord

SEALS_TO_WIN = 2
EXCHANGE_LIMIT = 50
"""A live game ends a round after this many exchanges in a row, by both traders together. Simulations do not."""


def starter_after(starts: Seat, winner: Seat) -> Seat:
    """Return the starter of the next round: the loser of this round or, if `winner` is NOBODY, the other trader.

    `starts` is the seat that started this round.
    """
    return 1 - (starts if winner == NOBODY else winner)


class Round(NamedTuple):
    """One round of a game. Playing a move changes `position` and appends to `moves`."""

    deal: Deal
    position: Position
    seals: tuple[int, int]
    """The seals at the start of the round."""
    moves: list[Move]

    @property
    def result(self) -> Result | None:
        return self.position.result()

    @property
    def exchanges_left(self) -> int:
        """A live game ends this round after this many more exchanges in a row."""
        last_moves = islice(reversed(self.moves), EXCHANGE_LIMIT)
        exchanges = takewhile(lambda move: move.taken and move.given, last_moves)
        return EXCHANGE_LIMIT - sum(1 for _ in exchanges)


class Game:
    """The rounds of two traders. `start` starts a round with a deal. `play` plays a move in the current round."""

    __slots__ = ("herds", "rounds")

    def __init__(self, herds: Herds = "open") -> None:
        self.herds = herds
        self.rounds: list[Round] = []

    @classmethod
    def from_record(cls, record: "Record") -> "Game":
        """Replay a record. Raise `WrongRecord` if a move is illegal or a result does not follow from the moves."""
        game = cls(record.herds)
        for number, recorded in enumerate(record.rounds, 1):
            with within(f"round {number}"):
                game._replay(recorded)
        _compare("seals", record.seals, game.seals)
        _compare("winner", record.winner, game.winner)
        return game

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.herds == other.herds and self.rounds == other.rounds

    __hash__ = None  # type: ignore[assignment]  # a game is mutable

    def __repr__(self) -> str:
        moves = len(self.rounds[-1].moves) if self.rounds else 0
        first, second = self.seals
        return f"<Game: round {len(self.rounds)} after {moves} moves, seals {first}-{second}>"

    @property
    def seals(self) -> tuple[int, int]:
        results = [played.result for played in self.rounds]
        won = [result.seal for result in results if result is not None]
        return won.count(0), won.count(1)

    @property
    def winner(self) -> Seat | None:
        seals = self.seals
        return next((seat for seat in (0, 1) if seals[seat] == SEALS_TO_WIN), None)

    @property
    def running(self) -> Round | None:
        """The round that is being played. None before the first round, between rounds and after the last round."""
        if self.rounds and self.rounds[-1].position.ended == RUNNING:
            return self.rounds[-1]
        return None

    def next_starter(self) -> Seat | None:
        """Return the seat that starts the next round. None before the first round, because the deal decides then.

        The loser of the last round starts. After a draw, the trader who did not start the last round starts.
        """
        if not self.rounds:
            return None
        last = self.rounds[-1]
        result = last.result
        winner = result.seal if result is not None else None
        return starter_after(last.deal.starts, NOBODY if winner is None else winner)

    def start(self, deal: Deal) -> Round:
        if self.winner is not None:
            raise WrongDeal("The game is over; there is no further round.")
        if self.running is not None:
            raise WrongDeal("The last round is still running.")
        starter = self.next_starter()
        if starter is not None and deal.starts != starter:
            raise WrongDeal(f"Seat {starter} starts this round, not seat {deal.starts}.")
        self.rounds.append(Round(deal, new_round(deal), self.seals, []))
        return self.rounds[-1]

    def play(self, move: Move | str) -> None:
        """Play a move in the current round. Raise `IllegalMove` if the rules do not allow the move."""
        if isinstance(move, str):
            move = Move.parse(move)
        current = self._current()
        current.position.play(move)
        current.moves.append(move)

    def abandon(self) -> None:
        """End the running round as a draw. Simulations do this at their move limit."""
        if self.running is not None:
            abandon(self.running.position)

    def stop(self) -> None:
        """End the running round after too many exchanges in a row. The round is scored as after any other end."""
        if self.running is not None:
            assert not self.running.exchanges_left
            self.running.position.ended = STOPPED

    def legal_moves(self) -> list[Move]:
        running = self.running
        return running.position.legal_moves() if running is not None else []

    def view(self, seat: Seat) -> View:
        """Return what a seat knows of the current round."""
        current = self._current()
        return current.position.view(seat, self.herds, current.seals)

    def _current(self) -> Round:
        if not self.rounds:
            raise WrongDeal("No round has been dealt yet.")
        return self.rounds[-1]

    def _replay(self, recorded: "RoundRecord") -> None:
        try:
            self.start(recorded.deal)
        except WrongDeal as error:
            raise WrongRecord(str(error)) from None
        for number, move in enumerate(recorded.moves, 1):
            try:
                self.play(move)
            except IllegalMove as error:
                wrong = WrongRecord(str(error.reason))
                wrong.where = [f"move {number} ({move})"]
                raise wrong from None
        if recorded.result is not None and recorded.result.ended == "abandoned":
            if len(recorded.moves) != MOVE_LIMIT:
                raise WrongRecord(f"A round is abandoned after exactly {MOVE_LIMIT} moves.")
            self.abandon()
        elif recorded.result is not None and recorded.result.ended == "exchanges":
            if self.rounds[-1].exchanges_left:
                raise WrongRecord(
                    f"A round ends by exchanges only after {EXCHANGE_LIMIT} of them in a row."
                )
            self.stop()
        actual = self.rounds[-1].result
        for name in ("ended", "camel_token", "rupees", "seal"):
            _compare(name, getattr(recorded.result, name, None), getattr(actual, name, None))


def _compare(name: str, recorded: object, actual: object) -> None:
    if recorded != actual:
        raise WrongRecord(
            f"“{name}” is {_text(recorded)} in the record and {_text(actual)} by the moves."
        )


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "null" if value is None else str(value)
