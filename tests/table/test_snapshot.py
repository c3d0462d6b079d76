"""Snapshots: a restored table equals the table that a replay of its event log gives, and continues like it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import pytest
from msgspec import json
from msgspec.structs import replace

from jaipur.rules.cards import LETTERS
from jaipur.rules.records import Record
from jaipur.table.events import AnyEvent, Dealt, LogEntry, Opened, Played, Rematched
from jaipur.table.options import DAY, SECOND, Live, TableOptions
from jaipur.table.projection import latest_message
from jaipur.table.snapshot import FORMAT, Snapshot, format_of, restore, take_snapshot
from jaipur.table.table import Table
from table.live_table import (
    AUDIENCES,
    ID,
    INVITATION,
    NOON,
    PEOPLE,
    SECRETS,
    WITH_FREE_SEAT,
    LiveTable,
    finished_game,
    open_table,
)
from test_golden import GAMES


def restored(table: Table) -> Table:
    """The table of a snapshot that was written and read."""
    written = json.encode(take_snapshot(table))
    result = restore(json.decode(written, type=Snapshot))
    assert result is not None
    return result


def golden_log(record: Record) -> list[LogEntry]:
    """The event log of a table where a golden game was played, a move per second."""
    log: list[AnyEvent] = [Opened(PEOPLE, TableOptions(record.herds, clock=Live(7200)))]
    for played in record.rounds:
        deal = played.deal
        letters = "".join(LETTERS[kind] for kind in deal.pack)
        log.append(Dealt(deal.starts, letters, deal.bonus, "5a" * 32))
        log += [Played((deal.starts + at) % 2, str(move)) for at, move in enumerate(played.moves)]
    return [LogEntry(at, NOON + at * SECOND, event) for at, event in enumerate(log, 1)]


def long_life() -> Iterator[Table]:
    """A table after each of its events: a free seat, an absence, a timed game, a rematch."""
    live = LiveTable()
    commands: list[Callable[[], list[AnyEvent]]] = [
        lambda: [Opened(WITH_FREE_SEAT, TableOptions(clock=Live(600)), previous="f" * 16)],
        lambda: live.table.take_seat(INVITATION, SECRETS[1], "Ravi"),
        lambda: live.table.leave(0),
        lambda: live.table.advance(live.now, live.rng),
        *[lambda: live.table.play(*first_move(live.table), live.table.version)] * 3,
        lambda: live.table.advance(live.now + DAY, live.rng),
        lambda: live.table.offer_rematch(0),
        lambda: live.table.offer_rematch(1),
    ]
    for command in commands:
        live.now += SECOND
        for event in command():
            live.apply([event])
            yield live.table


def first_move(table: Table) -> tuple[int, str]:
    assert table.turn is not None
    return table.turn, str(table.game.legal_moves()[0])


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_table_restored_at_any_version_of_a_golden_game_continues_in_the_same_way(
    number: int,
) -> None:
    log = golden_log(GAMES[number])
    every = len(log) // 100 + 1
    table = Table(ID)
    again = table
    for entry in log:
        table.apply(entry)
        if again is not table:
            again.apply(entry)
        if entry.version % every == 0:
            assert again == table
            again = restored(table)
            assert again == table
    assert again == table
    assert again is not table


def test_messages_of_a_restored_table_are_the_same_bytes() -> None:
    table = Table(ID)
    for entry in finished_game(5).entries:
        table.apply(entry)
        again = restored(table)
        for audience in AUDIENCES:
            messages = [json.encode(latest_message(each, audience)) for each in (table, again)]
            assert messages[0] == messages[1]


def test_a_snapshot_has_every_field_of_a_table() -> None:
    """A field counts as covered if a restored table has another value in it than a new table."""
    blank, covered = Table("0" * 16), set()
    for table in long_life():
        again = restored(table)
        assert again == table
        covered |= {
            each.name
            for each in fields(Table)
            if getattr(again, each.name) != getattr(blank, each.name)
        }
    assert isinstance(table.last, LogEntry)
    assert isinstance(table.last.event, Rematched)
    assert covered == {each.name for each in fields(Table) if each.compare}
    assert [each.name for each in fields(Table) if not each.compare] == ["_validated"]


@pytest.mark.parametrize(
    "change",
    [
        {"format": "another"},
        {"version": 3},
        {"state": "{"},
        {"state": "{}"},
        {"state": "[1]"},
    ],
    ids=str,
)
def test_a_snapshot_that_cannot_be_used_is_no_table(change: dict[str, object]) -> None:
    taken = take_snapshot(open_table().table)
    assert restore(taken) is not None
    assert restore(replace(taken, **change)) is None


def test_the_format_depends_on_the_fields() -> None:
    @dataclass(slots=True)
    class LaterTable(Table):
        weather: str = "sunny"

    assert format_of(Table) == FORMAT
    assert format_of(LaterTable) != FORMAT
