"""The journal is all there is: whatever is asked in whatever order, a table read from it is the table itself."""

from collections.abc import Callable
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec import json

from jaipur.players import player_named
from jaipur.rules import Seat
from jaipur.table.events import (
    Abandoned,
    AnyEvent,
    Chair,
    Flagged,
    Left,
    LogEntry,
    Offered,
    Opened,
    Played,
    Rematched,
    Resigned,
    Returned,
    Seated,
)
from jaipur.table.options import DAY, SECOND, Daily, Live, Millis, TableOptions
from jaipur.table.projection import latest_message
from jaipur.table.refusals import AlreadyPlayed, Refused
from jaipur.table.table import Table, parse_move
from table.keeping import (
    A_FREE_SEAT,
    AGAINST_A_COMPUTER,
    AUDIENCES,
    DEAL,
    ID,
    INVITATION,
    NOON,
    ONE_SCREEN,
    PEOPLE,
    SECRETS,
    Kept,
    dealt_event,
    game_of,
    kept_table,
    read_again,
)

EVENTS: list[AnyEvent] = [
    Opened(PEOPLE, TableOptions()),
    Opened(A_FREE_SEAT, TableOptions("hidden", True, False, Live(60, 5)), previous=ID),
    Opened(AGAINST_A_COMPUTER, TableOptions(clock=Daily(14))),
    Seated(1, "Ravi « 象 »", "digest"),
    dealt_event(DEAL),
    Played(0, "+GS-LM"),
    Resigned(1),
    Flagged(0),
    Abandoned(),
    Left(0),
    Returned(1),
    Offered(0),
    Rematched(ID),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_reads_back_as_what_was_written(event: AnyEvent) -> None:
    entry = LogEntry(7, 1_700_000_000_000, event)
    assert json.decode(json.encode(entry), type=LogEntry) == entry
    assert json.decode(json.encode(event), type=AnyEvent) == event


def test_there_is_an_example_of_every_event() -> None:
    assert {type(event) for event in EVENTS} == set(AnyEvent.__args__)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.data())
def test_a_table_read_from_any_part_of_its_journal_is_the_table_as_it_was(
    seed: int, data: st.DataObject
) -> None:
    journal = game_of(seed).journal
    part = data.draw(st.integers(1, len(journal)))
    live = Kept()
    live.happen([entry.event for entry in journal[:part]])
    as_it_was = deepcopy(live.table)
    live.happen([entry.event for entry in journal[part:]])
    assert Table.replay(ID, read_again(journal[:part])) == as_it_was
    assert Table.replay(ID, read_again(journal)) == live.table


def test_what_is_told_anew_from_the_journal_is_what_was_told() -> None:
    kept, told = Kept(), []
    for entry in game_of(4).journal:
        kept.happen([entry.event])
        told.append([json.encode(latest_message(kept.table, audience)) for audience in AUDIENCES])
    again = Table(ID)
    for entry, before in zip(read_again(kept.journal), told, strict=True):
        again.apply(entry)
        assert [json.encode(latest_message(again, audience)) for audience in AUDIENCES] == before


@pytest.mark.parametrize("version", [0, 1, 2, 4])
def test_a_journal_with_a_gap_or_an_entry_twice_is_no_table(version: int) -> None:
    kept = kept_table()
    with pytest.raises(AssertionError, match=f"version {version} after 2"):
        kept.table.apply(LogEntry(version, NOON, Played(0, "+S")))
    assert kept.table == Table.replay(ID, kept.journal)


def test_a_journal_begins_with_version_one() -> None:
    with pytest.raises(AssertionError, match="version 2 after 0"):
        Table.replay(ID, kept_table().journal[1:])


def test_in_a_journal_nobody_moves_out_of_turn() -> None:
    kept = kept_table()
    with pytest.raises(AssertionError, match="seat 1 moved out of turn"):
        kept.happen([Played(1, "+S")])
    kept.play("+S")
    with pytest.raises(AssertionError, match="seat 0 moved out of turn"):
        kept.happen([Played(0, "+D")])


def test_in_a_journal_nobody_moves_between_two_rounds_or_after_the_end() -> None:
    between, over = kept_table(), kept_table()
    between.finish_round()
    over.happen([Resigned(1)])
    for kept in (between, over):
        for seat in (0, 1):
            with pytest.raises(AssertionError, match="out of turn"):
                kept.happen([Played(seat, "+M")])


PHASES = ("open", "running", "over")
TABLES = (PEOPLE, A_FREE_SEAT, ONE_SCREEN, AGAINST_A_COMPUTER)
CLOCKS = (None, Live(10), Live(600, 10), Daily(1))
NO_MOVES = ("", "+", "?", "+MM", "-M", "+DDDDD", "-LLLLLLLLLL")
TIMES: tuple[Millis, ...] = (0, SECOND, 30 * SECOND, 700 * SECOND, DAY, 31 * DAY)

seats = st.sampled_from((0, 1))


class Anything(RuleBasedStateMachine):
    """Somebody who asks a table for anything at any time."""

    @initialize(
        chairs=st.sampled_from(TABLES), clock=st.sampled_from(CLOCKS), seed=st.integers(0, 99)
    )
    def open(self, chairs: tuple[Chair, Chair], clock: Live | Daily | None, seed: int) -> None:
        self.kept = kept_table(chairs, TableOptions(clock=clock), deal=None, seed=seed)
        self.table = self.kept.table
        self.reached = 0

    @rule(choice=st.integers(0, 999), seat=seats, back=st.integers(-1, 4))
    def play(self, choice: int, seat: Seat, back: int) -> None:
        moves = [str(move) for move in self.table.game.legal_moves()] or ["+M"]
        self.ask(lambda: self.table.play(seat, moves[choice % len(moves)], self.seen(back)))

    @rule(move=st.sampled_from(NO_MOVES), seat=seats, back=st.integers(-1, 4))
    def play_nonsense(self, move: str, seat: Seat, back: int) -> None:
        assert not self.ask(lambda: self.table.play(seat, move, self.seen(back)))

    @rule(moves=st.integers(10, 80))
    def play_on(self, moves: int) -> None:
        if self.table.phase == "running":
            self.kept.play_on([player_named("random")] * 2, moves)

    @rule(back=st.integers(1, 4))
    def send_the_last_move_again(self, back: int) -> None:
        played = [entry for entry in self.kept.journal if isinstance(entry.event, Played)]
        if played and isinstance(event := played[-1].event, Played):
            seen = max(played[-1].version - back, 0)
            self.ask(lambda: self.table.play(event.seat, event.move, seen))
            assert len(played) == sum(map(len, self.table.times))
            move, seen = parse_move(event.move), played[-1].version - 1
            assert self.table.mover((0, 1), move, seen) == event.seat
            with pytest.raises(AlreadyPlayed):
                self.table.play(event.seat, move, seen)

    @rule(after=st.sampled_from(TIMES))
    def advance(self, after: Millis) -> None:
        self.kept.now += after
        self.ask(lambda: self.table.advance(self.kept.now, self.kept.rng))

    @rule(invitation=st.sampled_from((INVITATION, "wrong")), secret=st.sampled_from(SECRETS))
    def take(self, invitation: str, secret: str) -> None:
        self.ask(lambda: self.table.take_seat(invitation, secret, "Ravi"))

    @rule(seat=seats, often=st.integers(0, 3))
    def resign(self, seat: Seat, often: int) -> None:
        if not often:
            self.ask(lambda: self.table.resign(seat))

    @rule(seat=seats)
    def leave(self, seat: Seat) -> None:
        self.ask(lambda: self.table.leave(seat))

    @rule(seat=seats)
    def rejoin(self, seat: Seat) -> None:
        self.ask(lambda: self.table.rejoin(seat))

    @rule(seat=seats)
    def offer(self, seat: Seat) -> None:
        self.ask(lambda: self.table.offer_rematch(seat))

    def seen(self, back: int) -> int:
        return self.table.version - back

    def ask(self, door: Callable[[], list[AnyEvent]]) -> bool:
        """Whether something happened; where it did not, the table is the one it was."""
        before = self.table.version
        try:
            events = door()
        except (Refused, AlreadyPlayed):
            events = []
        assert self.table.version == before
        if not events:
            assert self.table == Table.replay(ID, self.kept.journal)
        self.kept.happen(events)
        return bool(events)

    @invariant()
    def versions_count_the_events(self) -> None:
        versions = [entry.version for entry in self.kept.journal]
        assert versions == list(range(1, self.table.version + 1))

    @invariant()
    def phases_only_go_forward(self) -> None:
        now = PHASES.index(self.table.phase)
        assert now >= self.reached
        self.reached = now

    @invariant()
    def one_round_runs_at_most_and_it_is_the_last(self) -> None:
        running = [played.result is None for played in self.table.game.rounds]
        assert not any(running[:-1])
        assert (self.table.turn is None) == (self.table.over is not None or not any(running))

    @invariant()
    def something_is_due_while_the_game_runs(self) -> None:
        assert (self.table.status.due is None) == (self.table.phase != "running")

    @invariant()
    def time_runs_once_both_have_moved_and_while_somebody_is_to_move(self) -> None:
        events = [entry.event for entry in self.kept.journal]
        movers = {event.seat for event in events if isinstance(event, Played)}
        timed = self.table.options.clock is not None
        runs = timed and movers == {0, 1} and self.table.turn is not None
        assert (self.table.clock.since is not None) == runs
        assert min(self.table.clock.left) >= 0

    def teardown(self) -> None:
        if hasattr(self, "kept"):
            assert Table.replay(ID, read_again(self.kept.journal)) == self.table


Anything.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestAnythingAtAnyTime = Anything.TestCase
