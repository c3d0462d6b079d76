"""Playing: refused moves, two people at one keyboard, unusual terminals and wrong arguments."""

import os
import re
import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE, run

import pytest

from jaipur.notation import read_record
from jaipur.rules import Game, Reason, Rule
from jaipur.rules.cards import letters_of
from jaipur.terminal.app import PlayOptions, play
from jaipur.words import LANGUAGES, Language, Words
from terminal.driver import (
    CLEAR_SCROLLBACK,
    CTRL_C,
    PLAY,
    PROMPT,
    Terminal,
    child_environment,
    play_piped,
)

LEFT = Words().say("left", command="jaipur play")
ARGUMENTS = ("--seed", "manners", "--against", "greedy")


def saved_game(data: Path) -> Game:
    return Game.from_record(read_record((data / "game.jaipur.jsonl").read_text("utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_move_gets_its_reason_in_the_language(language: Language, tmp_path: Path) -> None:
    words = Words(language)
    with Terminal(tmp_path, *ARGUMENTS, "--lang", language) as terminal:
        terminal.wait_for(PROMPT)
        for typed, rule in (
            ("+mm", Rule.CAMELS_AS_ONE),
            ("-M", Rule.CAMELS_NOT_SOLD),
            ("+DM", Rule.CAMELS_ALONE),
        ):
            terminal.type(typed)
            terminal.wait_for(words.reason(Reason(rule)))
            terminal.wait_for(PROMPT)
        before = saved_game(tmp_path)
        terminal.type("abracadabra")
        terminal.wait_for("abracadabra» ", "abracadabra\u00a0»", "“abracadabra”")
        terminal.wait_for(PROMPT)
        terminal.type("1")
        terminal.wait_for(words.say("no_list", moves=words.say("command.moves").split()[0]))
        terminal.type("moves")
        terminal.wait_for(words.say("moves.number"))
        terminal.type("9999")
        terminal.wait_for(words.say("no_such_number", n=len(before.legal_moves())))
        assert saved_game(tmp_path).rounds == before.rounds


def test_the_curtain_hides_the_hand(tmp_path: Path) -> None:
    names = ("--name", "Ann", "--name", "Bob")
    with Terminal(tmp_path, "--against", "friend", "--first", "--seed", "9", *names) as terminal:
        for name, other in (("Ann", "Bob"), ("Bob", "Ann"), ("Ann", "Bob")):
            terminal.wait_for(f"{name}: press Enter")
            cleared = terminal.raw.rfind(CLEAR_SCROLLBACK)
            assert cleared > terminal.raw.rfind("╭─ ")
            assert "╭" not in terminal.screen
            terminal.type("")
            terminal.wait_for(PROMPT)
            row = next(row for row in terminal.screen.splitlines() if row.startswith(f" {other}"))
            assert "▒" in row
            hand = saved_game(tmp_path).view(0 if name == "Ann" else 1).hand
            below = terminal.screen.splitlines()[-9:]
            letters = re.findall(r"╭─ ([DGSCPL]) ", "".join(row for row in below if "╭─ " in row))
            assert letters == list(letters_of(hand))
            terminal.type(str(saved_game(tmp_path).legal_moves()[0]))
        terminal.wait_for("Bob: press Enter")
        terminal.press(CTRL_C)
        terminal.end()
        assert terminal.raw.rfind(CLEAR_SCROLLBACK) > terminal.raw.rfind("╭─ ")


def test_friends_without_a_terminal_do_not_see_each_others_hands(tmp_path: Path) -> None:
    typed = b"\nmoves\n1\n\nmoves\n1\n"
    _, output, _ = play_piped(tmp_path, typed, "--new", "--against", "friend", TERM="dumb")
    before, curtain, _ = output.rpartition("Pass the keyboard")
    assert curtain
    assert before.rpartition("╭─ ")[2].count("\n") > 200
    assert output.count("\n" * 200) == 4  # three curtains and the end


def test_without_a_terminal_nothing_is_coloured_or_cleared(tmp_path: Path) -> None:
    status, output, errors = play_piped(tmp_path, b"moves\n1\nmoves\n1\n", *ARGUMENTS)
    assert (status, errors) == (0, "")
    assert "\x1b" not in output
    assert output.endswith(f"{LEFT}\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_a_terminal_without_utf8_gets_characters_it_has(encoding: str, tmp_path: Path) -> None:
    typed = b"aide\n\xff\xfe\nmoves\n1\ncoups\n"
    arguments = (*ARGUMENTS, "--lang", "fr")
    status, output, errors = play_piped(tmp_path, typed, *arguments, PYTHONIOENCODING=encoding)
    assert (status, errors) == (0, "")
    assert "+- G " in output


def test_an_endless_line_ends_the_game(tmp_path: Path) -> None:
    status, output, _ = play_piped(tmp_path, b"\0" * 200_000, *ARGUMENTS)
    assert status == 0
    assert output.endswith(f"{LEFT}\n")


def test_a_size_of_zero_counts_as_unknown(tmp_path: Path) -> None:
    _, output, _ = play_piped(tmp_path, b"", *ARGUMENTS, COLUMNS="0", LINES="0")
    assert "╭─ " in output


def test_output_that_cannot_be_written_ends_in_one_sentence(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = run(
            [sys.executable, "-c", PLAY, "--new", "--plain"],
            stdin=DEVNULL,
            stdout=full,
            stderr=PIPE,
            env=child_environment(tmp_path),
            check=False,
        )
    assert ended.returncode == 2
    assert ended.stderr.decode() == "The game stops here: the disk is full.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--against", "nobody"), "There is no player “nobody”."),
        (("--resume",), "There is no unfinished game"),
        (("--resume", "no/such/file"), "no/such/file cannot be read: there is no such file"),
        (("--resume", "/"), "/ cannot be read: this is a folder"),
        (
            ("--resume", "/dev/zero"),
            "/dev/zero has no game to resume: game 1: A record",
        ),
    ],
)
def test_an_impossible_request_ends_in_one_sentence(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    with Terminal(tmp_path, *arguments) as terminal:
        assert terminal.end() == 2
        assert sentence in terminal.text
        assert len(terminal.text.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [(b"--seed", b"\xff"), (b"--time", b"10000001"), (b"--time", b"9" * 401)]
)
def test_wrong_arguments_are_refused(arguments: tuple[bytes, bytes], tmp_path: Path) -> None:
    status, output, errors = play_piped(tmp_path, b"", *map(os.fsdecode, arguments))
    assert (status, output) == (2, "")
    assert "Traceback" not in errors
    assert f"argument {os.fsdecode(arguments[0])}" in errors


def test_without_an_input_nobody_can_play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert play(PlayOptions(), {}) == 2
    assert capsys.readouterr().err == Words().say("closed") + "\n"
