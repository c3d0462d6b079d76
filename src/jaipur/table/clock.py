"""The clock of a table: the time that each player has left, computed only from the times of the events.

A live clock limits the time of the whole game and adds an increment after each move. A daily clock limits the time of
each move. The clock starts after both players have moved once, because a player may not know yet that the opponent has
joined. After a deal the clock pauses, so that both players can look at the last round and at the new cards. The clock
of a computer player counts only its computation time, because a computer player may have to wait for a free processor.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, Self

from jaipur.rules import Seat
from jaipur.table.options import DAY, SECOND, Daily, Live, Millis

PAUSE = 15 * SECOND


class Outage(NamedTuple):
    """A period in which the players could not play, because no server was running."""

    began: Millis
    ended: Millis

    def after(self, time: Millis) -> Millis:
        """Return how long the outage lasted after a given time."""
        return max(0, self.ended - max(self.began, time))


NO_OUTAGE = Outage(0, 0)


@dataclass(slots=True)
class Clock:
    """The time that each seat has left. The clock of the player to move has been running since the time `since`."""

    kind: Live | Daily | None
    left: list[Millis] = field(default_factory=lambda: [0, 0])
    since: Millis | None = None
    _moved: list[bool] = field(default_factory=lambda: [False, False])
    _paused_until: Millis = 0

    @classmethod
    def full(cls, kind: Live | Daily | None) -> Self:
        """Return a clock before the first move."""
        match kind:
            case Live(seconds=seconds):
                return cls(kind, [seconds * SECOND] * 2)
            case Daily(days=days):
                return cls(kind, [days * DAY] * 2)
        return cls(kind)

    def deal(self, at: Millis) -> None:
        self._paused_until = at + PAUSE
        self._run(at)

    def press(self, seat: Seat, at: Millis, took: Millis | None = None) -> None:
        """Stop the clock of the player who moved, and start the clock of the opponent.

        `took` is the computation time of a computer player. Only this time counts for it.
        """
        self._moved[seat] = True
        if isinstance(self.kind, Live):
            left = self.left_at(seat, at)
            if took is not None:
                left = max(left, self.left[seat] - took)
            self.left[seat] = left + self.kind.increment * SECOND
        self._run(at)

    def stop(self, turn: Seat | None, at: Millis) -> None:
        """Stop the clock, and subtract the time that the player to move has used."""
        if turn is not None:
            self.left[turn] = self.left_at(turn, at)
        self.since = None

    def left_at(self, turn: Seat, at: Millis) -> Millis:
        """Return the time that the player to move has left at a given time."""
        used = 0 if self.since is None else max(0, at - self.since)
        return max(0, self.left[turn] - used)

    def deadline(self, turn: Seat) -> Millis | None:
        """Return the time at which the clock of the player to move runs out."""
        return None if self.since is None else self.since + self.left[turn]

    def _run(self, at: Millis) -> None:
        if self.kind is not None and all(self._moved):
            self.since = max(at, self._paused_until)
