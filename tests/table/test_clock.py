"""The clock of a table. Every time is an argument, so every result can be computed by hand."""

import pytest
from msgspec import json

from jaipur.rules import Seat
from jaipur.table.clock import PAUSE
from jaipur.table.events import Flagged, LogEntry, Opened, Played
from jaipur.table.message_types import ClockView
from jaipur.table.options import DAY, SECOND, Daily, Live, TableOptions
from jaipur.table.projection import latest_message, table_view
from jaipur.table.state import GameEnd
from jaipur.table.table import Table
from table.live_table import (
    AUDIENCES,
    DEAL,
    NOON,
    PEOPLE,
    WITH_COMPUTER,
    LiveTable,
    deal_event,
    finished_game,
    open_table,
)

FIVE_MINUTES = 300 * SECOND
MONTH = 30 * DAY


def timed(clock: Live | Daily | None) -> LiveTable:
    """A table before the first move."""
    return open_table(options=TableOptions(clock=clock))


def running(clock: Live | Daily) -> LiveTable:
    """A table where both players have moved at noon, during the pause, and it is seat 0's turn."""
    live = timed(clock)
    live.play("+S", "+D")
    return live


def left_at(live: LiveTable) -> tuple[int, int]:
    clock = table_view(live.table, None, live.now).clock
    assert clock is not None
    return clock.left


def runs_since(live: LiveTable) -> tuple[Seat | None, int | None]:
    clock = table_view(live.table, None, live.now).clock
    assert clock is not None
    return clock.runs, clock.since


def test_without_a_clock_messages_have_no_times() -> None:
    live = timed(None)
    live.play("+S", "+D")
    assert latest_message(live.table, 0).table.clock is None
    assert live.advance(after=29 * DAY) == []


def test_both_players_start_with_the_full_time() -> None:
    assert left_at(timed(Live(300))) == (FIVE_MINUTES, FIVE_MINUTES)
    assert left_at(timed(Daily(3))) == (3 * DAY, 3 * DAY)


@pytest.mark.parametrize("clock", [Live(300), Daily(1)])
def test_the_clock_starts_when_both_have_moved(clock: Live | Daily) -> None:
    live = timed(clock)
    whole = left_at(live)
    assert live.advance(after=2 * DAY) == []
    assert (left_at(live), runs_since(live)) == (whole, (None, None))
    live.play("+S")
    assert live.table.status.due == NOON + 2 * DAY + MONTH
    assert live.advance(after=2 * DAY) == []
    assert (left_at(live), runs_since(live)) == (whole, (None, None))
    live.play("+D")
    assert (left_at(live), runs_since(live)) == (whole, (0, NOON + 4 * DAY))


def test_first_moves_are_free_and_add_the_increment() -> None:
    live = timed(Live(300, increment=10))
    live.play("+S", "+D", every=100 * SECOND)
    assert left_at(live) == (310 * SECOND, 310 * SECOND)


def test_without_a_first_move_the_game_is_abandoned_after_thirty_days() -> None:
    live = timed(Live(10))
    live.play("+S")
    assert live.advance(after=MONTH - 1) == []
    live.advance(after=1)
    assert live.table.over == GameEnd("abandonment", None)
    assert left_at(live) == (10 * SECOND, 10 * SECOND)


def test_the_clock_pauses_after_a_deal() -> None:
    live = running(Live(300))
    live.now += PAUSE
    assert left_at(live) == (FIVE_MINUTES, FIVE_MINUTES)
    live.now += 1
    assert left_at(live) == (FIVE_MINUTES - 1, FIVE_MINUTES)


def test_a_move_during_the_pause_is_free() -> None:
    live = running(Live(300))
    live.play("+D", every=PAUSE - SECOND)
    assert left_at(live) == (FIVE_MINUTES, FIVE_MINUTES)


def test_quick_moves_do_not_shorten_the_pause() -> None:
    live = timed(Live(60))
    live.play("+S", "+D", every=SECOND)
    assert runs_since(live) == (0, NOON + PAUSE)
    live.play("+D", every=SECOND)
    assert runs_since(live) == (1, NOON + PAUSE)
    assert live.table.status.due == NOON + PAUSE + 60 * SECOND


def test_every_round_has_a_pause() -> None:
    live = running(Live(300))
    live.finish_round()
    live.advance(after=50 * SECOND)
    first, paused = live.table.turn, NOON + 50 * SECOND + PAUSE
    assert first is not None
    assert runs_since(live) == (first, paused)
    live.play(str(live.table.game.legal_moves()[0]), every=SECOND)
    assert runs_since(live) == (1 - first, paused)
    assert left_at(live) == (FIVE_MINUTES, FIVE_MINUTES)
    live.now = paused + 4 * SECOND
    assert left_at(live)[1 - first] == 296 * SECOND


def test_after_the_pause_time_runs_from_the_last_move() -> None:
    live = running(Live(300))
    live.play("+D", every=PAUSE + 20 * SECOND)
    assert left_at(live) == (280 * SECOND, FIVE_MINUTES)
    assert runs_since(live) == (1, NOON + PAUSE + 20 * SECOND)


def test_a_live_clock_charges_only_the_player_to_move() -> None:
    live = running(Live(300))
    live.now += PAUSE
    live.play("+D", every=20 * SECOND)
    live.play("+D", every=50 * SECOND)
    live.now += 3 * SECOND
    assert left_at(live) == (277 * SECOND, 250 * SECOND)


def test_the_increment_can_exceed_the_initial_time() -> None:
    live = running(Live(300, increment=10))
    assert left_at(live) == (310 * SECOND, 310 * SECOND)
    live.now += PAUSE
    live.play("+D", every=4 * SECOND)
    live.play("+D", every=30 * SECOND)
    assert left_at(live) == (316 * SECOND, 290 * SECOND)


def test_a_flag_falls_exactly_at_the_deadline() -> None:
    live = running(Live(300))
    assert live.table.status.due == NOON + PAUSE + FIVE_MINUTES
    assert live.advance(after=PAUSE + FIVE_MINUTES - 1) == []
    assert live.advance(after=1) == [Flagged(0)]
    assert live.table.over == GameEnd("time", 1)


def test_the_flag_of_the_player_to_move_falls() -> None:
    live = running(Live(300))
    live.play("+D", every=PAUSE)
    assert live.advance(after=FIVE_MINUTES) == [Flagged(1)]
    assert live.table.over == GameEnd("time", 0)


def test_a_daily_clock_restarts_with_every_move() -> None:
    live = timed(Daily(2))
    live.play("+S", "+D", every=DAY)
    assert left_at(live) == (2 * DAY, 2 * DAY)
    assert live.table.status.due == NOON + 4 * DAY
    live.play("+D", every=DAY)
    assert left_at(live) == (2 * DAY, 2 * DAY)
    assert live.table.status.due == NOON + 5 * DAY
    live.now += DAY
    assert left_at(live) == (2 * DAY, DAY)
    assert live.advance(after=DAY - 1) == []
    assert live.advance(after=1) == [Flagged(1)]


def test_leaving_does_not_stop_the_clock() -> None:
    live = running(Live(300))
    live.advance(after=PAUSE + SECOND)
    live.apply(live.table.leave(0))
    assert left_at(live) == (299 * SECOND, FIVE_MINUTES)
    assert live.table.status.due == NOON + PAUSE + FIVE_MINUTES


def test_between_rounds_the_clock_stops_and_a_deal_is_due() -> None:
    live = running(Live(300))
    live.play("+D", every=PAUSE + 20 * SECOND)
    live.finish_round()
    assert runs_since(live) == (None, None)
    status = live.table.status
    assert (status.phase, status.computer) == ("running", False)
    assert status.due == NOON + PAUSE + 20 * SECOND
    live.now += 1000 * SECOND
    assert left_at(live) == (280 * SECOND, FIVE_MINUTES)
    live.advance()
    live.now += PAUSE
    assert left_at(live) == (280 * SECOND, FIVE_MINUTES)


def test_a_new_round_continues_with_the_time_left() -> None:
    live = running(Live(10_000))
    live.now += PAUSE
    live.play("+D", "+D", every=100 * SECOND)
    live.finish_round()
    live.advance()
    assert left_at(live) == (9_900 * SECOND, 9_900 * SECOND)
    assert runs_since(live) == (live.table.turn, NOON + PAUSE + 200 * SECOND + PAUSE)


def test_the_clock_stops_at_the_end() -> None:
    live = running(Live(300))
    live.apply(live.table.resign(1))
    assert runs_since(live) == (None, None)
    live.now += DAY
    assert left_at(live) == (FIVE_MINUTES, FIVE_MINUTES)


@pytest.mark.parametrize("late", [0, 1, DAY])
def test_a_fallen_flag_leaves_no_time_however_late_it_is_noticed(late: int) -> None:
    live = running(Live(60))
    live.advance(after=PAUSE + 60 * SECOND + late)
    assert left_at(live) == (0, 60 * SECOND)
    live = running(Daily(2))
    live.advance(after=PAUSE + 2 * DAY + late)
    assert left_at(live) == (0, 2 * DAY)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_charges_the_player_to_move(seat: Seat) -> None:
    live = running(Live(60))
    live.advance(after=PAUSE + 20 * SECOND)
    live.apply(live.table.resign(seat))
    assert left_at(live) == (40 * SECOND, 60 * SECOND)
    live.now += DAY
    assert left_at(live) == (40 * SECOND, 60 * SECOND)


def test_the_last_move_of_a_game_is_charged_as_usual() -> None:
    """The whole game is played at noon, during the pause: every move adds five seconds and costs none."""
    live = finished_game(0, options=TableOptions(clock=Live(300, increment=5)))
    assert live.table.over is not None
    assert live.table.over.by == "seals"
    played = [entry.event.seat for entry in live.entries if isinstance(entry.event, Played)]
    first, second = (FIVE_MINUTES + 5 * SECOND * played.count(seat) for seat in (0, 1))
    live.now += DAY
    assert (left_at(live), runs_since(live)) == ((first, second), (None, None))


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_audience_sees_the_clock(
    audience: Seat | None,
) -> None:
    live = timed(Live(300, increment=5))
    clock = latest_message(live.table, audience).table.clock
    assert clock == ClockView((FIVE_MINUTES, FIVE_MINUTES), runs=None, since=None, at=NOON)
    live.play("+S", "+D")
    at = NOON + PAUSE
    clock = latest_message(live.table, audience).table.clock
    assert clock == ClockView((305 * SECOND, 305 * SECOND), runs=0, since=at, at=NOON)
    live.now = at + 7 * SECOND
    clock = table_view(live.table, audience, live.now).clock
    assert clock == ClockView((298 * SECOND, 305 * SECOND), runs=0, since=at, at=live.now)
    live.play("+D")
    clock = latest_message(live.table, audience).table.clock
    assert clock == ClockView((303 * SECOND, 305 * SECOND), runs=1, since=live.now, at=live.now)


def test_a_message_has_the_times_of_its_event() -> None:
    live = running(Live(300))
    sent = latest_message(live.table, 0)
    live.now += 100 * SECOND
    assert latest_message(live.table, 0) == sent


def test_a_computer_turn_is_due_soon() -> None:
    live = open_table((WITH_COMPUTER[1], WITH_COMPUTER[0]))
    status = live.table.status
    assert status.computer
    assert status.due == NOON + 30 * SECOND
    live.play("+S")
    assert not live.table.status.computer
    assert live.table.status.due == NOON + MONTH


def computer_to_move() -> LiveTable:
    """A table with a clock of 10 seconds, after the pause: a computer in seat 0 is to move."""
    live = open_table((WITH_COMPUTER[1], WITH_COMPUTER[0]), TableOptions(clock=Live(10)))
    live.play("+S", "+D")
    live.now += PAUSE
    return live


def test_a_computer_does_not_lose_on_time_while_it_waits_for_a_worker() -> None:
    live = computer_to_move()
    assert live.advance(after=DAY) == []
    live.apply(live.table.play(0, "+D", live.table.version, took=300))
    assert left_at(live) == (9_700, 10 * SECOND)


def test_the_computation_time_survives_a_replay() -> None:
    live = computer_to_move()
    live.apply(live.table.play(0, "+D", live.table.version, took=300))
    log = [json.decode(json.encode(entry), type=LogEntry) for entry in live.entries]
    assert Table.replay(live.table.id, log).clock == live.table.clock


def test_a_computer_is_not_charged_for_more_than_the_real_time() -> None:
    live = computer_to_move()
    live.now += 100
    live.apply(live.table.play(0, "+D", live.table.version, took=300))
    assert left_at(live) == (9_900, 10 * SECOND)


def test_a_computer_loses_on_time_if_its_computations_have_used_up_its_time() -> None:
    live = computer_to_move()
    live.now += DAY
    live.apply(live.table.play(0, "+D", live.table.version, took=10 * SECOND))
    assert live.advance() == []
    live.play("+D")
    assert live.advance() == [Flagged(0)]


def test_a_time_in_the_past_gives_no_time_back() -> None:
    live = running(Live(300))
    live.play("+D", every=PAUSE + 20 * SECOND)
    live.now -= 10 * SECOND
    assert left_at(live) == (280 * SECOND, FIVE_MINUTES)
    live.play("+D")
    assert left_at(live) == (280 * SECOND, FIVE_MINUTES)


def test_due_is_the_deal_then_the_flag() -> None:
    live = LiveTable()
    live.apply([Opened(PEOPLE, TableOptions(clock=Live(300)))])
    assert live.table.status.due == NOON
    live.apply([deal_event(DEAL)])
    assert live.table.status.due == NOON + MONTH
    live.play("+S")
    assert live.table.status.due == NOON + MONTH
    live.play("+D")
    assert live.table.status.due == NOON + PAUSE + FIVE_MINUTES
