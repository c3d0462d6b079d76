"""Around the game: wrong moves, leaving and coming back, two at one keyboard, broken files, odd terminals."""

import os
import re
import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE, run

import pytest

from jaipur.notation import Record, read_record
from jaipur.rules import Game, Reason, Rule, letters_of
from jaipur.terminal.store import GAMES
from jaipur.words import LANGUAGES, Language, Words
from terminal.driver import CURTAIN, PLAY, PROMPT, Terminal, surroundings

KEPT = "game.jaipur.jsonl"
CTRL_C, CTRL_D = b"\x03", b"\x04"
LEFT = Words().say("left", command="jaipur play")
ASKED = ("--seed", "manners", "--against", "greedy")


def kept(data: Path) -> Record:
    return read_record((data / KEPT).read_text("utf-8"))


def game_kept(data: Path) -> Game:
    return Game.from_record(kept(data))


def table_of(screen: str) -> list[str]:
    """The drawn cards and tokens, without what is said about them."""
    return [line for line in screen.splitlines() if re.match(r" [╭│╰]| [DGSCPL] ", line)]


def play_some(terminal: Terminal, *moves: str) -> None:
    """Type moves and commands; before a number, the list it is from."""
    for move in moves:
        for typed in ("moves", move) if move.isdigit() else (move,):
            terminal.wait_for(PROMPT)
            terminal.type(typed)
    terminal.wait_for(PROMPT)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_move_gets_its_reason_in_the_language(language: Language, tmp_path: Path) -> None:
    words = Words(language)
    with Terminal(tmp_path, *ASKED, "--lang", language) as terminal:
        terminal.wait_for(PROMPT)
        for typed, rule in (
            ("+mm", Rule.CAMELS_AS_ONE),
            ("-M", Rule.CAMELS_NOT_SOLD),
            ("+DM", Rule.CAMELS_ALONE),
        ):
            terminal.type(typed)
            terminal.wait_for(words.reason(Reason(rule)))
            terminal.wait_for(PROMPT)
        before = game_kept(tmp_path)
        terminal.type("abracadabra")
        terminal.wait_for("abracadabra» ", "abracadabra\u00a0»", "“abracadabra”")
        terminal.wait_for(PROMPT)
        terminal.type("1")
        terminal.wait_for(words.say("no_list", moves=words.say("command.moves").split()[0]))
        terminal.type("moves")
        terminal.wait_for(words.say("moves.number"))
        terminal.type("9999")
        terminal.wait_for(words.say("no_such_number", n=len(before.legal_moves())))
        assert game_kept(tmp_path).rounds == before.rounds


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_a_game_left_in_the_middle_goes_on_where_it_was(key: bytes, tmp_path: Path) -> None:
    with Terminal(tmp_path, *ASKED) as terminal:
        play_some(terminal, "1", "1", "1")
        table = table_of(terminal.screen)
        terminal.press(key)
        assert terminal.end() == (130 if key == CTRL_C else 0)
        assert terminal.text.rstrip().endswith(LEFT)
    left = kept(tmp_path)
    with Terminal(tmp_path) as terminal:
        terminal.wait_for("[Y/n]")
        terminal.type("perhaps")
        terminal.wait_for("Please answer y or n, or quit.")
        terminal.type("y")
        terminal.wait_for(PROMPT)
        assert table_of(terminal.screen) == table
        assert kept(tmp_path) == left
        terminal.type("quit")
        assert terminal.end() == 0


@pytest.mark.parametrize(
    ("asked", "choice", "goes_on"),
    [(("--against", "greedy"), "[Y/n]", True), (("--against", "merchant"), "[y/N]", False)],
)
def test_whoever_asks_for_another_game_than_the_unfinished_one_is_asked_about_it(
    asked: tuple[str, str], choice: str, goes_on: bool, tmp_path: Path
) -> None:
    with Terminal(tmp_path, *ASKED) as terminal:
        play_some(terminal, "1")
    left = kept(tmp_path)
    with Terminal(tmp_path, *asked) as terminal:
        terminal.wait_for(choice)
        assert ("instead of the one you asked for" in terminal.text) == (not goes_on)
        terminal.type("quit")
        assert terminal.end() == 0
        assert terminal.text.rstrip().endswith(LEFT)
    assert kept(tmp_path) == left
    with Terminal(tmp_path, "--resume", *asked) as terminal:
        terminal.wait_for(PROMPT)
        assert ("as it was begun" in terminal.text) == (not goes_on)
        assert kept(tmp_path) == left
    with Terminal(tmp_path, *asked) as terminal:
        terminal.wait_for(choice)
        terminal.type("")
        terminal.wait_for(PROMPT)
        assert (kept(tmp_path) == left) == goes_on
        assert asked[1].capitalize() in terminal.screen


def test_a_killed_game_goes_on_as_it_would_have(tmp_path: Path) -> None:
    ends = []
    for cut in (False, True):
        data = tmp_path / str(cut)
        with Terminal(data, *ASKED) as terminal:
            play_some(terminal, "1", "1", "1")
            if cut:
                terminal.kill()
            else:
                play_some(terminal, "1", "1")
        if cut:
            with Terminal(data, "--resume") as terminal:
                play_some(terminal, "1", "1")
        ends.append(kept(data))
    assert ends[0] == ends[1]


def test_a_new_game_puts_the_unfinished_one_among_the_games(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ASKED) as terminal:
        play_some(terminal, "1")
    old = kept(tmp_path)
    with Terminal(tmp_path, "--new", "--seed", "another", "--lang", "fr") as terminal:
        terminal.wait_for(PROMPT)
    assert read_record((tmp_path / GAMES).read_text("utf-8")) == old
    assert kept(tmp_path).rounds[0].deal != old.rounds[0].deal


def test_the_curtain_hides_the_hand(tmp_path: Path) -> None:
    names = ("--name", "Ann", "--name", "Bob")
    with Terminal(tmp_path, "--against", "friend", "--first", "--seed", "9", *names) as terminal:
        for name, other in (("Ann", "Bob"), ("Bob", "Ann"), ("Ann", "Bob")):
            terminal.wait_for(f"{name}: press Enter")
            wiped = terminal.raw.rfind(CURTAIN)
            assert wiped > terminal.raw.rfind("╭─ ")
            assert "╭" not in terminal.screen
            terminal.type("")
            terminal.wait_for(PROMPT)
            strip = next(row for row in terminal.screen.splitlines() if row.startswith(f" {other}"))
            assert "▒" in strip
            hand = game_kept(tmp_path).view(0 if name == "Ann" else 1).hand
            below = terminal.screen.splitlines()[-9:]
            letters = re.findall(r"╭─ ([DGSCPL]) ", "".join(row for row in below if "╭─ " in row))
            assert letters == list(letters_of(hand))
            terminal.type(str(game_kept(tmp_path).legal_moves()[0]))
        terminal.wait_for("Bob: press Enter")
        terminal.press(CTRL_C)
        terminal.end()
        assert terminal.raw.rfind(CURTAIN) > terminal.raw.rfind("╭─ ")


@pytest.mark.parametrize("text", ["", "\x00\xff", "{}", "[[[[", '{"format": "jaipur-record-1"}'])
def test_a_save_that_makes_no_sense_is_set_aside(text: str, tmp_path: Path) -> None:
    (tmp_path / KEPT).write_bytes(text.encode("latin-1"))
    with Terminal(tmp_path, *ASKED) as terminal:
        terminal.wait_for("it was set aside as")
        terminal.wait_for(PROMPT)
        assert "set aside" in terminal.screen
    assert (tmp_path / "unreadable-1.jsonl").read_bytes() == text.encode("latin-1")
    assert game_kept(tmp_path).running is not None


def test_a_file_saved_on_request_can_be_taken_up(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    with Terminal(tmp_path / "a", *ASKED, "--lang", "it") as terminal:
        play_some(terminal, "1", "1", f"salva {file}")
        assert str(file) in terminal.new.replace("\n", "")
        terminal.type(f"salva {tmp_path}")
        terminal.wait_for(Words("it").say("save.exists", path="").split("{")[0][:10])
        table = table_of(terminal.screen)
    with Terminal(tmp_path / "b", "--resume", str(file)) as terminal:
        terminal.wait_for(PROMPT)
        assert len(table_of(terminal.screen)) == len(table)
        assert kept(tmp_path / "b").rounds == read_record(file.read_text("utf-8")).rounds


def test_a_file_can_be_taken_up_beside_a_save_that_makes_no_sense(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    with Terminal(tmp_path, *ASKED) as terminal:
        play_some(terminal, "1", f"save {file}")
    (tmp_path / KEPT).write_text("nonsense")
    with Terminal(tmp_path, "--resume", str(file)) as terminal:
        terminal.wait_for(PROMPT)
    assert kept(tmp_path).rounds == read_record(file.read_text("utf-8")).rounds
    assert (tmp_path / "unreadable-1.jsonl").read_text("utf-8") == "nonsense"


def test_two_windows_keep_two_games(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ASKED) as one, Terminal(tmp_path, "--seed", "other") as two:
        one.wait_for(PROMPT)
        two.wait_for(PROMPT)
        assert (tmp_path / KEPT).exists()
        assert (tmp_path / "game-2.jaipur.jsonl").exists()


def test_a_folder_that_cannot_be_written_costs_a_sentence_and_not_the_game(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with Terminal(file / "folder", *ASKED) as terminal:
        terminal.wait_for("cannot be kept")
        play_some(terminal, "1")
        terminal.type("quit")
        terminal.end()
        assert terminal.text.rstrip().endswith(Words().say("left.unsaved"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--against", "nobody"), "There is no player “nobody”."),
        (("--resume",), "There is no unfinished game"),
        (("--resume", "no/such/file"), "no/such/file cannot be read: there is no such file"),
        (("--resume", "/"), "/ cannot be read: this is a folder"),
        (
            ("--resume", "/dev/zero"),
            "/dev/zero holds no game that can be taken up: game 1: A record",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    with Terminal(tmp_path, *arguments) as terminal:
        assert terminal.end() == 2
        assert said in terminal.text
        assert len(terminal.text.strip().splitlines()) == 1


def piped(
    data: Path, typed: bytes, *arguments: str, **environment: str
) -> tuple[int, bytes, bytes]:
    command = [sys.executable, "-c", PLAY, *arguments]
    ended = run(
        command,
        input=typed,
        capture_output=True,
        env=surroundings(data, **environment),
        check=False,
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_without_a_terminal_nothing_is_coloured_or_wiped(tmp_path: Path) -> None:
    status, printed, complained = piped(tmp_path, b"moves\n1\nmoves\n1\n", *ASKED)
    assert (status, complained) == (0, b"")
    assert b"\x1b" not in printed
    assert printed.decode().endswith(f"{LEFT}\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_a_terminal_without_utf8_gets_what_it_can_print(encoding: str, tmp_path: Path) -> None:
    typed = b"aide\n\xff\xfe\nmoves\n1\ncoups\n"
    status, printed, complained = piped(
        tmp_path, typed, *ASKED, "--lang", "fr", PYTHONIOENCODING=encoding
    )
    assert (status, complained) == (0, b"")
    assert "+- G " in printed.decode(encoding)


def test_only_a_record_that_is_not_true_has_the_status_of_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    piped(tmp_path, f"moves\n1\nsave {file}\n".encode(), *ASKED)
    file.write_text(file.read_text("utf-8").replace('"seals":[0,0]', '"seals":[1,0]'), "utf-8")
    status, _, complained = piped(tmp_path, b"", "--resume", str(file))
    assert (status, len(complained.splitlines())) == (1, 1)


@pytest.mark.parametrize(
    "arguments", [(b"--seed", b"\xff"), (b"--time", b"10000001"), (b"--time", b"9" * 401)]
)
def test_arguments_without_sense_are_refused(
    arguments: tuple[bytes, bytes], tmp_path: Path
) -> None:
    status, printed, complained = piped(tmp_path, b"", *map(os.fsdecode, arguments))
    assert (status, printed) == (2, b"")
    assert b"Traceback" not in complained
    assert b"argument " + arguments[0] in complained


def test_a_kept_game_of_a_seed_without_sense_is_set_aside(tmp_path: Path) -> None:
    piped(tmp_path, b"moves\n1\n", *ASKED)
    file = tmp_path / KEPT
    file.write_text(file.read_text("utf-8").replace('"manners"', '"\\udcff"'), "utf-8")
    status, printed, _ = piped(tmp_path, b"", *ASKED)
    assert status == 0
    assert b"set aside" in printed


def test_a_kept_game_that_cannot_be_read_is_said_and_stays(tmp_path: Path) -> None:
    (tmp_path / KEPT).mkdir()
    status, printed, _ = piped(tmp_path, b"moves\n1\n", *ASKED)
    assert status == 0
    assert "cannot be read: this is a folder." in " ".join(printed.decode().split())
    assert (tmp_path / "game-2.jaipur.jsonl").exists()


def test_friends_without_a_terminal_do_not_see_each_others_hands(tmp_path: Path) -> None:
    _, printed, _ = piped(
        tmp_path, b"\nmoves\n1\n\nmoves\n1\n", "--new", "--against", "friend", TERM="dumb"
    )
    before, hidden, _ = printed.decode().rpartition("Pass the keyboard")
    assert hidden
    assert before.rpartition("╭─ ")[2].count("\n") > 200
    assert printed.decode().count("\n" * 200) == 4  # three curtains and the end


def test_a_line_without_end_ends_the_game(tmp_path: Path) -> None:
    status, printed, _ = piped(tmp_path, b"\0" * 200_000, *ASKED)
    assert status == 0
    assert printed.decode().endswith(f"{LEFT}\n")


def test_output_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PLAY, "--new", "--plain"]
    with Path("/dev/full").open("wb") as full:
        ended = run(
            command,
            stdin=DEVNULL,
            stdout=full,
            stderr=PIPE,
            env=surroundings(tmp_path),
            check=False,
        )
    assert ended.returncode == 2
    assert ended.stderr.decode() == "The game stops here: the disk is full.\n"


def test_no_columns_are_as_good_as_unmeasured_ones(tmp_path: Path) -> None:
    _, printed, _ = piped(tmp_path, b"", *ASKED, COLUMNS="0", LINES="0")
    assert "╭─ " in printed.decode()


@pytest.mark.parametrize(("language", "you"), [("en", "you"), ("fr", "vous"), ("it", "tu")])
def test_the_question_about_a_game_has_no_capital_in_its_middle(
    language: Language, you: str, tmp_path: Path
) -> None:
    piped(tmp_path, b"moves\n1\n", *ASKED)
    _, printed, _ = piped(tmp_path, b"", "--lang", language)
    question, found, _ = printed.decode().partition(Words(language).say("level.name.greedy"))
    assert found
    assert f" {you} " in question
