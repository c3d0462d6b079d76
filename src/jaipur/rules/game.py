"""A game: rounds until a trader has two Seals of Excellence.

It keeps the deal and the moves of every round, which is all a record needs. Deals come from outside.
"""

from dataclasses import dataclass, field

from jaipur.rules.cards import NOBODY, Seat
from jaipur.rules.errors import WrongDeal
from jaipur.rules.listing import legal_moves
from jaipur.rules.moves import Move
from jaipur.rules.position import RUNNING, Position
from jaipur.rules.scoring import Result, result_of
from jaipur.rules.setup import Deal, new_round
from jaipur.rules.turn import abandon, play
from jaipur.rules.view import Herds, View, view_of

SEALS_TO_WIN = 2


def starter_after(starts: Seat, winner: Seat) -> Seat:
    """Who starts the round after one that this seat started and that seat, or nobody, won."""
    return 1 - (starts if winner == NOBODY else winner)


@dataclass(slots=True)
class Round:
    """One round of a game: its deal, its moves so far, and where they led."""

    deal: Deal
    position: Position
    seals: tuple[int, int]
    """As they stood when the round was dealt; its own seal is in the result."""
    moves: list[Move] = field(default_factory=list)

    @property
    def result(self) -> Result | None:
        return result_of(self.position)


@dataclass(slots=True)
class Game:
    """The rounds of two traders. `start` lays out the next deal, `play` moves in the round that runs."""

    herds: Herds = "open"
    rounds: list[Round] = field(default_factory=list)

    @property
    def seals(self) -> tuple[int, int]:
        results = [played.result for played in self.rounds]
        won = [ended.seal for ended in results if ended is not None]
        return won.count(0), won.count(1)

    @property
    def winner(self) -> Seat | None:
        seals = self.seals
        return next((seat for seat in (0, 1) if seals[seat] == SEALS_TO_WIN), None)

    @property
    def running(self) -> Round | None:
        """The round being played; None before the first, between two, and after the last."""
        if self.rounds and self.rounds[-1].position.ended == RUNNING:
            return self.rounds[-1]
        return None

    def next_starter(self) -> Seat | None:
        """Who starts the next round: its loser, or the other trader when nobody lost. None: the deal decides."""
        if not self.rounds:
            return None
        last = self.rounds[-1]
        ended = last.result
        winner = ended.seal if ended is not None else None
        return starter_after(last.deal.starts, NOBODY if winner is None else winner)

    def start(self, deal: Deal) -> Round:
        """Set up the next round."""
        if self.winner is not None:
            raise WrongDeal("The game is over; there is no further round.")
        if self.running is not None:
            raise WrongDeal("The last round is still running.")
        starter = self.next_starter()
        if starter is not None and deal.starts != starter:
            raise WrongDeal(f"Seat {starter} starts this round, not seat {deal.starts}.")
        self.rounds.append(Round(deal, new_round(deal), self.seals))
        return self.rounds[-1]

    def play(self, move: Move) -> None:
        """Play a move in the current round; `IllegalMove` where the rules do not allow it."""
        if not self.rounds:
            raise WrongDeal("No round has been dealt yet.")
        play(self.rounds[-1].position, move)
        self.rounds[-1].moves.append(move)

    def abandon(self) -> None:
        """Give the running round up as a draw, as simulations do at their move limit."""
        if self.running is not None:
            abandon(self.running.position)

    def legal_moves(self) -> list[Move]:
        running = self.running
        return legal_moves(running.position) if running is not None else []

    def view(self, seat: Seat) -> View:
        """What a seat knows of the current round."""
        if not self.rounds:
            raise WrongDeal("No round has been dealt yet.")
        current = self.rounds[-1]
        return view_of(current.position, seat, self.herds, current.seals)
