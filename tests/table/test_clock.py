"""Clocks: nobody asks for the time here, so every moment is handed in and every sum can be done by hand."""

import pytest

from jaipur.rules import Seat
from jaipur.table.clock import PAUSE
from jaipur.table.events import Flagged, Opened, Played
from jaipur.table.message_types import ClockView
from jaipur.table.options import DAY, SECOND, Daily, Live, TableOptions
from jaipur.table.projection import latest_message, table_view
from jaipur.table.state import GameEnd
from table.keeping import (
    AGAINST_A_COMPUTER,
    AUDIENCES,
    DEAL,
    NOON,
    PEOPLE,
    Kept,
    dealt_event,
    game_of,
    kept_table,
)

FIVE_MINUTES = 300 * SECOND
MONTH = 30 * DAY


def timed(clock: Live | Daily | None) -> Kept:
    """A table where nobody has moved yet."""
    return kept_table(options=TableOptions(clock=clock))


def running(clock: Live | Daily) -> Kept:
    """A table where both have moved at noon, in the pause after the deal, and seat 0 is to move again."""
    kept = timed(clock)
    kept.play("+S", "+D")
    return kept


def left_at(kept: Kept) -> tuple[int, int]:
    clock = table_view(kept.table, None, kept.now).clock
    assert clock is not None
    return clock.left


def runs_since(kept: Kept) -> tuple[Seat | None, int | None]:
    clock = table_view(kept.table, None, kept.now).clock
    assert clock is not None
    return clock.runs, clock.since


def test_without_a_clock_no_time_is_told() -> None:
    kept = timed(None)
    kept.play("+S", "+D")
    assert latest_message(kept.table, 0).table.clock is None
    assert kept.advance(after=29 * DAY) == []


def test_both_start_with_the_whole_time() -> None:
    assert left_at(timed(Live(300))) == (FIVE_MINUTES, FIVE_MINUTES)
    assert left_at(timed(Daily(3))) == (3 * DAY, 3 * DAY)


@pytest.mark.parametrize("clock", [Live(300), Daily(1)])
def test_no_time_runs_before_both_have_moved_once(clock: Live | Daily) -> None:
    kept = timed(clock)
    whole = left_at(kept)
    assert kept.advance(after=2 * DAY) == []
    assert (left_at(kept), runs_since(kept)) == (whole, (None, None))
    kept.play("+S")
    assert kept.table.status.due == NOON + 2 * DAY + MONTH
    assert kept.advance(after=2 * DAY) == []
    assert (left_at(kept), runs_since(kept)) == (whole, (None, None))
    kept.play("+D")
    assert (left_at(kept), runs_since(kept)) == (whole, (0, NOON + 4 * DAY))


def test_the_first_move_of_each_costs_no_time_and_adds_the_increment() -> None:
    kept = timed(Live(300, increment=10))
    kept.play("+S", "+D", each_after=100 * SECOND)
    assert left_at(kept) == (310 * SECOND, 310 * SECOND)


def test_whoever_never_makes_a_first_move_has_thirty_days_and_no_flag() -> None:
    kept = timed(Live(10))
    kept.play("+S")
    assert kept.advance(after=MONTH - 1) == []
    kept.advance(after=1)
    assert kept.table.over == GameEnd("abandonment", None)
    assert left_at(kept) == (10 * SECOND, 10 * SECOND)


def test_after_a_deal_there_is_a_pause_before_time_runs() -> None:
    kept = running(Live(300))
    kept.now += PAUSE
    assert left_at(kept) == (FIVE_MINUTES, FIVE_MINUTES)
    kept.now += 1
    assert left_at(kept) == (FIVE_MINUTES - 1, FIVE_MINUTES)


def test_a_move_in_the_pause_costs_no_time() -> None:
    kept = running(Live(300))
    kept.play("+D", each_after=PAUSE - SECOND)
    assert left_at(kept) == (FIVE_MINUTES, FIVE_MINUTES)


def test_quick_moves_in_the_pause_do_not_take_the_rest_of_it_from_the_other() -> None:
    kept = timed(Live(60))
    kept.play("+S", "+D", each_after=SECOND)
    assert runs_since(kept) == (0, NOON + PAUSE)
    kept.play("+D", each_after=SECOND)
    assert runs_since(kept) == (1, NOON + PAUSE)
    assert kept.table.status.due == NOON + PAUSE + 60 * SECOND


def test_in_a_later_round_there_is_a_pause_too_and_a_quick_move_does_not_take_it() -> None:
    kept = running(Live(300))
    kept.finish_round()
    kept.advance(after=50 * SECOND)
    first, paused = kept.table.turn, NOON + 50 * SECOND + PAUSE
    assert first is not None
    assert runs_since(kept) == (first, paused)
    kept.play(str(kept.table.game.legal_moves()[0]), each_after=SECOND)
    assert runs_since(kept) == (1 - first, paused)
    assert left_at(kept) == (FIVE_MINUTES, FIVE_MINUTES)
    kept.now = paused + 4 * SECOND
    assert left_at(kept)[1 - first] == 296 * SECOND


def test_after_the_pause_time_runs_from_the_others_move() -> None:
    kept = running(Live(300))
    kept.play("+D", each_after=PAUSE + 20 * SECOND)
    assert left_at(kept) == (280 * SECOND, FIVE_MINUTES)
    assert runs_since(kept) == (1, NOON + PAUSE + 20 * SECOND)


def test_a_live_clock_charges_whoever_is_to_move_and_nobody_else() -> None:
    kept = running(Live(300))
    kept.now += PAUSE
    kept.play("+D", each_after=20 * SECOND)
    kept.play("+D", each_after=50 * SECOND)
    kept.now += 3 * SECOND
    assert left_at(kept) == (277 * SECOND, 250 * SECOND)


def test_every_move_adds_the_increment_and_more_may_be_left_than_at_the_start() -> None:
    kept = running(Live(300, increment=10))
    assert left_at(kept) == (310 * SECOND, 310 * SECOND)
    kept.now += PAUSE
    kept.play("+D", each_after=4 * SECOND)
    kept.play("+D", each_after=30 * SECOND)
    assert left_at(kept) == (316 * SECOND, 290 * SECOND)


def test_a_flag_falls_exactly_at_the_deadline() -> None:
    kept = running(Live(300))
    assert kept.table.status.due == NOON + PAUSE + FIVE_MINUTES
    assert kept.advance(after=PAUSE + FIVE_MINUTES - 1) == []
    assert kept.advance(after=1) == [Flagged(0)]
    assert kept.table.over == GameEnd("time", 1)


def test_the_flag_of_whoever_is_to_move_falls() -> None:
    kept = running(Live(300))
    kept.play("+D", each_after=PAUSE)
    assert kept.advance(after=FIVE_MINUTES) == [Flagged(1)]
    assert kept.table.over == GameEnd("time", 0)


def test_a_daily_clock_starts_anew_with_every_move() -> None:
    kept = timed(Daily(2))
    kept.play("+S", "+D", each_after=DAY)
    assert left_at(kept) == (2 * DAY, 2 * DAY)
    assert kept.table.status.due == NOON + 4 * DAY
    kept.play("+D", each_after=DAY)
    assert left_at(kept) == (2 * DAY, 2 * DAY)
    assert kept.table.status.due == NOON + 5 * DAY
    kept.now += DAY
    assert left_at(kept) == (2 * DAY, DAY)
    assert kept.advance(after=DAY - 1) == []
    assert kept.advance(after=1) == [Flagged(1)]


def test_leaving_stops_no_clock() -> None:
    kept = running(Live(300))
    kept.advance(after=PAUSE + SECOND)
    kept.happen(kept.table.leave(0))
    assert left_at(kept) == (299 * SECOND, FIVE_MINUTES)
    assert kept.table.status.due == NOON + PAUSE + FIVE_MINUTES


def test_between_two_rounds_no_time_runs_and_the_deal_is_due_at_once() -> None:
    kept = running(Live(300))
    kept.play("+D", each_after=PAUSE + 20 * SECOND)
    kept.finish_round()
    assert runs_since(kept) == (None, None)
    status = kept.table.status
    assert (status.phase, status.computer) == ("running", False)
    assert status.due == NOON + PAUSE + 20 * SECOND
    kept.now += 1000 * SECOND
    assert left_at(kept) == (280 * SECOND, FIVE_MINUTES)
    kept.advance()
    kept.now += PAUSE
    assert left_at(kept) == (280 * SECOND, FIVE_MINUTES)


def test_a_new_round_goes_on_with_the_time_that_was_left() -> None:
    kept = running(Live(10_000))
    kept.now += PAUSE
    kept.play("+D", "+D", each_after=100 * SECOND)
    kept.finish_round()
    kept.advance()
    assert left_at(kept) == (9_900 * SECOND, 9_900 * SECOND)
    assert runs_since(kept) == (kept.table.turn, NOON + PAUSE + 200 * SECOND + PAUSE)


def test_the_clock_stops_at_the_end() -> None:
    kept = running(Live(300))
    kept.happen(kept.table.resign(1))
    assert runs_since(kept) == (None, None)
    kept.now += DAY
    assert left_at(kept) == (FIVE_MINUTES, FIVE_MINUTES)


@pytest.mark.parametrize("late", [0, 1, DAY])
def test_whose_flag_has_fallen_has_no_time_left_however_late_somebody_looked(late: int) -> None:
    kept = running(Live(60))
    kept.advance(after=PAUSE + 60 * SECOND + late)
    assert left_at(kept) == (0, 60 * SECOND)
    kept = running(Daily(2))
    kept.advance(after=PAUSE + 2 * DAY + late)
    assert left_at(kept) == (0, 2 * DAY)


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_resigns_the_one_to_move_is_charged_up_to_then(seat: Seat) -> None:
    kept = running(Live(60))
    kept.advance(after=PAUSE + 20 * SECOND)
    kept.happen(kept.table.resign(seat))
    assert left_at(kept) == (40 * SECOND, 60 * SECOND)
    kept.now += DAY
    assert left_at(kept) == (40 * SECOND, 60 * SECOND)


def test_the_last_move_of_a_game_is_charged_like_any_other_and_nobody_after_it() -> None:
    """All of the game is played at noon, in the pause: five seconds more for every move, and none less."""
    kept = game_of(0, options=TableOptions(clock=Live(300, increment=5)))
    assert kept.table.over is not None
    assert kept.table.over.by == "seals"
    played = [entry.event.seat for entry in kept.journal if isinstance(entry.event, Played)]
    first, second = (FIVE_MINUTES + 5 * SECOND * played.count(seat) for seat in (0, 1))
    kept.now += DAY
    assert (left_at(kept), runs_since(kept)) == ((first, second), (None, None))


@pytest.mark.parametrize("audience", AUDIENCES)
def test_everybody_is_told_the_time_left_and_whose_time_runs_from_when(
    audience: Seat | None,
) -> None:
    kept = timed(Live(300, increment=5))
    clock = latest_message(kept.table, audience).table.clock
    assert clock == ClockView((FIVE_MINUTES, FIVE_MINUTES), runs=None, since=None, at=NOON)
    kept.play("+S", "+D")
    at = NOON + PAUSE
    clock = latest_message(kept.table, audience).table.clock
    assert clock == ClockView((305 * SECOND, 305 * SECOND), runs=0, since=at, at=NOON)
    kept.now = at + 7 * SECOND
    clock = table_view(kept.table, audience, kept.now).clock
    assert clock == ClockView((298 * SECOND, 305 * SECOND), runs=0, since=at, at=kept.now)
    kept.play("+D")
    clock = latest_message(kept.table, audience).table.clock
    assert clock == ClockView((303 * SECOND, 305 * SECOND), runs=1, since=kept.now, at=kept.now)


def test_a_message_tells_the_time_of_its_event_however_late_it_is_made() -> None:
    kept = running(Live(300))
    told = latest_message(kept.table, 0)
    kept.now += 100 * SECOND
    assert latest_message(kept.table, 0) == told


def test_a_table_that_waits_for_a_computer_is_looked_after_soon() -> None:
    kept = kept_table((AGAINST_A_COMPUTER[1], AGAINST_A_COMPUTER[0]))
    status = kept.table.status
    assert status.computer
    assert status.due == NOON + 30 * SECOND
    kept.play("+S")
    assert not kept.table.status.computer
    assert kept.table.status.due == NOON + MONTH


def test_a_computer_has_a_clock_too() -> None:
    kept = kept_table((AGAINST_A_COMPUTER[1], AGAINST_A_COMPUTER[0]), TableOptions(clock=Live(10)))
    assert kept.table.status.due == NOON + 30 * SECOND
    kept.play("+S", "+D")
    assert kept.table.status.due == NOON + PAUSE + 10 * SECOND
    assert kept.advance(after=PAUSE + 10 * SECOND) == [Flagged(0)]


def test_moments_that_go_backwards_give_no_time_back() -> None:
    kept = running(Live(300))
    kept.play("+D", each_after=PAUSE + 20 * SECOND)
    kept.now -= 10 * SECOND
    assert left_at(kept) == (280 * SECOND, FIVE_MINUTES)
    kept.play("+D")
    assert left_at(kept) == (280 * SECOND, FIVE_MINUTES)


def test_once_both_are_seated_the_deal_is_due_at_once_and_the_flag_when_both_have_moved() -> None:
    kept = Kept()
    kept.happen([Opened(PEOPLE, TableOptions(clock=Live(300)))])
    assert kept.table.status.due == NOON
    kept.happen([dealt_event(DEAL)])
    assert kept.table.status.due == NOON + MONTH
    kept.play("+S")
    assert kept.table.status.due == NOON + MONTH
    kept.play("+D")
    assert kept.table.status.due == NOON + PAUSE + FIVE_MINUTES
