"""The record of a table replays at every time, keeps its commitments and contains no secret."""

from collections.abc import Callable

import pytest

from command import jaipur
from jaipur.notation import Record, check_fair, read_record, record_of, write_record
from jaipur.rules import Game
from jaipur.rules.cards import LETTERS
from jaipur.table.events import Dealt, Played
from jaipur.table.options import DAY, SECOND, Daily, Live, TableOptions
from jaipur.table.projection import latest_message
from jaipur.table.record import table_record
from jaipur.table.table import Table
from table.live_table import (
    DEAL,
    ID,
    NOON,
    SALT,
    WITH_COMPUTER,
    WITH_FREE_SEAT,
    LiveTable,
    after_moves,
    finished_game,
    open_table,
)


def record_line(live: LiveTable) -> str:
    return write_record(table_record(live.table))


def checked_record(live: LiveTable) -> Record:
    """The record read from its line, after checking that it replays and keeps every commitment."""
    record = read_record(record_line(live))
    assert write_record(record) == record_line(live)
    Game.from_record(record)
    for number, played in enumerate(record.rounds):
        fair = check_fair(played)
        assert fair is not None
        assert fair.commitment == live.table.proofs[number].commitment
    return record


def run_verify(live: LiveTable, *commitments: str) -> tuple[int, str]:
    arguments = ("--commitment", *commitments) if commitments else ()
    done = jaipur("verify", "-", *arguments, text=record_line(live) + "\n")
    return done.returncode, done.stdout


def in_second_round() -> LiveTable:
    live = open_table()
    live.finish_round()
    live.advance()
    live.play(str(live.table.game.legal_moves()[0]))
    return live


def flagged() -> LiveTable:
    live = open_table(options=TableOptions(clock=Live(10)))
    live.play("+S", "+D")
    live.advance(after=60 * SECOND)
    return live


def resigned() -> LiveTable:
    live = open_table()
    live.play("+GS-LM", "-CC")
    live.apply(live.table.resign(1))
    return live


def abandoned() -> LiveTable:
    live = open_table()
    live.advance(after=30 * DAY)
    return live


@pytest.mark.parametrize("seed", range(5))
def test_a_finished_game_is_recorded_in_full(seed: int) -> None:
    live = finished_game(seed)
    record = checked_record(live)
    game = live.table.game
    plain = record_of(game, ("Asha", "Ravi"))
    assert [(r.deal, r.moves, r.result) for r in record.rounds] == [
        (r.deal, r.moves, r.result) for r in plain.rounds
    ]
    assert (record.seals, record.winner, record.herds) == (plain.seals, plain.winner, plain.herds)
    assert record.extra["over"] == {"by": "seals", "winner": game.winner}


@pytest.mark.parametrize("moves", [0, 1, 40, 90, 150, 200])
def test_a_running_game_is_recorded_with_its_finished_rounds(moves: int) -> None:
    live = after_moves(3, moves)
    record = checked_record(live)
    finished = [played for played in live.table.game.rounds if played.result is not None]
    assert len(record.rounds) == len(finished)


def test_before_the_first_deal_the_record_has_no_round() -> None:
    record = checked_record(open_table(WITH_FREE_SEAT))
    assert (record.players, record.rounds, record.extra) == (
        ("Asha", ""),
        [],
        {"table": ID, "opened": NOON, "seats": ["person", "nobody"]},
    )


def test_the_running_round_is_recorded_without_secrets() -> None:
    live = in_second_round()
    record = checked_record(live)
    played = live.table.game.rounds[-1]
    assert record.extra["running"] == {
        "starts": played.deal.starts,
        "commitment": live.table.proofs[1].commitment,
        "contributions": None,
        "moves": [str(played.moves[0])],
    }


def test_between_two_rounds_no_round_is_running() -> None:
    live = open_table()
    live.finish_round()
    record = checked_record(live)
    assert len(record.rounds) == 1
    assert "running" not in record.extra
    assert "over" not in record.extra


@pytest.mark.parametrize(
    ("end", "over"),
    [
        (resigned, {"by": "resignation", "winner": 0}),
        (flagged, {"by": "time", "winner": 1}),
        (abandoned, {"by": "abandonment", "winner": None}),
    ],
)
def test_a_game_that_ended_early_reveals_its_last_deal(
    end: Callable[[], LiveTable], over: dict[str, object]
) -> None:
    live = end()
    record = checked_record(live)
    assert (record.rounds[-1].deal, record.rounds[-1].result) == (DEAL, None)
    assert (record.winner, record.extra["over"]) == (None, over)
    assert SALT in record_line(live)


def test_verify_accepts_the_commitments_of_the_messages() -> None:
    for live in (finished_game(0), resigned()):
        table, commitments = Table(ID), []
        for entry in live.entries:
            table.apply(entry)
            if isinstance(entry.event, Dealt):
                commitments.append(latest_message(table, 0).table.rounds[-1].commitment)
        status, text = run_verify(live, *commitments)
        assert status == 0
        assert text.count("the deal was fixed when you noted the commitment") == len(commitments)


def test_verify_accepts_a_running_game() -> None:
    status, text = run_verify(in_second_round())
    assert status == 0
    assert "the record agrees with itself" in text


def test_the_time_of_every_move_is_recorded() -> None:
    live = open_table()
    live.play("+GS-LM", "-CC", every=SECOND)
    live.apply(live.table.resign(0))
    (played,) = checked_record(live).rounds
    assert played.extra["times"] == [NOON + SECOND, NOON + 2 * SECOND]


def test_every_round_has_the_times_of_its_own_moves() -> None:
    live = finished_game(2)
    moments = [entry.at for entry in live.entries if isinstance(entry.event, Played)]
    times = [played.extra["times"] for played in checked_record(live).rounds]
    assert times == [[moments.pop(0) for _ in r.moves] for r in live.table.game.rounds]


def test_a_computer_is_recorded_with_its_level() -> None:
    record = checked_record(open_table(WITH_COMPUTER))
    assert record.players == ("Asha", "greedy")
    assert record.extra["seats"] == ["person", "computer"]


@pytest.mark.parametrize(
    ("clock", "recorded"),
    [
        (None, None),
        (Live(300, 5), {"kind": "live", "seconds": 300, "increment": 5}),
        (Daily(3), {"kind": "daily", "days": 3}),
    ],
)
def test_the_options_are_recorded(
    clock: Live | Daily | None, recorded: dict[str, object] | None
) -> None:
    options = TableOptions(herds="hidden", helps=True, watch=False, clock=clock)
    record = checked_record(open_table(options=options))
    assert record.herds == "hidden"
    assert record.options_extra == {"helps": True, "watch": False, "clock": recorded}


def test_a_running_round_reveals_neither_salt_nor_deal() -> None:
    live = in_second_round()
    hidden = live.table.game.rounds[1].deal
    line = record_line(live)
    opened = "".join(LETTERS[kind] for kind in DEAL.pack)
    assert opened in line
    assert SALT in line
    assert "".join(LETTERS[kind] for kind in hidden.pack) not in line
    assert live.table.proofs[1].salt not in line
    assert line.count('"bonus"') == line.count('"deal"') == 1
