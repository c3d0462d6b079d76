"""Saved games: autosave, resuming, games of the version before, broken files and disks."""

import json
import re
import shutil
from pathlib import Path

import pytest

from jaipur.folders import try_lock
from jaipur.notation import Record, read_record, read_records
from jaipur.rules import Game
from jaipur.terminal.autosave import GAMES
from jaipur.words import Language, Words
from terminal.driver import (
    CTRL_C,
    CTRL_D,
    PROMPT,
    Terminal,
    choose,
    listed_moves,
    play_moves,
    play_piped,
)

FIXTURES = Path(__file__).parent.parent / "fixtures" / "terminal"
SAVE = "game.jaipur.jsonl"
LEFT = Words().say("left", command="jaipur play")
ARGUMENTS = ("--seed", "manners", "--against", "greedy")


def saved(data: Path) -> Record:
    return read_record((data / SAVE).read_text("utf-8"))


def saved_game(data: Path) -> Game:
    return Game.from_record(saved(data))


def table_of(screen: str) -> list[str]:
    """The drawn cards and tokens, without sentences."""
    return [line for line in screen.splitlines() if re.match(r" [╭│╰]| [DGSCPL] ", line)]


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_a_game_left_in_the_middle_is_resumed(key: bytes, tmp_path: Path) -> None:
    with Terminal(tmp_path, *ARGUMENTS) as terminal:
        play_moves(terminal, "1", "1", "1")
        table = table_of(terminal.screen)
        terminal.press(key)
        assert terminal.end() == (130 if key == CTRL_C else 0)
        assert terminal.text.rstrip().endswith(LEFT)
    left = saved(tmp_path)
    with Terminal(tmp_path) as terminal:
        terminal.wait_for("[Y/n]")
        terminal.type("perhaps")
        terminal.wait_for("Please answer y or n, or quit.")
        terminal.type("y")
        terminal.wait_for(PROMPT)
        assert table_of(terminal.screen) == table
        assert saved(tmp_path) == left
        terminal.type("quit")
        assert terminal.end() == 0


@pytest.mark.parametrize(
    ("arguments", "choice", "continues"),
    [(("--against", "greedy"), "[Y/n]", True), (("--against", "merchant"), "[y/N]", False)],
)
def test_the_default_answer_depends_on_whether_the_saved_game_is_the_requested_one(
    arguments: tuple[str, str], choice: str, continues: bool, tmp_path: Path
) -> None:
    with Terminal(tmp_path, *ARGUMENTS) as terminal:
        play_moves(terminal, "1")
    left = saved(tmp_path)
    with Terminal(tmp_path, *arguments) as terminal:
        terminal.wait_for(choice)
        assert ("instead of the one you asked for" in terminal.text) == (not continues)
        terminal.type("quit")
        assert terminal.end() == 0
        assert terminal.text.rstrip().endswith(LEFT)
    assert saved(tmp_path) == left
    with Terminal(tmp_path, "--resume", *arguments) as terminal:
        terminal.wait_for(PROMPT)
        assert ("continues with its own options" in terminal.text) == (not continues)
        assert saved(tmp_path) == left
    with Terminal(tmp_path, *arguments) as terminal:
        terminal.wait_for(choice)
        terminal.type("")
        terminal.wait_for(PROMPT)
        assert (saved(tmp_path) == left) == continues
        assert arguments[1].capitalize() in terminal.screen


@pytest.mark.parametrize(("language", "you"), [("en", "you"), ("fr", "vous"), ("it", "tu")])
def test_the_question_has_no_capital_you_inside_the_sentence(
    language: Language, you: str, tmp_path: Path
) -> None:
    play_piped(tmp_path, b"moves\n1\n", *ARGUMENTS)
    _, output, _ = play_piped(tmp_path, b"", "--lang", language)
    question, found, _ = output.partition(Words(language).say("level.name.greedy"))
    assert found
    assert f" {you} " in question


def test_a_killed_game_continues_with_the_same_deals_and_moves(tmp_path: Path) -> None:
    ends = []
    for killed in (False, True):
        data = tmp_path / str(killed)
        with Terminal(data, *ARGUMENTS) as terminal:
            play_moves(terminal, "1", "1", "1")
            if killed:
                terminal.kill()
            else:
                play_moves(terminal, "1", "1")
        if killed:
            with Terminal(data, "--resume") as terminal:
                play_moves(terminal, "1", "1")
        ends.append(saved(data))
    assert ends[0] == ends[1]


def test_a_new_game_moves_the_unfinished_one_to_the_games(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ARGUMENTS) as terminal:
        play_moves(terminal, "1")
    old = saved(tmp_path)
    with Terminal(tmp_path, "--new", "--seed", "another", "--lang", "fr") as terminal:
        terminal.wait_for(PROMPT)
    assert read_record((tmp_path / GAMES).read_text("utf-8")) == old
    assert saved(tmp_path).rounds[0].deal != old.rounds[0].deal


# The fixtures were written by the version before the redesign, while it was being played.
@pytest.mark.parametrize(
    ("file", "deal", "moves"),
    [
        ("against_level.jsonl", "PCPGLDSSDPLC", "-L +M -PP +G -C +G +S -SS +C +C -C -GG +P +S"),
        ("between_rounds.jsonl", "PMGDPLMSMSMP", "-PP +M +G +D -GG +G"),
    ],
)
def test_a_save_of_the_version_before_continues_as_it_did_there(
    file: str, deal: str, moves: str, tmp_path: Path
) -> None:
    shutil.copy(FIXTURES / file, tmp_path / SAVE)
    old = saved(tmp_path)
    with Terminal(tmp_path, "--plain", "--resume") as terminal:
        for _ in range(3):
            terminal.wait_for(PROMPT)
            terminal.type("moves")
            terminal.wait_for(PROMPT)
            terminal.type(choose(listed_moves(terminal.new))[1])
        terminal.wait_for(PROMPT)
    new = saved(tmp_path)
    assert new.rounds[0] == old.rounds[0]
    assert "".join("DGSCPLM"[kind] for kind in new.rounds[1].deal.pack).startswith(deal)
    assert " ".join(map(str, new.rounds[1].moves)) == moves
    assert (new.players, new.extra) == (old.players, old.extra)


def test_a_friends_game_of_the_version_before_is_found_and_continued(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "against_friend.jsonl", tmp_path / SAVE)
    old = saved(tmp_path)
    with Terminal(tmp_path) as terminal:
        terminal.wait_for("Ann against Bob, round 1. Resume it? [Y/n]")
        terminal.type("")
        terminal.wait_for("Bob: press Enter")
        terminal.type("")
        terminal.wait_for(PROMPT)
        assert "herd ?" in terminal.screen
        terminal.type(str(saved_game(tmp_path).legal_moves()[0]))
        terminal.wait_for("Ann: press Enter")
    new = saved(tmp_path)
    assert new.herds == "hidden"
    assert new.rounds[0].moves[:-1] == old.rounds[0].moves


def test_games_are_added_to_the_file_of_the_version_before(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "finished.jsonl", tmp_path / GAMES)
    status, _, errors = play_piped(tmp_path, b"", "--resume", str(tmp_path / GAMES))
    assert (status, errors) == (2, Words().say("no_unfinished") + "\n")
    shutil.copy(FIXTURES / "against_level.jsonl", tmp_path / SAVE)
    play_piped(tmp_path, b"", "--new", *ARGUMENTS)
    with (tmp_path / GAMES).open("rb") as stream:
        assert [record.winner is None for record in read_records(stream)] == [False, True]


def test_a_finished_game_left_in_the_slot_is_moved_to_the_games(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "finished.jsonl", tmp_path / SAVE)
    play_piped(tmp_path, b"", *ARGUMENTS)
    finished = (FIXTURES / "finished.jsonl").read_text("utf-8")
    assert (tmp_path / GAMES).read_text("utf-8") == finished
    assert saved_game(tmp_path).winner is None


@pytest.mark.parametrize("text", ["", "\x00\xff", "{}", "[[[[", '{"format": "jaipur-record-1"}'])
def test_a_save_that_holds_no_game_is_set_aside(text: str, tmp_path: Path) -> None:
    (tmp_path / SAVE).write_bytes(text.encode("latin-1"))
    with Terminal(tmp_path, *ARGUMENTS) as terminal:
        terminal.wait_for("it was moved to")
        terminal.wait_for(PROMPT)
        assert "was moved to" in terminal.screen
    assert (tmp_path / "unreadable-1.jsonl").read_bytes() == text.encode("latin-1")
    assert saved_game(tmp_path).running is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": "\udcff"},
        {"milliseconds": 10**400},
        {"milliseconds": 0},
        {"first": 2},
        {"seats": ["person", "nobody"]},
        {"seats": ["greedy", "greedy"]},
    ],
)
def test_a_save_with_an_impossible_setup_is_set_aside(
    wrong: dict[str, object], tmp_path: Path
) -> None:
    play_piped(tmp_path, b"moves\n1\n", *ARGUMENTS)
    data = json.loads((tmp_path / SAVE).read_text("utf-8"))
    data["play"] |= wrong
    (tmp_path / SAVE).write_text(json.dumps(data), "utf-8")
    status, output, _ = play_piped(tmp_path, b"", *ARGUMENTS)
    assert status == 0
    assert "was moved to" in output


def test_a_save_that_cannot_be_read_stays_and_another_slot_is_used(tmp_path: Path) -> None:
    (tmp_path / SAVE).mkdir()
    status, output, _ = play_piped(tmp_path, b"moves\n1\n", *ARGUMENTS)
    assert status == 0
    assert "cannot be read: this is a folder." in " ".join(output.split())
    assert (tmp_path / "game-2.jaipur.jsonl").exists()


def test_a_slot_whose_lock_cannot_be_opened_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "game.jaipur.lock").mkdir()
    (tmp_path / SAVE).write_text("another game")
    status, _, _ = play_piped(tmp_path, b"moves\n1\n", *ARGUMENTS)
    assert status == 0
    assert (tmp_path / SAVE).read_text() == "another game"
    assert (tmp_path / "game-2.jaipur.jsonl").exists()


def test_two_terminals_save_two_games(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ARGUMENTS) as one, Terminal(tmp_path, "--seed", "other") as two:
        one.wait_for(PROMPT)
        two.wait_for(PROMPT)
        assert (tmp_path / SAVE).exists()
        assert (tmp_path / "game-2.jaipur.jsonl").exists()


def test_without_a_free_slot_no_save_is_overwritten(tmp_path: Path) -> None:
    names = ["game", *(f"game-{number}" for number in range(2, 99))]
    locks = [try_lock(tmp_path / f"{name}.jaipur.lock") for name in names]
    for name in names:
        (tmp_path / f"{name}.jaipur.jsonl").write_text("another game")
    status, output, _ = play_piped(tmp_path, b"moves\n1\n", *ARGUMENTS)
    assert status == 0
    assert "cannot be saved (Device or resource busy)" in " ".join(output.split())
    assert output.rstrip().endswith(Words().say("left.unsaved"))
    assert all((tmp_path / f"{name}.jaipur.jsonl").read_text() == "another game" for name in names)
    assert all(locks)


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with Terminal(file / "folder", *ARGUMENTS) as terminal:
        terminal.wait_for("cannot be saved")
        play_moves(terminal, "1")
        terminal.type("quit")
        terminal.end()
        assert terminal.text.rstrip().endswith(Words().say("left.unsaved"))


def test_a_file_saved_on_request_can_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    with Terminal(tmp_path / "a", *ARGUMENTS, "--lang", "it") as terminal:
        play_moves(terminal, "1", "1", f"salva {file}")
        assert str(file) in terminal.new.replace("\n", "")
        terminal.type(f"salva {tmp_path}")
        terminal.wait_for(Words("it").say("save.exists", path="").split("{")[0][:10])
        table = table_of(terminal.screen)
    with Terminal(tmp_path / "b", "--resume", str(file)) as terminal:
        terminal.wait_for(PROMPT)
        assert len(table_of(terminal.screen)) == len(table)
        assert saved(tmp_path / "b").rounds == read_record(file.read_text("utf-8")).rounds


def test_a_file_can_be_resumed_beside_a_save_that_holds_no_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    with Terminal(tmp_path, *ARGUMENTS) as terminal:
        play_moves(terminal, "1", f"save {file}")
    (tmp_path / SAVE).write_text("nonsense")
    with Terminal(tmp_path, "--resume", str(file)) as terminal:
        terminal.wait_for(PROMPT)
    assert saved(tmp_path).rounds == read_record(file.read_text("utf-8")).rounds
    assert (tmp_path / "unreadable-1.jsonl").read_text("utf-8") == "nonsense"


def test_only_a_record_that_breaks_the_rules_has_exit_status_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    play_piped(tmp_path, f"moves\n1\nsave {file}\n".encode(), *ARGUMENTS)
    file.write_text(file.read_text("utf-8").replace('"seals":[0,0]', '"seals":[1,0]'), "utf-8")
    status, _, errors = play_piped(tmp_path, b"", "--resume", str(file))
    assert (status, len(errors.splitlines())) == (1, 1)
