"""Other ends than two seals, and what follows: resignation, leaving, abandonment, the rematch."""

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
from table.live_table import (
    ID,
    NOON,
    ONE_SCREEN,
    PEOPLE,
    SECRETS,
    WITH_COMPUTER,
    WITH_FREE_SEAT,
    LiveTable,
    finished_game,
    open_table,
    refusal,
)

MONTH = 30 * DAY


def resigned(
    chairs: tuple[Chair, Chair] = PEOPLE, options: TableOptions | None = None
) -> LiveTable:
    live = open_table(chairs, options)
    live.apply(live.table.resign(0))
    return live


@pytest.mark.parametrize("seat", [0, 1])
def test_either_player_may_resign_at_any_turn(seat: Seat) -> None:
    live = open_table()
    assert live.apply(live.table.resign(seat)) == [Resigned(seat)]
    assert live.table.over == GameEnd("resignation", 1 - seat)
    assert (live.table.phase, live.table.turn) == ("over", None)


def test_no_resignation_before_the_game() -> None:
    assert refusal(open_table(WITH_FREE_SEAT).table.resign, 0).code == RefusalCode.NOT_STARTED


@pytest.mark.parametrize("seat", [0, 1])
def test_a_repeated_resignation_changes_nothing(seat: Seat) -> None:
    live = open_table()
    live.apply(live.table.resign(seat))
    assert live.table.resign(seat) == []
    assert refusal(live.table.resign, 1 - seat).code == RefusalCode.GAME_OVER


def test_no_resignation_after_another_end() -> None:
    flagged = open_table(options=TableOptions(clock=Live(10)))
    flagged.play("+S", "+D")
    flagged.advance(after=DAY)
    abandoned = open_table()
    abandoned.advance(after=MONTH)
    for live, by in ((finished_game(0), "seals"), (flagged, "time"), (abandoned, "abandonment")):
        assert live.table.over is not None
        assert live.table.over.by == by
        for seat in (0, 1):
            assert refusal(live.table.resign, seat).code == RefusalCode.GAME_OVER


def test_nothing_is_due_after_the_end() -> None:
    live = resigned()
    assert live.advance(after=100 * DAY) == []
    assert live.table.status.due is None


def test_no_rematch_offer_before_the_end() -> None:
    assert refusal(open_table().table.offer_rematch, 0).code == RefusalCode.NOT_OVER


def test_a_rematch_needs_both_offers() -> None:
    live = resigned()
    assert live.apply(live.table.offer_rematch(1)) == [Offered(1)]
    assert live.table.next is None
    assert table_view(live.table, 0, NOON).offers == (False, True)


def test_a_repeated_offer_changes_nothing() -> None:
    live = resigned()
    live.apply(live.table.offer_rematch(1))
    assert live.table.offer_rematch(1) == []


def test_the_second_offer_agrees_on_the_rematch() -> None:
    live = resigned()
    live.apply(live.table.offer_rematch(1))
    events = live.apply(live.table.offer_rematch(0))
    assert events == [Offered(0), Rematched(live.table.rematch_id())]
    assert live.table.next == live.table.rematch_id() != ID
    assert [live.table.offer_rematch(seat) for seat in (0, 1)] == [[], []]


def test_a_computer_always_agrees_to_a_rematch() -> None:
    table = resigned(WITH_COMPUTER).table
    assert table.offer_rematch(0) == [Offered(0), Rematched(table.rematch_id())]


@pytest.mark.parametrize("seat", [0, 1])
def test_on_one_screen_one_offer_is_enough(seat: Seat) -> None:
    table = resigned(ONE_SCREEN).table
    assert table.offer_rematch(seat) == [Offered(seat), Rematched(table.rematch_id())]


def test_a_rematch_swaps_the_seats_and_nothing_else() -> None:
    options = TableOptions(herds="hidden", helps=True, watch=False, clock=Daily(3))
    live = resigned(options=options)
    again = LiveTable(Table(live.table.rematch_id()))
    again.apply([live.table.rematch()])
    assert again.table.previous == ID
    assert again.table.options == options
    assert [chair.name for chair in again.table.chairs] == ["Ravi", "Asha"]
    assert [again.table.seats_of(secret) for secret in SECRETS] == [(1,), (0,)]
    assert again.advance()
    assert again.table.phase == "running"
    assert again.table.offers == [False, False]


def test_a_rematch_against_a_computer_has_the_same_level() -> None:
    table = resigned(WITH_COMPUTER).table
    assert table.rematch() == Opened(
        (WITH_COMPUTER[1], WITH_COMPUTER[0]), TableOptions(), previous=ID
    )


def test_concurrent_offers_lead_to_one_table() -> None:
    """Each offer is made at a copy of the table that lacks the other offer, as in two processes."""
    first, second = resigned(), resigned()
    first.apply(first.table.offer_rematch(0))
    second.apply(second.table.offer_rematch(1))
    assert first.table.offer_rematch(1)[-1] == second.table.offer_rematch(0)[-1]


def test_the_id_of_a_rematch_depends_on_the_secrets() -> None:
    names = {
        resigned(chairs).table.rematch_id()
        for chairs in (PEOPLE, ONE_SCREEN, WITH_COMPUTER, (PEOPLE[1], PEOPLE[0]))
    }
    assert len(names) == 4
    assert all(len(name) == 16 and set(name) <= set("0123456789abcdef") for name in names)


def test_every_rematch_has_a_new_id() -> None:
    live, names = open_table(), [ID]
    for _ in range(4):
        again = LiveTable(Table(live.table.rematch_id()))
        again.apply([live.table.rematch()])
        assert again.table.previous == names[-1]
        live = again
        names.append(live.table.id)
    assert len(set(names)) == 5


def test_every_audience_sees_the_rematch_table() -> None:
    live = resigned(ONE_SCREEN)
    live.apply(live.table.offer_rematch(0))
    for audience in (0, 1, None):
        assert latest_message(live.table, audience).table.next == live.table.rematch_id()


def test_a_player_who_leaves_is_away_until_returning() -> None:
    live = open_table()
    assert live.apply(live.table.leave(1)) == [Left(1)]
    assert live.table.leave(1) == []
    assert [seat.away for seat in table_view(live.table, 0, NOON).seats] == [False, True]
    assert live.apply(live.table.rejoin(1)) == [Returned(1)]
    assert live.table.rejoin(1) == []
    assert live.table.away == [False, False]


def test_only_people_can_leave() -> None:
    assert open_table(WITH_FREE_SEAT).table.leave(1) == []
    assert open_table(WITH_COMPUTER).table.leave(1) == []
    assert open_table(WITH_FREE_SEAT).table.leave(0) == [Left(0)]
    assert open_table(WITH_COMPUTER).table.leave(0) == [Left(0)]


def test_a_move_marks_the_player_as_present() -> None:
    live = open_table()
    for seat in (0, 1):
        live.apply(live.table.leave(seat))
    live.play("+S")
    assert live.table.away == [False, True]


def test_after_the_end_players_can_return_but_not_leave() -> None:
    live = open_table()
    live.apply(live.table.leave(1))
    live.apply(live.table.resign(0))
    assert live.table.leave(0) == []
    assert live.apply(live.table.rejoin(1)) == [Returned(1)]
    assert live.table.phase == "over"


def test_a_game_without_events_for_thirty_days_is_abandoned() -> None:
    live = open_table()
    assert live.advance(after=29 * DAY) == []
    assert live.advance(after=DAY - 1) == []
    assert live.table.status.due == NOON + MONTH
    assert live.advance(after=1) == [Abandoned()]
    assert live.table.over == GameEnd("abandonment", None)


def test_every_event_restarts_the_thirty_days() -> None:
    live = open_table()
    live.advance(after=29 * DAY)
    live.apply(live.table.leave(0))
    assert live.advance(after=29 * DAY) == []
    assert live.advance(after=DAY) == [Abandoned()]


def test_an_open_table_is_never_abandoned() -> None:
    live = open_table(WITH_FREE_SEAT)
    assert live.advance(after=10 * MONTH) == []
    assert (live.table.phase, live.table.status.due) == ("open", None)


def test_an_abandoned_game_can_have_a_rematch() -> None:
    live = open_table()
    live.advance(after=MONTH)
    live.apply(live.table.offer_rematch(0))
    live.apply(live.table.offer_rematch(1))
    assert live.table.next == live.table.rematch_id()
