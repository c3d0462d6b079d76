"""What a table has come to: the fold of its journal, one entry after the other, and what can be asked of it.

Nothing here decides; `table` says what may happen next.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from typing import Literal, Self

from msgspec import Struct

from jaipur.notation.fair import commitment
from jaipur.rules import Deal, Game, Move, Position, Seat, parse_cards
from jaipur.table import events
from jaipur.table.clock import Clock
from jaipur.table.events import AnyEvent, Chair, LogEntry
from jaipur.table.options import DAY, SECOND, Millis, TableOptions
from jaipur.table.store import Phase, TableStatus

ABANDONED_AFTER = 30 * DAY
COMPUTERS_LATE_AFTER = 30 * SECOND


class GameEnd(Struct, frozen=True):
    """How a game came to its end."""

    by: Literal["seals", "resignation", "time", "abandonment"]
    winner: Seat | None


@dataclass(slots=True)
class LastMove:
    """The last move of a seat, to know it again when it is sent twice."""

    since: int
    """It could be played from this version on,"""
    version: int
    """and made this one."""
    move: str


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return sha256(secret.encode()).hexdigest()


@dataclass(slots=True)
class TableState:
    """A table after its journal so far."""

    id: str
    options: TableOptions = field(default_factory=TableOptions)
    chairs: list[Chair] = field(default_factory=lambda: [Chair(), Chair()])
    game: Game = field(default_factory=Game)
    clock: Clock = field(default_factory=lambda: Clock(None))
    salts: list[str] = field(default_factory=list)
    commitments: list[str] = field(default_factory=list)
    times: list[list[Millis]] = field(default_factory=list)
    """The moment of every move, by round."""
    away: list[bool] = field(default_factory=lambda: [False, False])
    offers: list[bool] = field(default_factory=lambda: [False, False])
    last_moves: list[LastMove | None] = field(default_factory=lambda: [None, None])
    over: GameEnd | None = None
    previous: str | None = None
    """The table this one is a rematch of,"""
    next: str | None = None
    """and the one where the rematch of this one is."""
    opened: Millis = 0
    turn_version: int = 0
    """The version at which the game itself last changed: what was chosen before it is stale."""
    last: LogEntry | None = None
    position_before: Position | None = None
    """Where the last entry's move was played, if it is one."""

    @classmethod
    def replay(cls, name: str, entries: Iterable[LogEntry]) -> Self:
        table = cls(name)
        for entry in entries:
            table.apply(entry)
        return table

    @property
    def version(self) -> int:
        return 0 if self.last is None else self.last.version

    @property
    def seated(self) -> bool:
        return all(chair.player != "nobody" for chair in self.chairs)

    @property
    def phase(self) -> Phase:
        if self.over is not None:
            return "over"
        return "running" if self.seated else "open"

    @property
    def turn(self) -> Seat | None:
        running = self.game.running
        return running.position.turn if running is not None and self.over is None else None

    @property
    def one_screen(self) -> bool:
        """Whether one person plays both seats."""
        first, second = self.chairs
        return first.player == second.player == "person" and first.secret == second.secret

    def seats_of(self, secret: str) -> tuple[Seat, ...]:
        """The seats that a secret opens: one, both on a shared screen, or none."""
        kept = digest(secret)
        return tuple(
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.player == "person" and compare_digest(chair.secret or "", kept)
        )

    @property
    def status(self) -> TableStatus:
        at = 0 if self.last is None else self.last.at
        turn = self.turn
        if turn is None:
            # Between two rounds the next deal is due at once.
            return TableStatus(
                self.phase, computer=False, due=at if self.phase == "running" else None
            )
        computer = self.chairs[turn].player == "computer"
        late = at + (COMPUTERS_LATE_AFTER if computer else ABANDONED_AFTER)
        deadline = self.clock.deadline(turn)
        return TableStatus(self.phase, computer, late if deadline is None else min(late, deadline))

    def apply(self, entry: LogEntry) -> None:
        """Let an entry have happened."""
        assert entry.version == self.version + 1, f"version {entry.version} after {self.version}"
        self.position_before = None
        self._happen(entry.event, entry)
        if isinstance(entry.event, _TURNS):
            self.turn_version = entry.version
        self.last = entry

    def _happen(self, event: AnyEvent, entry: LogEntry) -> None:
        match event:
            case events.Opened():
                self._open(event, entry.at)
            case events.Seated(seat, name, secret):
                self.chairs[seat] = Chair("person", name, secret)
            case events.Dealt():
                self._deal(event, entry.at)
            case events.Played(seat, move):
                self._play(seat, move, entry)
            case events.Resigned() | events.Flagged() | events.Abandoned():
                self._end(_over(event), entry.at)
            case events.Left(seat) | events.Returned(seat):
                self.away[seat] = isinstance(event, events.Left)
            case events.Offered(seat):
                self.offers[seat] = True
            case events.Rematched(table):
                self.next = table

    def _open(self, event: events.Opened, at: Millis) -> None:
        self.opened = at
        self.chairs = list(event.chairs)
        self.options = event.options
        self.previous = event.previous
        self.game = Game(event.options.herds)
        self.clock = Clock(event.options.clock)

    def _deal(self, event: events.Dealt, at: Millis) -> None:
        deal = Deal(parse_cards(event.deal), event.bonus, event.starts)
        self.game.start(deal)
        self.salts.append(event.salt)
        self.commitments.append(commitment(deal, event.salt))
        self.times.append([])
        self.clock.deal(at)

    def _play(self, seat: Seat, move: str, entry: LogEntry) -> None:
        assert seat == self.turn, f"seat {seat} moved out of turn"
        self.position_before = self.game.rounds[-1].position.copy()
        self.game.play(Move.parse(move))
        self.times[-1].append(entry.at)
        self.last_moves[seat] = LastMove(self.turn_version, entry.version, move)
        self.away[seat] = False
        self.clock.press(seat, entry.at)
        if self.game.running is None:
            self.clock.stop(None, entry.at)
        if self.game.winner is not None:
            self._end(GameEnd("seals", self.game.winner), entry.at)

    def _end(self, over: GameEnd, at: Millis) -> None:
        self.clock.stop(self.turn, at)
        self.over = over


def _over(event: events.Resigned | events.Flagged | events.Abandoned) -> GameEnd:
    match event:
        case events.Resigned(seat):
            return GameEnd("resignation", 1 - seat)
        case events.Flagged(seat):
            return GameEnd("time", 1 - seat)
        case events.Abandoned():
            return GameEnd("abandonment", None)


_TURNS = (events.Dealt, events.Played, events.Resigned, events.Flagged, events.Abandoned)
