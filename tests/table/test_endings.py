"""How a game ends but by seals, and what comes after it: resigning, leaving, being forgotten, the rematch."""

import pytest

from jaipur.rules import Seat
from jaipur.table.events import (
    Abandoned,
    Chair,
    Left,
    Offered,
    Opened,
    Rematched,
    Resigned,
    Returned,
)
from jaipur.table.options import DAY, Daily, Live, TableOptions
from jaipur.table.projection import latest_message, table_view
from jaipur.table.refusals import RefusalCode
from jaipur.table.state import GameEnd
from jaipur.table.table import Table
from table.keeping import (
    A_FREE_SEAT,
    AGAINST_A_COMPUTER,
    ID,
    NOON,
    ONE_SCREEN,
    PEOPLE,
    SECRETS,
    Kept,
    game_of,
    kept_table,
    refusal,
)

MONTH = 30 * DAY


def resigned(chairs: tuple[Chair, Chair] = PEOPLE, options: TableOptions | None = None) -> Kept:
    kept = kept_table(chairs, options)
    kept.happen(kept.table.resign(0))
    return kept


@pytest.mark.parametrize("seat", [0, 1])
def test_either_trader_may_resign_at_any_turn(seat: Seat) -> None:
    kept = kept_table()
    assert kept.happen(kept.table.resign(seat)) == [Resigned(seat)]
    assert kept.table.over == GameEnd("resignation", 1 - seat)
    assert (kept.table.phase, kept.table.turn) == ("over", None)


def test_nobody_resigns_before_the_game() -> None:
    assert refusal(kept_table(A_FREE_SEAT).table.resign, 0).code == RefusalCode.NOT_STARTED


@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_twice_is_resigning_once(seat: Seat) -> None:
    kept = kept_table()
    kept.happen(kept.table.resign(seat))
    assert kept.table.resign(seat) == []
    assert refusal(kept.table.resign, 1 - seat).code == RefusalCode.GAME_OVER


def test_nobody_resigns_after_a_game_that_ended_otherwise() -> None:
    flagged = kept_table(options=TableOptions(clock=Live(10)))
    flagged.play("+S", "+D")
    flagged.advance(after=DAY)
    abandoned = kept_table()
    abandoned.advance(after=MONTH)
    for kept, by in ((game_of(0), "seals"), (flagged, "time"), (abandoned, "abandonment")):
        assert kept.table.over is not None
        assert kept.table.over.by == by
        for seat in (0, 1):
            assert refusal(kept.table.resign, seat).code == RefusalCode.GAME_OVER


def test_after_the_end_nothing_goes_on() -> None:
    kept = resigned()
    assert kept.advance(after=100 * DAY) == []
    assert kept.table.status.due is None


def test_nobody_asks_for_a_rematch_before_the_end() -> None:
    assert refusal(kept_table().table.offer_rematch, 0).code == RefusalCode.NOT_OVER


def test_one_who_asks_for_a_rematch_waits_for_the_other() -> None:
    kept = resigned()
    assert kept.happen(kept.table.offer_rematch(1)) == [Offered(1)]
    assert kept.table.next is None
    assert table_view(kept.table, 0, NOON).offers == (False, True)


def test_asking_twice_is_asking_once() -> None:
    kept = resigned()
    kept.happen(kept.table.offer_rematch(1))
    assert kept.table.offer_rematch(1) == []


def test_the_rematch_is_on_when_both_have_asked() -> None:
    kept = resigned()
    kept.happen(kept.table.offer_rematch(1))
    events = kept.happen(kept.table.offer_rematch(0))
    assert events == [Offered(0), Rematched(kept.table.rematch_id())]
    assert kept.table.next == kept.table.rematch_id() != ID
    assert [kept.table.offer_rematch(seat) for seat in (0, 1)] == [[], []]


def test_a_computer_is_always_ready_for_a_rematch() -> None:
    table = resigned(AGAINST_A_COMPUTER).table
    assert table.offer_rematch(0) == [Offered(0), Rematched(table.rematch_id())]


@pytest.mark.parametrize("seat", [0, 1])
def test_on_one_screen_nobody_is_asked(seat: Seat) -> None:
    table = resigned(ONE_SCREEN).table
    assert table.offer_rematch(seat) == [Offered(seat), Rematched(table.rematch_id())]


def test_seats_are_swapped_in_the_rematch_and_all_else_is_the_same() -> None:
    options = TableOptions(herds="hidden", helps=True, watch=False, clock=Daily(3))
    kept = resigned(options=options)
    again = Kept(Table(kept.table.rematch_id()))
    again.happen([kept.table.rematch()])
    assert again.table.previous == ID
    assert again.table.options == options
    assert [chair.name for chair in again.table.chairs] == ["Ravi", "Asha"]
    assert [again.table.seats_of(secret) for secret in SECRETS] == [(1,), (0,)]
    assert again.advance()
    assert again.table.phase == "running"
    assert again.table.offers == [False, False]


def test_a_rematch_with_a_computer_keeps_its_level() -> None:
    table = resigned(AGAINST_A_COMPUTER).table
    assert table.rematch() == Opened(
        (AGAINST_A_COMPUTER[1], AGAINST_A_COMPUTER[0]), TableOptions(), previous=ID
    )


def test_two_who_agree_at_once_meet_at_one_table() -> None:
    """Each asks a table that has not heard of the other; whoever is second asks again and finds the first."""
    first, second = resigned(), resigned()
    first.happen(first.table.offer_rematch(0))
    second.happen(second.table.offer_rematch(1))
    assert first.table.offer_rematch(1)[-1] == second.table.offer_rematch(0)[-1]


def test_the_name_of_a_rematch_is_a_name_of_a_table_and_cannot_be_told_from_outside() -> None:
    names = {
        resigned(chairs).table.rematch_id()
        for chairs in (PEOPLE, ONE_SCREEN, AGAINST_A_COMPUTER, (PEOPLE[1], PEOPLE[0]))
    }
    assert len(names) == 4
    assert all(len(name) == 16 and set(name) <= set("0123456789abcdef") for name in names)


def test_every_rematch_of_a_rematch_is_another_table() -> None:
    kept, names = kept_table(), [ID]
    for _ in range(4):
        again = Kept(Table(kept.table.rematch_id()))
        again.happen([kept.table.rematch()])
        assert again.table.previous == names[-1]
        kept = again
        names.append(kept.table.id)
    assert len(set(names)) == 5


def test_the_next_table_is_told_to_both_and_to_those_who_watch() -> None:
    kept = resigned(ONE_SCREEN)
    kept.happen(kept.table.offer_rematch(0))
    for audience in (0, 1, None):
        assert latest_message(kept.table, audience).table.next == kept.table.rematch_id()


def test_who_leaves_is_away_until_they_come_back() -> None:
    kept = kept_table()
    assert kept.happen(kept.table.leave(1)) == [Left(1)]
    assert kept.table.leave(1) == []
    assert [seat.away for seat in table_view(kept.table, 0, NOON).seats] == [False, True]
    assert kept.happen(kept.table.rejoin(1)) == [Returned(1)]
    assert kept.table.rejoin(1) == []
    assert kept.table.away == [False, False]


def test_nobody_leaves_a_seat_where_nobody_sits_and_no_computer_leaves() -> None:
    assert kept_table(A_FREE_SEAT).table.leave(1) == []
    assert kept_table(AGAINST_A_COMPUTER).table.leave(1) == []
    assert kept_table(A_FREE_SEAT).table.leave(0) == [Left(0)]
    assert kept_table(AGAINST_A_COMPUTER).table.leave(0) == [Left(0)]


def test_who_plays_is_back() -> None:
    kept = kept_table()
    for seat in (0, 1):
        kept.happen(kept.table.leave(seat))
    kept.play("+S")
    assert kept.table.away == [False, True]


def test_after_the_end_nobody_leaves_and_who_was_away_may_come_back() -> None:
    kept = kept_table()
    kept.happen(kept.table.leave(1))
    kept.happen(kept.table.resign(0))
    assert kept.table.leave(0) == []
    assert kept.happen(kept.table.rejoin(1)) == [Returned(1)]
    assert kept.table.phase == "over"


def test_a_game_nobody_came_back_to_for_thirty_days_is_abandoned_without_a_winner() -> None:
    kept = kept_table()
    assert kept.advance(after=29 * DAY) == []
    assert kept.advance(after=DAY - 1) == []
    assert kept.table.status.due == NOON + MONTH
    assert kept.advance(after=1) == [Abandoned()]
    assert kept.table.over == GameEnd("abandonment", None)


def test_whatever_happens_in_between_the_thirty_days_begin_anew() -> None:
    kept = kept_table()
    kept.advance(after=29 * DAY)
    kept.happen(kept.table.leave(0))
    assert kept.advance(after=29 * DAY) == []
    assert kept.advance(after=DAY) == [Abandoned()]


def test_a_table_nobody_joined_is_not_abandoned_but_never_begun() -> None:
    kept = kept_table(A_FREE_SEAT)
    assert kept.advance(after=10 * MONTH) == []
    assert (kept.table.phase, kept.table.status.due) == ("open", None)


def test_a_game_that_was_abandoned_may_have_a_rematch() -> None:
    kept = kept_table()
    kept.advance(after=MONTH)
    kept.happen(kept.table.offer_rematch(0))
    kept.happen(kept.table.offer_rematch(1))
    assert kept.table.next == kept.table.rematch_id()
