"""The `jaipur` command as users run it: real processes, their exit status and their output."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from command import COMMAND, jaipur
from jaipur import __version__


def refused(*arguments: str | Path, text: str = "") -> tuple[int, str]:
    """The exit status and the last line of a command that must fail."""
    done = jaipur(*arguments, text=text)
    lines = done.stderr.splitlines()
    assert "Traceback" not in done.stderr
    assert lines
    return done.returncode, lines[-1]


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of seven random games."""
    file = tmp_path_factory.mktemp("games") / "games.jaipur.jsonl"
    done = jaipur("simulate", "--players", "random", "random", "--games", "7", "--records", file)
    assert done.returncode == 0, done.stderr
    return file


def test_help_and_version() -> None:
    shown = jaipur("--help")
    assert shown.returncode == 0
    for command in ("simulate", "replay", "moves", "show", "perft"):
        assert command in shown.stdout
    assert jaipur("--version").stdout == f"jaipur {__version__}\n"


def test_messages_name_the_command_as_it_was_called(tmp_path: Path) -> None:
    environment = os.environ | {"JAIPUR_DATA": str(tmp_path), "JAIPUR_COMMAND": "./jaipur"}
    play = [*COMMAND, "play", "--plain", "--lang", "en"]
    message = subprocess.check_output(play, env=environment, input="quit\n", text=True)
    assert message.endswith("The game is saved; “./jaipur play” resumes it.\n")


def test_simulated_games_replay(games: Path) -> None:
    done = jaipur("replay", games)
    assert done.returncode == 0
    assert done.stdout.startswith("All right. Games: 7, ")


def test_a_summary_has_seals_rupees_lengths_ends_and_the_starters_share() -> None:
    done = jaipur("simulate", "--players", "random", "random", "--games", "5")
    for words in (
        "games won",
        "seals",
        "rupees",
        "Moves per round",
        "ended by",
        "The starting player won",
    ):
        assert words in done.stdout


def test_the_same_seed_gives_the_same_games_for_any_number_of_jobs(tmp_path: Path) -> None:
    simulate = ("simulate", "--players", "random", "random", "--games", "45", "--seed", "9")
    one = jaipur(*simulate, "--jobs", "1", "--records", tmp_path / "one")
    two = jaipur(*simulate, "--jobs", "2", "--records", tmp_path / "two")
    assert one.stdout == two.stdout
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    other = jaipur(*simulate[:-1], "10", "--records", tmp_path / "other")
    assert other.returncode == 0
    assert (tmp_path / "one").read_bytes() != (tmp_path / "other").read_bytes()


def test_moves_prints_one_line_per_game(games: Path, tmp_path: Path) -> None:
    lines = games.read_text().splitlines()
    running = json.loads(lines[0])
    running["rounds"] = running["rounds"][:1]
    running["rounds"][0]["moves"] = []
    running["rounds"][0] |= {"ended": None, "camel_token": None, "rupees": None, "seal": None}
    running |= {"seals": [0, 0], "winner": None}
    (tmp_path / "mixed").write_text(f"{lines[0]}\n{json.dumps(running)}\n")
    done = jaipur("moves", tmp_path / "mixed")
    finished, begun = done.stdout.split("\n")[:2]
    assert finished == ""
    assert begun.startswith("+")
    assert " +M " in f" {begun} "


def test_show_draws_from_above_and_from_a_seat(games: Path) -> None:
    above = jaipur("show", games, "--game", "2", "--round", "1", "--move", "5").stdout
    seat = jaipur("show", games, "--game", "2", "--round", "1", "--move", "5", "--seat", "1").stdout
    assert "after move 5" in above
    assert "  market " in above
    assert "cards" not in above
    assert "  deck     3" in seat
    assert seat.count(" cards") == 2


def test_show_reports_missing_games_rounds_and_moves(games: Path) -> None:
    assert refused("show", games, "--game", "99") == (
        2,
        "jaipur: There is no game 99: the file has 7.",
    )
    assert "There is no round 9" in refused("show", games, "--round", "9")[1]
    assert "There is no move 9999" in refused("show", games, "--move", "9999")[1]


def test_perft_counts_and_divides(games: Path) -> None:
    done = jaipur("perft", "--seed", "1", "--depth", "2", "--divide")
    counts = [line for line in done.stdout.splitlines() if line.startswith("depth")]
    divided = [int(line.split()[-1]) for line in done.stdout.splitlines() if line[0] in "+-"]
    assert len(counts) == 2
    assert f" {sum(divided):,} " in counts[1]
    assert "depth 1:" in jaipur("perft", games, "--move", "3", "--depth", "1").stdout


def test_a_wrong_record_is_reported_with_status_1(games: Path, tmp_path: Path) -> None:
    lines = games.read_text().splitlines()
    wrong = json.loads(lines[2])
    wrong["rounds"][1]["moves"][16] = "-DDDDDD"
    lines[2] = json.dumps(wrong)
    (tmp_path / "wrong").write_text("\n".join(lines))
    status, message = refused("replay", tmp_path / "wrong")
    assert status == 1
    assert message.startswith("jaipur: game 3, round 2, move 17 (-DDDDDD): ")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("{\n", 2),
        ("\x00\n", 2),
        ('{"format": "jaipur-record-9"}\n', 2),
        ("[" * 200_000, 2),
        ("x" * 20_000_000, 2),
    ],
)
@pytest.mark.parametrize("command", ["replay", "moves", "show"])
def test_an_unreadable_file_gets_one_sentence(command: str, text: str, status: int) -> None:
    done = jaipur(command, "-", text=text)
    assert done.returncode == status
    assert done.stderr.startswith("jaipur: game 1: ")
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 300


def test_a_truncated_file_is_unreadable(games: Path, tmp_path: Path) -> None:
    (tmp_path / "cut").write_bytes(games.read_bytes()[:-40])
    status, message = refused("replay", tmp_path / "cut")
    assert status == 2
    assert message.startswith("jaipur: game 7: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["replay", "/nowhere/at/all"], "No such file"),
        (["replay", "/"], "Is a directory"),
        (["simulate", "--players", "random", "nobody"], "There is no player “nobody”"),
        (["simulate", "--players", "random", "random", "--games", "0"], "0 is less than 1"),
        (["simulate", "--players", "random", "random", "--games", "ten"], "is not a whole number"),
        (
            ["simulate", "--players", "random", "random", "--records", "/nowhere/file"],
            "No such file",
        ),
        (["juggle"], "juggle"),
        (["perft", "--depth", "-1"], "less than 1"),
    ],
)
def test_bad_arguments_are_reported_with_status_2(arguments: list[str], message: str) -> None:
    status, line = refused(*arguments)
    assert status == 2
    assert message in line


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_simulation_leaves_nothing_half_written(
    tmp_path: Path, jobs: str, stop: signal.Signals
) -> None:
    (tmp_path / "games").write_text("what was there before\n")
    simulate = ["simulate", "--players", "random", "random", "--games", "1000000", "--jobs", jobs]
    process = subprocess.Popen(
        [*COMMAND, *simulate, "--records", str(tmp_path / "games")],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    _wait_for(lambda: any(part.stat().st_size for part in tmp_path.glob(".games*.part")))
    os.killpg(process.pid, stop)
    _, message = process.communicate(timeout=30)
    assert process.returncode == 130
    assert message == "jaipur: Interrupted.\n"
    assert [file.name for file in tmp_path.iterdir()] == ["games"]
    assert (tmp_path / "games").read_text() == "what was there before\n"


def _wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)


def test_a_reader_that_leaves_is_no_error(games: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "show", str(games)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(30) == 0
    process.stderr.close()


def shell(line: str) -> subprocess.CompletedProcess[str]:
    command = line.replace("jaipur", f"{sys.executable} -m jaipur", 1)
    return subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("jaipur replay - <&-", 0),
        ("jaipur replay /nowhere 2>&-", 2),
        ("jaipur simulate --players random random --games 1 2>&-", 0),
        ("jaipur simulate --players random random --games 1 >&-", 0),
        ("jaipur simulate --players random random --games 1 >/dev/full", 2),
        ("jaipur --help >/dev/full", 2),
        ("jaipur serve --help >/dev/full", 2),
        ("jaipur --version >/dev/full", 2),
        ("PYTHONUNBUFFERED=1 jaipur --help >/dev/full", 2),
        ("jaipur --help | true", 0),
        ("jaipur player random <&-", 0),
        ("jaipur simulate --players cmd:false random --games 2 --jobs 2", 1),
        ("jaipur simulate --players random random --jobs 3000000000", 2),
        ("jaipur arena --players random random --time 9999999999999 --out /nowhere", 2),
        ("jaipur arena --players nobody random --out /nowhere", 2),
    ],
)
def test_closed_streams_full_disks_and_bad_bots_end_without_a_traceback(
    line: str, status: int
) -> None:
    done = shell(line)
    assert "Traceback" not in done.stderr
    assert done.returncode == status


def test_characters_the_terminal_cannot_show_are_replaced(games: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "show", str(games)],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert b"random ? random" in done.stdout


def test_control_characters_of_a_file_are_not_printed() -> None:
    done = jaipur("replay", "-", text='{"\\u001b[31m":1,"\\u001b[31m":2}')
    assert done.returncode == 2
    assert done.stderr.strip().isprintable()
