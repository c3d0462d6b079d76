"""The clock of a table: how much time each trader has left, told from the moments of the events alone.

A live clock counts a whole game down and adds some time with every move; a daily one starts anew with each move. No
time runs before both have moved once, for one of them may not know yet that the other has come. After a deal there is
a pause before it runs, for looking at the last round and at the new cards.
"""

from dataclasses import dataclass, field

from jaipur.rules import Seat
from jaipur.table.options import DAY, SECOND, Daily, Live, Millis

PAUSE = 15 * SECOND


@dataclass(slots=True)
class Clock:
    """Time left by seat; `since` is the moment from which the one to move is charged."""

    kind: Live | Daily | None
    left: list[Millis] = field(default_factory=lambda: [0, 0])
    since: Millis | None = None
    _moved: list[bool] = field(default_factory=lambda: [False, False])
    _pause: Millis = 0
    """Until when no time runs after a deal."""

    def __post_init__(self) -> None:
        match self.kind:
            case Live(seconds=seconds):
                self.left = [seconds * SECOND] * 2
            case Daily(days=days):
                self.left = [days * DAY] * 2

    def deal(self, at: Millis) -> None:
        self._pause = at + PAUSE
        self._run(at)

    def press(self, seat: Seat, at: Millis) -> None:
        """The one to move has moved, and the other's time runs."""
        self._moved[seat] = True
        if isinstance(self.kind, Live):
            self.left[seat] = self.left_at(seat, at) + self.kind.increment * SECOND
        self._run(at)

    def stop(self, turn: Seat | None, at: Millis) -> None:
        """The game is over, and whoever was to move is charged."""
        if turn is not None:
            self.left[turn] = self.left_at(turn, at)
        self.since = None

    def left_at(self, turn: Seat, at: Millis) -> Millis:
        """What the one to move has left at a moment."""
        used = 0 if self.since is None else max(0, at - self.since)
        return max(0, self.left[turn] - used)

    def deadline(self, turn: Seat) -> Millis | None:
        """When the time of the one to move runs out."""
        return None if self.since is None else self.since + self.left[turn]

    def _run(self, at: Millis) -> None:
        if self.kind is not None and all(self._moved):
            self.since = max(at, self._pause)
