"""The event log is the whole state: after any commands, a replay of it gives an equal table."""

from collections.abc import Callable
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec import json
from msgspec.structs import replace

from jaipur.players import player_named
from jaipur.rules import Seat
from jaipur.table.events import (
    Abandoned,
    AnyEvent,
    Chair,
    Contributed,
    Dealt,
    Drawn,
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
    Stopped,
)
from jaipur.table.options import DAY, SECOND, Daily, Live, Millis, TableOptions
from jaipur.table.projection import latest_message
from jaipur.table.refusals import AlreadyPlayed, Refused
from jaipur.table.snapshot import restore, take_snapshot
from jaipur.table.state import DamagedLog
from jaipur.table.table import Table, parse_move
from table.live_table import (
    AUDIENCES,
    DEAL,
    ID,
    INVITATION,
    NOON,
    ONE_SCREEN,
    PEOPLE,
    SALT,
    SECRETS,
    WITH_COMPUTER,
    WITH_FREE_SEAT,
    LiveTable,
    deal_event,
    decoded,
    finished_game,
    open_table,
)

EVENTS: list[AnyEvent] = [
    Opened(PEOPLE, TableOptions()),
    Opened(WITH_FREE_SEAT, TableOptions("hidden", True, False, Live(60, 5)), previous=ID),
    Opened(WITH_COMPUTER, TableOptions(clock=Daily(14))),
    Seated(1, "Ravi « 象 »", "digest"),
    Opened(PEOPLE, TableOptions(), salt=SALT),
    Contributed(0, 1, "c" * 64),
    deal_event(DEAL),
    Dealt.of(DEAL, SALT, next_salt="d" * 64),
    Played(0, "+GS-LM"),
    Stopped(),
    Drawn(),
    Resigned(1),
    Flagged(0),
    Abandoned(),
    Left(0),
    Returned(1),
    Offered(0),
    Rematched(ID),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_survives_encoding(event: AnyEvent) -> None:
    entry = LogEntry(7, 1_700_000_000_000, event)
    assert json.decode(json.encode(entry), type=LogEntry) == entry
    assert json.decode(json.encode(event), type=AnyEvent) == event


def test_there_is_an_example_of_every_event() -> None:
    assert {type(event) for event in EVENTS} == set(AnyEvent.__args__)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.data())
def test_a_replay_of_any_prefix_gives_the_table_of_that_time(
    seed: int, data: st.DataObject
) -> None:
    entries = finished_game(seed).entries
    part = data.draw(st.integers(1, len(entries)))
    live = LiveTable()
    live.apply([entry.event for entry in entries[:part]])
    as_it_was = deepcopy(live.table)
    live.apply([entry.event for entry in entries[part:]])
    assert Table.replay(ID, decoded(entries[:part])) == as_it_was
    assert Table.replay(ID, decoded(entries)) == live.table


def test_replayed_messages_are_the_same_bytes() -> None:
    live, sent = LiveTable(), []
    for entry in finished_game(4).entries:
        live.apply([entry.event])
        sent.append([json.encode(latest_message(live.table, audience)) for audience in AUDIENCES])
    again = Table(ID)
    for entry, before in zip(decoded(live.entries), sent, strict=True):
        again.apply(entry)
        assert [json.encode(latest_message(again, audience)) for audience in AUDIENCES] == before


@pytest.mark.parametrize("version", [0, 1, 2, 4])
def test_a_gap_or_a_duplicate_version_is_an_error(version: int) -> None:
    live = open_table()
    with pytest.raises(AssertionError, match=f"version {version} after 2"):
        live.table.apply(LogEntry(version, NOON, Played(0, "+S")))
    assert live.table == Table.replay(ID, live.entries)


def test_the_first_version_is_one() -> None:
    with pytest.raises(AssertionError, match="version 2 after 0"):
        Table.replay(ID, open_table().entries[1:])


def test_an_entry_out_of_turn_is_an_error() -> None:
    live = open_table()
    with pytest.raises(DamagedLog, match="cannot be applied"):
        live.apply([Played(1, "+S")])
    live.play("+S")
    with pytest.raises(DamagedLog, match="cannot be applied"):
        live.apply([Played(0, "+D")])


def test_a_move_between_rounds_or_after_the_end_is_an_error() -> None:
    between, over = open_table(), open_table()
    between.finish_round()
    over.apply([Resigned(1)])
    for live in (between, over):
        for seat in (0, 1):
            with pytest.raises(DamagedLog, match="cannot be applied"):
                live.apply([Played(seat, "+M")])


PHASES = ("open", "running", "over")
CONTRIBUTORS = tuple(replace(chair, contributes=True) for chair in PEOPLE)
TABLES = (PEOPLE, CONTRIBUTORS, WITH_FREE_SEAT, ONE_SCREEN, WITH_COMPUTER)
CLOCKS = (None, Live(10), Live(600, 10), Daily(1))
NO_MOVES = ("", "+", "?", "+MM", "-M", "+DDDDD", "-LLLLLLLLLL")
TIMES: tuple[Millis, ...] = (0, SECOND, 30 * SECOND, 700 * SECOND, DAY, 31 * DAY)

seats = st.sampled_from((0, 1))


class Anything(RuleBasedStateMachine):
    """Any command at any time."""

    @initialize(
        chairs=st.sampled_from(TABLES), clock=st.sampled_from(CLOCKS), seed=st.integers(0, 99)
    )
    def open(self, chairs: tuple[Chair, Chair], clock: Live | Daily | None, seed: int) -> None:
        self.live = open_table(chairs, TableOptions(clock=clock), deal=None, seed=seed)
        self.table = self.live.table
        self.reached = 0

    @rule(choice=st.integers(0, 999), seat=seats, back=st.integers(-1, 4))
    def play(self, choice: int, seat: Seat, back: int) -> None:
        moves = [str(move) for move in self.table.game.legal_moves()] or ["+M"]
        self.ask(lambda: self.table.play(seat, moves[choice % len(moves)], self.seen(back)))

    @rule(move=st.sampled_from(NO_MOVES), seat=seats, back=st.integers(-1, 4))
    def play_nonsense(self, move: str, seat: Seat, back: int) -> None:
        assert not self.ask(lambda: self.table.play(seat, move, self.seen(back)))

    @rule(moves=st.integers(10, 80))
    def play_moves(self, moves: int) -> None:
        if self.table.phase == "running":
            self.live.play_moves([player_named("random")] * 2, moves)

    @rule(back=st.integers(1, 4))
    def send_the_last_move_again(self, back: int) -> None:
        played = [entry for entry in self.live.entries if isinstance(entry.event, Played)]
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
        self.live.now += after
        self.ask(lambda: self.table.advance(self.live.now, self.live.rng))

    @rule(
        invitation=st.sampled_from((INVITATION, "wrong")),
        secret=st.sampled_from(SECRETS),
        contributes=st.booleans(),
    )
    def take(self, invitation: str, secret: str, contributes: bool) -> None:
        self.ask(lambda: self.table.take_seat(invitation, secret, "Ravi", contributes))

    @rule(seat=seats, ahead=st.integers(-1, 2), value=st.sampled_from(("a" * 64, "b" * 64)))
    def contribute(self, seat: Seat, ahead: int, value: str) -> None:
        number = len(self.table.game.rounds) + ahead
        self.ask(lambda: self.table.contribute(seat, number, value))

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

    def ask(self, command: Callable[[], list[AnyEvent]]) -> bool:
        """Run a command; return whether it had events. Without events the table must not change."""
        before = self.table.version
        try:
            events = command()
        except (Refused, AlreadyPlayed):
            events = []
        assert self.table.version == before
        if not events:
            assert self.table == Table.replay(ID, self.live.entries)
        self.live.apply(events)
        return bool(events)

    @invariant()
    def versions_count_the_events(self) -> None:
        versions = [entry.version for entry in self.live.entries]
        assert versions == list(range(1, self.table.version + 1))

    @invariant()
    def a_snapshot_restores_the_table(self) -> None:
        assert restore(take_snapshot(self.table)) == self.table

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
    def every_deal_follows_from_its_salt_and_its_contributions(self) -> None:
        rounds = self.table.game.rounds
        for number, (played, proof) in enumerate(zip(rounds, self.table.proofs, strict=False), 1):
            starts = None if number == 1 else played.deal.starts
            assert proof.derive(ID, number, starts) == played.deal

    @invariant()
    def something_is_due_while_the_game_runs(self) -> None:
        assert (self.table.status.due is None) == (self.table.phase != "running")

    @invariant()
    def time_runs_once_both_have_moved_and_while_somebody_is_to_move(self) -> None:
        events = [entry.event for entry in self.live.entries]
        movers = {event.seat for event in events if isinstance(event, Played)}
        timed = self.table.options.clock is not None
        runs = timed and movers == {0, 1} and self.table.turn is not None
        assert (self.table.clock.since is not None) == runs
        assert min(self.table.clock.left) >= 0

    def teardown(self) -> None:
        if hasattr(self, "kept"):
            assert Table.replay(ID, decoded(self.live.entries)) == self.table


Anything.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestAnythingAtAnyTime = Anything.TestCase
