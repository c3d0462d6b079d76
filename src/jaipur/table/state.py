"""The state of a table. It is the result of applying the entries of its event log in order.

`TableState` only applies events. Its subclass `Table` adds the commands, which validate input and create events.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from traceback import extract_tb
from typing import Literal, Self

from msgspec import Struct

from jaipur.rules import Deal, Game, Move, Position, Seat
from jaipur.rules.cards import parse_cards
from jaipur.rules.turn import carry_out
from jaipur.table import events
from jaipur.table.clock import Clock
from jaipur.table.events import AnyEvent, Chair, LogEntry
from jaipur.table.market_places import places_after_deal, places_after_move
from jaipur.table.options import DAY, SECOND, Millis, TableOptions
from jaipur.table.proof import DealProof

ABANDONED_AFTER = 30 * DAY
WARN_AT = 10
"""Clients warn the players when the round ends after at most this many more exchanges in a row."""
COMPUTER_LATE_AFTER = 30 * SECOND
CONTRIBUTION_TIME = 3 * SECOND
"""The first deal waits at most this long for contributions."""


Phase = Literal["open", "running", "over"]


class DamagedLog(Exception):  # noqa: N818  # describes the log
    """The event log cannot be read or replayed. The message contains no event, so the server may log it."""

    loggable = True

    def __init__(self, table_id: str, problem: str) -> None:
        super().__init__(f"The event log of table {table_id} is damaged: {problem}.")


class TableStatus(Struct, frozen=True):
    """The fields of a table that the database can query without reading the event log."""

    phase: Phase
    computer: bool
    """Whether it is the turn of a computer player."""
    due: Millis | None
    """The scheduler must check the table at this time, because a clock runs out or the game is abandoned."""


class GameEnd(Struct, frozen=True):
    by: Literal["seals", "rounds", "resignation", "time", "abandonment"]
    winner: Seat | None


@dataclass(slots=True)
class LastMove:
    """The last move of a seat. With it, the table recognises a request that is sent twice."""

    since: int
    """The first version at which the move could be played."""
    version: int
    """The version of the event that the move created."""
    move: Move


def digest(secret: str) -> str:
    """Return the hash of a secret. Only the hash is stored."""
    return sha256(secret.encode()).hexdigest()


@dataclass(slots=True)
class TableState:
    """The state of a table after all entries applied so far."""

    id: str
    options: TableOptions = field(default_factory=TableOptions)
    chairs: list[Chair] = field(default_factory=lambda: [Chair(), Chair()])
    game: Game = field(default_factory=Game)
    clock: Clock = field(default_factory=lambda: Clock(None))
    proofs: list[DealProof] = field(default_factory=list)
    """By round: the proof of the deal. The next round is included if its salt is known."""
    times: list[list[Millis]] = field(default_factory=list)
    """By round: the time of every move."""
    away: list[bool] = field(default_factory=lambda: [False, False])
    departures: int = 0
    """The number of times that a player has left."""
    offers: list[bool] = field(default_factory=lambda: [False, False])
    last_moves: list[LastMove | None] = field(default_factory=lambda: [None, None])
    over: GameEnd | None = None
    previous: str | None = None
    """If this table is a rematch: the id of the previous table."""
    next: str | None = None
    opened: Millis = 0
    joined: Millis = 0
    """The time at which the last seat was taken."""
    turn_version: int = 0
    """The version of the last change of the game. A move that was chosen at an earlier version is stale."""
    last: LogEntry | None = None
    market_places: str = ""
    """The cards of the market from left to right, see `market_places`. Empty before the first deal."""
    position_before: Position | None = None
    """The position before the last entry, if the last entry is a move."""
    _validated: tuple[AnyEvent, Move] | None = field(default=None, repr=False, compare=False)
    """A move that a command has just parsed and checked. `apply` then does not parse and check it again."""

    @classmethod
    def replay(cls, table_id: str, entries: Iterable[LogEntry]) -> Self:
        table = cls(table_id)
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
    def exchanges_left(self) -> int | None:
        """After this many more exchanges in a row, the round ends. None if this end is not near."""
        running = self.game.running
        left = None if running is None or self.over is not None else running.exchanges_left
        return left if left is not None and 0 < left <= WARN_AT else None

    @property
    def deadline(self) -> Millis | None:
        """The time at which the player to move loses on time.

        A computer does not lose while it waits: it loses at its next turn, if its computations have used up its time.
        """
        turn = self.turn
        if turn is None:
            return None
        if self.chairs[turn].player == "computer" and self.clock.left[turn] > 0:
            return None
        return self.clock.deadline(turn)

    @property
    def upcoming(self) -> DealProof | None:
        """The proof of the next round, or None if its salt is not known."""
        dealt = len(self.game.rounds)
        return self.proofs[dealt] if dealt < len(self.proofs) else None

    @property
    def awaits(self) -> list[Seat]:
        """The seats that want to contribute to the next round and have not done so yet."""
        proof = self.upcoming
        if proof is None:
            return []
        return [
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.contributes and proof.contribution_of(seat) is None
        ]

    @property
    def deal_waits_until(self) -> Millis | None:
        """The next deal waits for contributions until this time. None if it does not wait.

        Only the first deal waits. Players can contribute to later deals during the round before.
        """
        return self.joined + CONTRIBUTION_TIME if self.awaits and not self.game.rounds else None

    @property
    def one_screen(self) -> bool:
        """Whether one person plays both seats."""
        first, second = self.chairs
        return first.player == second.player == "person" and first.secret == second.secret

    def seats_of(self, secret: str) -> tuple[Seat, ...]:
        """Return the seats that belong to a secret. If one person plays both seats, return both."""
        stored = digest(secret)
        return tuple(
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.player == "person" and compare_digest(chair.secret or "", stored)
        )

    @property
    def status(self) -> TableStatus:
        at = 0 if self.last is None else self.last.at
        turn = self.turn
        if turn is None:
            due = None
            if self.phase == "running":
                waits = self.deal_waits_until
                due = at if waits is None else waits
            return TableStatus(self.phase, computer=False, due=due)
        computer = self.chairs[turn].player == "computer"
        late = at + (COMPUTER_LATE_AFTER if computer else ABANDONED_AFTER)
        deadline = self.deadline
        return TableStatus(self.phase, computer, late if deadline is None else min(late, deadline))

    def apply(self, entry: LogEntry) -> None:
        """Update the state with the next entry. Raise `DamagedLog` if the entry cannot follow this state."""
        assert entry.version == self.version + 1, f"version {entry.version} after {self.version}"
        self.position_before = None
        try:
            self._apply_event(entry.event, entry)
        except Exception as error:
            # The message of the error may contain hidden cards. Therefore keep only its class and its place in the
            # code.
            where = extract_tb(error.__traceback__)[-1]
            place = f"{Path(where.filename).name}:{where.lineno}"
            problem = f"version {entry.version} cannot be applied ({type(error).__name__}, {place})"
            raise DamagedLog(self.id, problem) from None
        if isinstance(entry.event, _GAME_CHANGES):
            self.turn_version = entry.version
        self.last = entry
        self._validated = None

    def _apply_event(self, event: AnyEvent, entry: LogEntry) -> None:
        match event:
            case events.Dealt():
                self._deal(event, entry.at)
            case events.Played():
                self._play(event, entry)
            case events.Stopped():
                self.game.stop()
                self._end_round(entry.at)
            case events.Resigned() | events.Flagged() | events.Abandoned() | events.Drawn():
                self._end(_game_end(event), entry.at)
            case _:
                self._apply_seat_event(event, entry.at)

    def _apply_seat_event(self, event: AnyEvent, at: Millis) -> None:
        """Apply an event that does not change the game."""
        match event:
            case events.Opened():
                self._open(event, at)
            case events.Seated(seat, name, secret, contributes):
                self.chairs[seat] = Chair("person", name, secret, contributes)
                self.joined = at
            case events.Contributed(seat, number, value):
                self.proofs[number - 1] = self.proofs[number - 1].with_contribution(seat, value)
            case events.Left(seat) | events.Returned(seat):
                self.away[seat] = isinstance(event, events.Left)
                self.departures += self.away[seat]
            case events.Offered(seat):
                self.offers[seat] = True
            case events.Rematched(table):
                self.next = table

    def _open(self, event: events.Opened, at: Millis) -> None:
        self.opened = self.joined = at
        self.chairs = list(event.chairs)
        self.options = event.options
        self.previous = event.previous
        self.game = Game(event.options.herds)
        self.clock = Clock.full(event.options.clock)
        self._commit(event.salt)

    def _commit(self, salt: str | None) -> None:
        """Store the salt of the next round, if there is one."""
        if salt is not None:
            self.proofs.append(DealProof.of_salt(self.id, len(self.game.rounds) + 1, salt))

    def _deal(self, event: events.Dealt, at: Millis) -> None:
        deal = Deal(parse_cards(event.deal), event.bonus, event.starts)
        if self.upcoming is None:
            self.proofs.append(DealProof.of_deal(deal, event.salt))
        self.game.start(deal)
        self._commit(event.next_salt)
        self.times.append([])
        self.market_places = places_after_deal(deal)
        self.clock.deal(at)

    def _play(self, event: events.Played, entry: LogEntry) -> None:
        seat = event.seat
        assert seat == self.turn, f"seat {seat} moved out of turn"
        current = self.game.rounds[-1]
        self.position_before = current.position.copy()
        if self._validated is not None and self._validated[0] is event:
            move = self._validated[1]
            carry_out(current.position, move.code)
            current.moves.append(move)
        else:
            move = Move.parse(event.move)
            self.game.play(move)
        self.market_places = places_after_move(
            self.market_places, self.position_before, move, current.position
        )
        self.times[-1].append(entry.at)
        self.last_moves[seat] = LastMove(self.turn_version, entry.version, move)
        self.away[seat] = False
        self.clock.press(seat, entry.at, event.took)
        if self.game.running is None:
            self._end_round(entry.at)

    def _end_round(self, at: Millis) -> None:
        self.clock.stop(None, at)
        if self.game.winner is not None:
            self._end(GameEnd("seals", self.game.winner), at)

    def _end(self, end: GameEnd, at: Millis) -> None:
        self.clock.stop(self.turn, at)
        self.over = end


_GAME_CHANGES = (
    events.Dealt | events.Played | events.Stopped | events.Drawn
    | events.Resigned | events.Flagged | events.Abandoned
)  # fmt: skip


def _game_end(
    event: events.Resigned | events.Flagged | events.Abandoned | events.Drawn,
) -> GameEnd:
    match event:
        case events.Resigned(seat):
            return GameEnd("resignation", 1 - seat)
        case events.Flagged(seat):
            return GameEnd("time", 1 - seat)
        case events.Abandoned():
            return GameEnd("abandonment", None)
        case events.Drawn():
            return GameEnd("rounds", None)
