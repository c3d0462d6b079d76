"""The record of a table: true at every moment, promises included, and silent about what is still hidden."""

from collections.abc import Callable

import pytest

from command import jaipur
from jaipur.notation import Record, check_fair, read_record, record_of, write_record
from jaipur.rules import LETTERS, Game
from jaipur.table.events import Dealt, Played
from jaipur.table.options import DAY, SECOND, Daily, Live, TableOptions
from jaipur.table.projection import latest_message
from jaipur.table.record import table_record
from jaipur.table.table import Table
from table.keeping import (
    A_FREE_SEAT,
    AGAINST_A_COMPUTER,
    DEAL,
    ID,
    NOON,
    SALT,
    Kept,
    game_of,
    kept_table,
    some_moves,
)


def line_of(kept: Kept) -> str:
    return write_record(table_record(kept.table))


def read_and_replayed(kept: Kept) -> Record:
    """The record as somebody has it who was sent its line: it reads, it is true, and every promise is kept."""
    record = read_record(line_of(kept))
    assert write_record(record) == line_of(kept)
    Game.from_record(record)
    for number, played in enumerate(record.rounds):
        assert check_fair(played) == kept.table.commitments[number]
    return record


def verified(kept: Kept, *noted: str) -> tuple[int, str]:
    asked = ("--commitment", *noted) if noted else ()
    done = jaipur("verify", "-", *asked, text=line_of(kept) + "\n")
    return done.returncode, done.stdout


def in_the_second_round() -> Kept:
    kept = kept_table()
    kept.finish_round()
    kept.advance()
    kept.play(str(kept.table.game.legal_moves()[0]))
    return kept


def flagged() -> Kept:
    kept = kept_table(options=TableOptions(clock=Live(10)))
    kept.play("+S", "+D")
    kept.advance(after=60 * SECOND)
    return kept


def resigned() -> Kept:
    kept = kept_table()
    kept.play("+GS-LM", "-CC")
    kept.happen(kept.table.resign(1))
    return kept


def abandoned() -> Kept:
    kept = kept_table()
    kept.advance(after=30 * DAY)
    return kept


@pytest.mark.parametrize("seed", range(5))
def test_the_record_of_a_finished_game_is_the_game(seed: int) -> None:
    kept = game_of(seed)
    record = read_and_replayed(kept)
    game = kept.table.game
    plain = record_of(game, ("Asha", "Ravi"))
    assert [(r.deal, r.moves, r.result) for r in record.rounds] == [
        (r.deal, r.moves, r.result) for r in plain.rounds
    ]
    assert (record.seals, record.winner, record.herds) == (plain.seals, plain.winner, plain.herds)
    assert record.extra["over"] == {"by": "seals", "winner": game.winner}


@pytest.mark.parametrize("moves", [0, 1, 40, 90, 150, 200])
def test_the_record_of_a_running_game_is_true_too(moves: int) -> None:
    kept = some_moves(3, moves)
    record = read_and_replayed(kept)
    finished = [played for played in kept.table.game.rounds if played.result is not None]
    assert len(record.rounds) == len(finished)


def test_before_the_first_deal_the_record_has_no_round() -> None:
    record = read_and_replayed(kept_table(A_FREE_SEAT))
    assert (record.players, record.rounds, record.extra) == (
        ("Asha", ""),
        [],
        {"table": ID, "opened": NOON, "seats": ["person", "nobody"]},
    )


def test_of_the_round_being_played_the_record_has_what_both_have_seen() -> None:
    kept = in_the_second_round()
    record = read_and_replayed(kept)
    played = kept.table.game.rounds[-1]
    assert record.extra["running"] == {
        "starts": played.deal.starts,
        "commitment": kept.table.commitments[1],
        "moves": [str(played.moves[0])],
    }


def test_between_two_rounds_no_round_is_running() -> None:
    kept = kept_table()
    kept.finish_round()
    record = read_and_replayed(kept)
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
def test_a_game_that_was_broken_off_has_its_last_round_opened(
    end: Callable[[], Kept], over: dict[str, object]
) -> None:
    kept = end()
    record = read_and_replayed(kept)
    assert (record.rounds[-1].deal, record.rounds[-1].result) == (DEAL, None)
    assert (record.winner, record.extra["over"]) == (None, over)
    assert SALT in line_of(kept)


def test_finished_and_broken_off_games_pass_verify_with_what_was_noted_at_the_table() -> None:
    for kept in (game_of(0), resigned()):
        table, noted = Table(ID), []
        for entry in kept.journal:
            table.apply(entry)
            if isinstance(entry.event, Dealt):
                noted.append(latest_message(table, 0).table.rounds[-1].commitment)
        status, said = verified(kept, *noted)
        assert status == 0
        assert "every deal matches its commitment" in said


def test_a_running_game_passes_verify_with_its_finished_rounds() -> None:
    assert verified(in_the_second_round()) == (
        0,
        "Game 1: 1 round, every deal matches its commitment.\n",
    )


def test_the_moment_of_every_move_is_in_the_record() -> None:
    kept = kept_table()
    kept.play("+GS-LM", "-CC", each_after=SECOND)
    kept.happen(kept.table.resign(0))
    (played,) = read_and_replayed(kept).rounds
    assert played.extra["times"] == [NOON + SECOND, NOON + 2 * SECOND]


def test_every_round_of_a_game_has_the_moments_of_its_own_moves() -> None:
    kept = game_of(2)
    moments = [entry.at for entry in kept.journal if isinstance(entry.event, Played)]
    times = [played.extra["times"] for played in read_and_replayed(kept).rounds]
    assert times == [[moments.pop(0) for _ in r.moves] for r in kept.table.game.rounds]


def test_a_computer_is_named_by_its_level_and_told_from_a_person() -> None:
    record = read_and_replayed(kept_table(AGAINST_A_COMPUTER))
    assert record.players == ("Asha", "greedy")
    assert record.extra["seats"] == ["person", "computer"]


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        (None, None),
        (Live(300, 5), {"kind": "live", "seconds": 300, "increment": 5}),
        (Daily(3), {"kind": "daily", "days": 3}),
    ],
)
def test_the_options_of_the_table_are_in_the_record(
    clock: Live | Daily | None, told: dict[str, object] | None
) -> None:
    options = TableOptions(herds="hidden", helps=True, watch=False, clock=clock)
    record = read_and_replayed(kept_table(options=options))
    assert record.herds == "hidden"
    assert record.options_extra == {"helps": True, "watch": False, "clock": told}


def test_a_running_round_is_silent_about_salt_pack_and_bonus_piles() -> None:
    kept = in_the_second_round()
    hidden = kept.table.game.rounds[1].deal
    line = line_of(kept)
    opened = "".join(LETTERS[kind] for kind in DEAL.pack)
    assert opened in line
    assert SALT in line
    assert "".join(LETTERS[kind] for kind in hidden.pack) not in line
    assert kept.table.salts[1] not in line
    assert line.count('"bonus"') == line.count('"deal"') == 1
