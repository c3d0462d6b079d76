"""Golden games: recorded games with every rare case of the rules, their perft counts and their order of moves."""

import json
from pathlib import Path

import pytest

from jaipur.notation import Record, position_after, read_records, write_record
from jaipur.rules import Game, new_round
from jaipur.rules.perft import divide, perft
from oddities import AT_THE_END, IN_A_TURN, OF_A_GAME, oddities

GOLDEN = Path(__file__).parent / "golden"


def games() -> list[Record]:
    with (GOLDEN / "oddities.jaipur.jsonl").open("rb") as stream:
        return list(read_records(stream))


GAMES = games()


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_golden_game_replays_and_shows_its_oddity(number: int) -> None:
    record = GAMES[number]
    shows = record.extra["shows"]
    assert isinstance(shows, list)
    assert set(shows) <= oddities(Game.from_record(record))


def test_every_oddity_is_in_a_golden_game() -> None:
    shown = {name for record in GAMES for name in record.extra["shows"]}  # type: ignore[attr-defined]  # a JSON list
    assert shown == {*IN_A_TURN, *AT_THE_END, *OF_A_GAME}


def test_golden_games_round_trip() -> None:
    lines = (GOLDEN / "oddities.jaipur.jsonl").read_text().splitlines()
    assert [write_record(record) for record in GAMES] == lines


def test_perft_counts_do_not_change() -> None:
    counts: list[list[int]] = json.loads((GOLDEN / "perft.json").read_text())
    for record, by_depth in zip(GAMES, counts, strict=True):
        position = new_round(record.rounds[0].deal)
        assert [perft(position, depth) for depth in range(1, 1 + len(by_depth))] == by_depth
        assert sum(divide(position, len(by_depth)).values()) == by_depth[-1]


def test_the_order_of_moves_does_not_change() -> None:
    lists = (GOLDEN / "moves.txt").read_text().splitlines()
    positions = [position_after(played, 15) for record in GAMES for played in record.rounds]
    assert [" ".join(map(str, position.legal_moves())) for position in positions] == lists
