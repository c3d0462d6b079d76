"""The journal of an arena keeps every finished pair, drops what was torn off, and refuses what is not its own."""

import os
from pathlib import Path

import pytest

from jaipur.arena.journal import Journal, WrongFolder
from jaipur.arena.pairs import Pair, play_pair
from jaipur.players import NO_BUDGET, player_named

PLAN: dict[str, object] = {"players": ["random", "random"], "seed": 1, "pairs": 3}


def pair_number(number: int) -> Pair:
    players = [player_named("random"), player_named("random")]
    return play_pair(players, ("random", "random"), 1, number, NO_BUDGET)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Journal(tmp_path, PLAN) as journal:
        for number in (2, 0):
            journal.append(pair_number(number))
    return tmp_path


def test_pairs_come_back_as_they_were(folder: Path) -> None:
    with Journal(folder, PLAN) as journal:
        assert set(journal.pairs) == {(0, 0), (0, 2)}
        for number in (0, 2):
            played = pair_number(number)
            kept = journal.pairs[0, number]
            assert kept.outcomes == played.outcomes
            assert [each.moves for each in kept.thought] == [each.moves for each in played.thought]
            assert journal.records((0, number)) == played.records


def test_a_pair_is_in_the_file_as_soon_as_it_is_appended(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN) as journal:
        journal.append(pair_number(0))
        assert (tmp_path / "pairs.jsonl").read_bytes().endswith(b"]}\n")


@pytest.mark.parametrize("cut", [1, 2, 40, 1500])
def test_a_torn_last_line_is_dropped_and_the_next_pair_takes_its_place(
    folder: Path, cut: int
) -> None:
    file = folder / "pairs.jsonl"
    os.truncate(file, file.stat().st_size - cut)
    with Journal(folder, PLAN) as journal:
        assert set(journal.pairs) == {(0, 2)}
        journal.append(pair_number(0))
        assert journal.records((0, 0)) == pair_number(0).records
    with Journal(folder, PLAN) as journal:
        assert set(journal.pairs) == {(0, 0), (0, 2)}


def test_a_last_line_of_rubbish_is_dropped_too(folder: Path) -> None:
    with (folder / "pairs.jsonl").open("ab") as file:
        file.write(b"\0" * 100 + b"\n")
    with Journal(folder, PLAN) as journal:
        assert len(journal.pairs) == 2


@pytest.mark.parametrize("rubbish", [b"{}", b"[1]", b'{"match": [], "pair"', b"\xff\0"])
def test_rubbish_before_a_good_line_is_named(folder: Path, rubbish: bytes) -> None:
    file = folder / "pairs.jsonl"
    file.write_bytes(rubbish + b"\n" + file.read_bytes())
    with pytest.raises(WrongFolder, match=r"Line 1 of .* cannot be read"):
        Journal(folder, PLAN)


def test_another_plan_is_refused_and_says_what_differs(folder: Path) -> None:
    with pytest.raises(WrongFolder, match=r"\(seed\)"):
        Journal(folder, PLAN | {"seed": 2})


def test_a_plan_grows_by_pairs_and_never_shrinks(folder: Path) -> None:
    with Journal(folder, PLAN | {"pairs": 5}) as journal:
        assert len(journal.pairs) == 2
    for smaller in (PLAN, PLAN | {"pairs": 9, "seed": 2}):
        with pytest.raises(WrongFolder, match="pairs"):
            Journal(folder, smaller)
    with Journal(folder, PLAN | {"pairs": 5}) as journal:
        assert len(journal.pairs) == 2


def test_a_plan_that_cannot_be_read_or_is_gone_is_refused(folder: Path) -> None:
    (folder / "arena.json").write_text("{", "utf-8")
    with pytest.raises(WrongFolder, match="cannot be read"):
        Journal(folder, PLAN)
    (folder / "arena.json").unlink()
    with pytest.raises(WrongFolder, match=r"no arena\.json"):
        Journal(folder, PLAN)


def test_two_arenas_do_not_write_to_one_folder(folder: Path) -> None:
    with Journal(folder, PLAN), pytest.raises(WrongFolder, match="Another arena"):
        Journal(folder, PLAN)
