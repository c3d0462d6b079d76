"""The results log stores every finished pair, drops an incomplete last line and refuses the folder of another arena."""

import os
from pathlib import Path

import pytest

from jaipur.arena.pairs import Pair, play_pair
from jaipur.arena.results_log import ArenaFolderError, ResultsLog
from jaipur.players import NO_BUDGET, player_named

PLAN: dict[str, object] = {"players": ["random", "random"], "seed": 1, "pairs": 3}


def pair_number(number: int) -> Pair:
    players = [player_named("random"), player_named("random")]
    return play_pair(players, ("random", "random"), 1, number, NO_BUDGET)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with ResultsLog(tmp_path, PLAN) as log:
        for number in (2, 0):
            log.append(pair_number(number))
    return tmp_path


def test_pairs_are_read_back_unchanged(folder: Path) -> None:
    with ResultsLog(folder, PLAN) as log:
        assert set(log.pairs) == {(0, 0), (0, 2)}
        for number in (0, 2):
            played = pair_number(number)
            stored = log.pairs[0, number]
            assert stored.outcomes == played.outcomes
            assert [each.moves for each in stored.thinking] == [
                each.moves for each in played.thinking
            ]
            assert log.records((0, number)) == played.records


def test_a_pair_is_in_the_file_as_soon_as_it_is_appended(tmp_path: Path) -> None:
    with ResultsLog(tmp_path, PLAN) as log:
        log.append(pair_number(0))
        assert (tmp_path / "pairs.jsonl").read_bytes().endswith(b"]}\n")


@pytest.mark.parametrize("cut", [1, 2, 40, 1500])
def test_an_incomplete_last_line_is_dropped_and_overwritten(folder: Path, cut: int) -> None:
    file = folder / "pairs.jsonl"
    os.truncate(file, file.stat().st_size - cut)
    with ResultsLog(folder, PLAN) as log:
        assert set(log.pairs) == {(0, 2)}
        log.append(pair_number(0))
        assert log.records((0, 0)) == pair_number(0).records
    with ResultsLog(folder, PLAN) as log:
        assert set(log.pairs) == {(0, 0), (0, 2)}


def test_an_unreadable_last_line_is_dropped_too(folder: Path) -> None:
    with (folder / "pairs.jsonl").open("ab") as file:
        file.write(b"\0" * 100 + b"\n")
    with ResultsLog(folder, PLAN) as log:
        assert len(log.pairs) == 2


@pytest.mark.parametrize("garbage", [b"{}", b"[1]", b'{"match": [], "pair"', b"\xff\0"])
def test_an_unreadable_line_before_a_good_one_is_an_error(folder: Path, garbage: bytes) -> None:
    file = folder / "pairs.jsonl"
    file.write_bytes(garbage + b"\n" + file.read_bytes())
    with pytest.raises(ArenaFolderError, match=r"Line 1 of .* cannot be read"):
        ResultsLog(folder, PLAN)


def test_another_plan_is_refused_with_the_settings_that_differ(folder: Path) -> None:
    with pytest.raises(ArenaFolderError, match=r"\(seed\)"):
        ResultsLog(folder, PLAN | {"seed": 2})


def test_a_plan_may_get_more_pairs_but_not_fewer(folder: Path) -> None:
    with ResultsLog(folder, PLAN | {"pairs": 5}) as log:
        assert len(log.pairs) == 2
    for smaller in (PLAN, PLAN | {"pairs": 9, "seed": 2}):
        with pytest.raises(ArenaFolderError, match="pairs"):
            ResultsLog(folder, smaller)
    with ResultsLog(folder, PLAN | {"pairs": 5}) as log:
        assert len(log.pairs) == 2


def test_a_later_version_may_continue(tmp_path: Path) -> None:
    with ResultsLog(tmp_path, PLAN | {"version": "1"}):
        pass
    with ResultsLog(tmp_path, PLAN | {"version": "2"}) as log:
        assert not log.pairs


def test_a_missing_or_unreadable_plan_is_refused(folder: Path) -> None:
    (folder / "arena.json").write_text("{", "utf-8")
    with pytest.raises(ArenaFolderError, match="cannot be read"):
        ResultsLog(folder, PLAN)
    (folder / "arena.json").unlink()
    with pytest.raises(ArenaFolderError, match=r"no arena\.json"):
        ResultsLog(folder, PLAN)


def test_two_arenas_cannot_use_one_folder(folder: Path) -> None:
    with ResultsLog(folder, PLAN), pytest.raises(ArenaFolderError, match="Another arena"):
        ResultsLog(folder, PLAN)
