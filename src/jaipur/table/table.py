"""A table with its commands. A command validates its arguments and returns events, or raises `Refused`.

A command does not change the table. The caller applies and stores the events. The caller also passes randomness and
time as arguments.
"""

from collections.abc import Sequence
from hmac import compare_digest
from random import Random

from jaipur.notation.fair import new_salt
from jaipur.rules import Deal, Move, NotationError, Seat
from jaipur.table import events
from jaipur.table.clock import NO_OUTAGE, Outage
from jaipur.table.events import AnyEvent
from jaipur.table.options import Millis
from jaipur.table.refusals import AlreadyPlayed, RefusalCode, Refused
from jaipur.table.state import ABANDONED_AFTER, LastMove, TableState, digest

ROUND_LIMIT = 10
"""A game that has no winner after this many rounds is a draw. Only players who tie on purpose reach this limit."""
DEPARTURE_LIMIT = 1000
"""A table records at most this many departures of its players, so that they cannot fill the log."""


def parse_move(text: str) -> Move:
    """Parse a move. Raise `Refused` if the text is not a move."""
    try:
        return Move.parse(text)
    except NotationError as error:
        raise Refused(RefusalCode.UNREADABLE, {"problem": str(error)}) from None


class Table(TableState):
    """A table: two seats, a game, options, and a version that increases with every event."""

    __slots__ = ()

    def take_seat(
        self, invitation: str, secret: str, name: str, contributes: bool = False
    ) -> list[AnyEvent]:
        """Take the free seat with an invitation. Return no event if this secret already has a seat."""
        if self.seats_of(secret):
            return []
        if self.seated:
            raise Refused(RefusalCode.SEAT_TAKEN)
        seat = next(seat for seat, chair in enumerate(self.chairs) if chair.player == "nobody")
        if not compare_digest(self.chairs[seat].secret or "", digest(invitation)):
            raise Refused(RefusalCode.NOT_INVITED)
        return [events.Seated(seat, name, digest(secret), contributes)]

    def play(
        self, seat: Seat, move: Move | str, seen_version: int, took: Millis | None = None
    ) -> list[AnyEvent]:
        """Play a move. `seen_version` is the version of the table for which the player chose the move.

        Raise `AlreadyPlayed` if the same move was already accepted. Call `advance` first: if a player's time is up,
        that event must come before the move.
        """
        parsed = parse_move(move) if isinstance(move, str) else move
        repeated = self._accepted(seat, parsed, seen_version)
        if repeated is not None:
            raise AlreadyPlayed(repeated.version)
        self._check_running()
        if self.turn != seat:
            raise Refused(RefusalCode.NOT_YOUR_TURN)
        if seen_version < self.turn_version:
            raise Refused(RefusalCode.STALE, {"seen": seen_version, "version": self.version})
        if seen_version > self.version:
            raise Refused(RefusalCode.AHEAD, {"seen": seen_version, "version": self.version})
        reason = self.game.rounds[-1].position.why_not(parsed)
        if reason is not None:
            raise Refused(RefusalCode.ILLEGAL, reason.values, reason)
        played = events.Played(seat, str(parsed), took)
        self._validated = (played, parsed)
        return [played]

    def why_not(self, seat: Seat, move: str) -> Refused | None:
        """Return the reason why a seat may not play a move now, or None if the move is legal. Do not play the move."""
        try:
            self.play(seat, move, self.version)
        except AlreadyPlayed:
            return None
        except Refused as refused:
            return refused
        return None

    def mover(self, seats: Sequence[Seat], move: Move, seen_version: int) -> Seat:
        """Return which of a person's seats plays a move: the seat to move, or the seat that has already played it."""
        for seat in seats:
            if self._accepted(seat, move, seen_version) is not None:
                return seat
        turn = self.turn
        return turn if turn is not None and turn in seats else seats[0]

    def resign(self, seat: Seat) -> list[AnyEvent]:
        """Resign the game. Return no event if the seat has already resigned."""
        winners = (0, 1) if self.one_screen else (1 - seat,)
        if self.over is not None and self.over.by == "resignation" and self.over.winner in winners:
            return []
        self._check_running()
        return [events.Resigned(seat)]

    def offer_rematch(self, seat: Seat) -> list[AnyEvent]:
        """Offer a rematch. The rematch starts when both players have offered it. A computer player always accepts."""
        if self.over is None:
            raise Refused(RefusalCode.NOT_OVER)
        if self.next is not None:
            return []
        offered: list[AnyEvent] = [] if self.offers[seat] else [events.Offered(seat)]
        agreed = self.offers[1 - seat] or self.chairs[1 - seat].player == "computer"
        if agreed or self.one_screen:
            return [*offered, events.Rematched(self.rematch_id())]
        return offered

    def rematch(self) -> events.Opened:
        """Return the first event of the rematch table. It has the same players and options, with swapped seats."""
        return events.Opened((self.chairs[1], self.chairs[0]), self.options, previous=self.id)

    def rematch_id(self) -> str:
        """Return the id of the rematch table.

        It follows from the secrets, so two simultaneous offers give the same id.
        """
        known = " ".join([self.id, *(chair.secret or "" for chair in self.chairs)])
        return digest(f"rematch {known}")[:16]

    def leave(self, seat: Seat) -> list[AnyEvent]:
        """Leave the table for a while. The game and its clock continue."""
        present = self.chairs[seat].player == "person" and not self.away[seat]
        recorded = self.over is None and self.departures < DEPARTURE_LIMIT
        return [events.Left(seat)] if present and recorded else []

    def rejoin(self, seat: Seat) -> list[AnyEvent]:
        return [events.Returned(seat)] if self.away[seat] else []

    def contribute(self, seat: Seat, number: int, value: str) -> list[AnyEvent]:
        """Contribute a value to the deal of round `number`. Return no event if the value is already stored."""
        if (
            0 < number <= len(self.proofs)
            and self.proofs[number - 1].contribution_of(seat) == value
        ):
            return []
        dealt = len(self.game.rounds)
        if number <= dealt:
            raise Refused(RefusalCode.ALREADY_DEALT, {"round": number})
        if self.over is not None:
            raise Refused(RefusalCode.GAME_OVER)
        if number > dealt + 1 or self.upcoming is None:
            raise Refused(RefusalCode.NO_COMMITMENT, {"round": number})
        if self.upcoming.contribution_of(seat) is not None:
            raise Refused(RefusalCode.ALREADY_CONTRIBUTED, {"round": number})
        return [events.Contributed(seat, number, value)]

    def contributor(self, seats: Sequence[Seat]) -> Seat:
        """Return which of a person's seats contributes. A person with both seats contributes only once."""
        return next((seat for seat in seats if self.chairs[seat].contributes), seats[0])

    def deal(self, rng: Random, first: Seat | None = None) -> list[AnyEvent]:
        """Deal the next round. `first` is the seat that starts the first round. None means a random seat.

        The rules decide who starts the later rounds.
        """
        starts = self.game.next_starter() if self.game.rounds else first
        proof = self.upcoming
        if proof is None:
            return [events.Dealt.of(Deal.shuffled(rng, starts), new_salt(rng))]
        deal = proof.derive(self.id, len(self.game.rounds) + 1, starts)
        return [events.Dealt.of(deal, proof.salt, next_salt=new_salt(rng))]

    def stop_round(self) -> list[AnyEvent]:
        """End the round if the players have exchanged too many times in a row."""
        running = self.game.running
        return [events.Stopped()] if running is not None and not running.exchanges_left else []

    def advance(self, now: Millis, rng: Random, outage: Outage = NO_OUTAGE) -> list[AnyEvent]:
        """Return the next event that happens without a command, if one is due: a round is stopped or dealt, a player's
        time runs out, or the game ends.

        The time of an outage does not count against the players.
        """
        if self.phase != "running":
            return []
        turn = self.turn
        if turn is None:
            if len(self.game.rounds) >= ROUND_LIMIT:
                return [events.Drawn()]
            waits = self.deal_waits_until
            return self.deal(rng) if waits is None or now >= waits else []
        if stopped := self.stop_round():
            return stopped
        since, deadline = self.clock.since, self.deadline
        if since is not None and deadline is not None and now >= deadline + outage.after(since):
            return [events.Flagged(turn)]
        last = self.last
        if last is not None and now >= last.at + ABANDONED_AFTER + outage.after(last.at):
            return [events.Abandoned()]
        return []

    def _check_running(self) -> None:
        if self.over is not None:
            raise Refused(RefusalCode.GAME_OVER)
        if self.turn is None:
            raise Refused(RefusalCode.NOT_STARTED)

    def _accepted(self, seat: Seat, move: Move, seen: int) -> LastMove | None:
        """Return the last move of a seat, if it is the same move and was chosen for the same version."""
        last = self.last_moves[seat]
        same = last is not None and last.since <= seen < last.version and last.move == move
        return last if same else None
