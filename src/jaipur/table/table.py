"""A table and its doors: who wants something asks here, and learns what would happen then, or why not.

The answers are events; nothing has changed until they are kept and applied. Chance and the time are handed in.
"""

from collections.abc import Sequence
from hmac import compare_digest
from random import Random

from jaipur.notation.fair import new_salt
from jaipur.rules import Deal, Move, NotationError, Seat
from jaipur.table import events
from jaipur.table.events import AnyEvent
from jaipur.table.options import Millis
from jaipur.table.refusals import RefusalCode, Refused
from jaipur.table.state import ABANDONED_AFTER, TableState, digest


class Table(TableState):
    """Two chairs, a game, options, and a version that grows with every event."""

    __slots__ = ()

    def take_seat(self, invitation: str, secret: str, name: str) -> list[AnyEvent]:
        """Take the free seat with an invitation. No event: this secret has taken it before."""
        if self.seats_of(secret):
            return []
        if self.seated:
            raise Refused(RefusalCode.SEAT_TAKEN)
        seat = next(seat for seat, chair in enumerate(self.chairs) if chair.player == "nobody")
        if not compare_digest(self.chairs[seat].secret or "", digest(invitation)):
            raise Refused(RefusalCode.NOT_INVITED)
        return [events.Seated(seat, name, digest(secret))]

    def play(self, seat: Seat, move: str, seen_version: int) -> list[AnyEvent]:
        """The one door for people, bots and computers. No event: this very move has been played before.

        What the time has brought must have happened already (`advance`): a fallen flag is an event before the move.
        """
        read = _read(move)
        if self._has_played(seat, str(read), seen_version):
            return []
        self._must_run()
        if self.turn != seat:
            raise Refused(RefusalCode.NOT_YOUR_TURN)
        if seen_version < self.turn_version:
            raise Refused(RefusalCode.STALE, {"seen": seen_version, "version": self.version})
        if seen_version > self.version:
            raise Refused(RefusalCode.AHEAD, {"seen": seen_version, "version": self.version})
        self._must_be_legal(read)
        return [events.Played(seat, str(read))]

    def why_not(self, seat: Seat, move: str) -> Refused | None:
        """What speaks against a move of a seat now, if anything does; nothing is played."""
        try:
            self.play(seat, move, self.version)
        except Refused as refused:
            return refused
        return None

    def who_moves(self, seats: Sequence[Seat], move: str, seen_version: int) -> Seat:
        """Which of these seats means a move, where nobody says so: the one that has played it, or is to move."""
        written = str(_read(move))
        for seat in seats:
            if self._has_played(seat, written, seen_version):
                return seat
        turn = self.turn
        return turn if turn is not None and turn in seats else seats[0]

    def resign(self, seat: Seat) -> list[AnyEvent]:
        """Give the game up. No event: this has been done before."""
        mine = (0, 1) if self.one_screen else (1 - seat,)
        if self.over is not None and self.over.by == "resignation" and self.over.winner in mine:
            return []
        self._must_run()
        return [events.Resigned(seat)]

    def offer_rematch(self, seat: Seat) -> list[AnyEvent]:
        """Ask for a rematch; it is on once both have asked, where there is somebody to ask."""
        if self.over is None:
            raise Refused(RefusalCode.NOT_OVER)
        if self.next is not None:
            return []
        asked: list[AnyEvent] = [] if self.offers[seat] else [events.Offered(seat)]
        agreed = self.offers[1 - seat] or self.chairs[1 - seat].player == "computer"
        return [*asked, events.Rematched(self.rematch_id())] if agreed or self.one_screen else asked

    def rematch(self) -> events.Opened:
        """How the table of the rematch begins: the same people and options, seats swapped."""
        return events.Opened((self.chairs[1], self.chairs[0]), self.options, previous=self.id)

    def rematch_id(self) -> str:
        """Follows from what this table keeps secret, so that two who agree at once meet at one table."""
        known = " ".join([self.id, *(chair.secret or "" for chair in self.chairs)])
        return digest(f"rematch {known}")[:16]

    def leave(self, seat: Seat) -> list[AnyEvent]:
        """Go away for a while; the game waits as long as its clock does."""
        person = self.chairs[seat].player == "person"
        return [events.Left(seat)] if person and not self.away[seat] and self.over is None else []

    def rejoin(self, seat: Seat) -> list[AnyEvent]:
        return [events.Returned(seat)] if self.away[seat] else []

    def deal(self, rng: Random, first: Seat | None = None) -> list[AnyEvent]:
        """Deal the next round. `first` starts round one; None draws the starter. The rules decide later starters."""
        starts = self.game.next_starter() if self.game.rounds else first
        return [events.Dealt.of(Deal.shuffled(rng, starts), new_salt(rng))]

    def advance(self, now: Millis, rng: Random) -> list[AnyEvent]:
        """What happens without anybody asking: a flag falls, a game counts as abandoned, a round is dealt."""
        if self.phase != "running":
            return []
        turn = self.turn
        if turn is None:
            return self.deal(rng)
        deadline = self.clock.deadline(turn)
        if deadline is not None and now >= deadline:
            return [events.Flagged(turn)]
        if self.last is not None and now >= self.last.at + ABANDONED_AFTER:
            return [events.Abandoned()]
        return []

    def _must_run(self) -> None:
        if self.over is not None:
            raise Refused(RefusalCode.GAME_OVER)
        if self.turn is None:
            raise Refused(RefusalCode.NOT_STARTED)

    def _must_be_legal(self, move: Move) -> None:
        reason = self.game.rounds[-1].position.why_not(move)
        if reason is not None:
            raise Refused(RefusalCode.ILLEGAL, reason.values, reason)

    def _has_played(self, seat: Seat, move: str, seen: int) -> bool:
        act = self.last_moves[seat]
        return act is not None and act.since <= seen < act.version and act.move == move


def _read(move: str) -> Move:
    try:
        return Move.parse(move)
    except NotationError as error:
        raise Refused(RefusalCode.UNREADABLE, {"problem": str(error)}) from None
