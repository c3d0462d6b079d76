"""`jaipur arena` as users run it: real processes, interrupted and resumed, with identical results."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.running import HONEST, bot, read_results, refused, results
from command import COMMAND, jaipur
from jaipur.notation import read_records
from jaipur.rules import Game

FIXTURE = Path(__file__).parents[1] / "fixtures" / "arena-0.1.0"
ARENA = ("arena", "--players", "random", "merchant", "apprentice", "--pairs", "12", "--seed", "5")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an uninterrupted arena in one process."""
    folder = tmp_path_factory.mktemp("whole")
    done = jaipur(*ARENA, "--jobs", "1", "--out", folder)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [f"jaipur: {where(folder)}"]
    assert done.stdout == (folder / "results.md").read_text("utf-8")
    return folder


def where(folder: Path) -> str:
    """The last message of an arena."""
    return f"Results, records and a chart of the ratings are in {folder}."


def test_results_are_the_same_bytes_with_two_processes(whole: Path, tmp_path: Path) -> None:
    assert jaipur(*ARENA, "--jobs", "2", "--out", tmp_path).returncode == 0
    assert results(tmp_path) == results(whole)
    assert len(results(whole)) == 5


def test_every_record_replays_and_pairs_are_in_order(whole: Path) -> None:
    for file in sorted(whole.glob("*.jaipur.jsonl")):
        with file.open("rb") as stream:
            records = list(read_records(stream))
        assert [record.extra["pair"] for record in records] == [n // 2 for n in range(24)]
        for record in records:
            Game.from_record(record)


def test_every_player_meets_every_other_and_the_strongest_is_rated_first(whole: Path) -> None:
    found = read_results(whole)
    assert [match["players"] for match in found["matches"]] == [
        ["random", "merchant"],
        ["random", "apprentice"],
        ["merchant", "apprentice"],
    ]
    ratings = {str(rated["player"]): rated["value"] for rated in found["ratings"]}
    assert max(ratings, key=lambda name: float(str(ratings[name]))) == "merchant"


def test_the_chart_is_well_formed_and_names_all_players(whole: Path) -> None:
    chart = (whole / "ratings.svg").read_text("utf-8")
    ElementTree.fromstring(chart)
    for name in ("random", "merchant", "apprentice"):
        assert f">{name}</text>" in chart


@pytest.mark.parametrize(
    ("stop", "jobs"),
    [(signal.SIGINT, "2"), (signal.SIGTERM, "1"), (signal.SIGKILL, "1"), (signal.SIGKILL, "2")],
)
def test_an_interrupted_arena_resumes_to_the_same_results(
    whole: Path, tmp_path: Path, stop: signal.Signals, jobs: str
) -> None:
    command = [*COMMAND, *ARENA, "--jobs", jobs, "--out", str(tmp_path)]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as arena:
        wait_for_pairs(tmp_path, 5)
        arena.send_signal(stop)
        _, error = arena.communicate(timeout=20)
    saved = lines(tmp_path)
    assert 5 <= saved < 36
    assert not (tmp_path / "results.json").exists()
    if stop != signal.SIGKILL:
        assert arena.returncode == 130
        # A signal between writing and counting a pair leaves it written but not counted.
        assert any(f"{count} of 36 pairs are saved" in error for count in (saved, saved - 1))
        assert "Traceback" not in error
    for before, played in (
        (saved, f"{36 - saved} are new"),
        (36, "none was missing"),
    ):
        done = jaipur(*ARENA, "--jobs", "2", "--out", tmp_path)
        assert done.returncode == 0
        expected = f"jaipur: {before} pairs were there already; {played}. {where(tmp_path)}\n"
        assert done.stderr == expected
    assert lines(tmp_path) == 36
    assert results(tmp_path) == results(whole)


def test_adding_pairs_to_an_arena_gives_the_same_results_as_one_run(
    whole: Path, tmp_path: Path
) -> None:
    fewer = ["7" if word == "12" else word for word in ARENA]
    for arguments in (fewer, ARENA):
        assert jaipur(*arguments, "--jobs", "2", "--out", tmp_path).returncode == 0
    assert results(tmp_path) == results(whole)


def test_an_arena_of_version_0_1_0_resumes_to_the_same_results(tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "arena")
    players = ("arena", "--players", "merchant", "random", "--seed", "7", "--pairs", "4")
    done = jaipur(*players, "--jobs", "1", "--out", tmp_path / "arena")
    assert done.returncode == 0
    assert "2 pairs were there already; 2 are new." in done.stderr
    records = "01-merchant-random.jaipur.jsonl"
    expected = FIXTURE / "expected"
    assert (tmp_path / "arena" / records).read_bytes() == (expected / records).read_bytes()
    for part in ("matches", "ratings"):
        assert read_results(tmp_path / "arena")[part] == read_results(expected)[part]


def lines(folder: Path) -> int:
    file = folder / "pairs.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def wait_for_pairs(folder: Path, pairs: int) -> None:
    deadline = time.monotonic() + 20
    while lines(folder) < pairs and time.monotonic() < deadline:
        time.sleep(0.002)


def test_a_killed_arena_leaves_no_process_behind(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.mkdir()
    before = f"open({str(seen)!r} + '/' + str(os.getpid()), 'w').close()"
    patient = bot(tmp_path, f"time.sleep(0.05)\n{HONEST}", before)
    out = tmp_path / "out"
    command = [*COMMAND, "arena", "--players", patient, "random", "--jobs", "2", "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as arena:
        deadline = time.monotonic() + 20
        while len(list(seen.iterdir())) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        arena.kill()
    bots = [int(file.name) for file in seen.iterdir()]
    deadline = time.monotonic() + 5
    while any(map(alive, [arena.pid, *bots])) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(bots) >= 2
    assert not any(map(alive, bots))
    # The workers belong to the process group of the arena.
    assert not group_alive(arena.pid)


def alive(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    if stat.exists():
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return not Path("/proc/self").exists()


def group_alive(group: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return False
        time.sleep(0.05)
    return True


def test_until_stops_the_arena_and_its_answer_does_not_depend_on_the_number_of_processes(
    tmp_path: Path,
) -> None:
    players = ("arena", "--players", "merchant", "random")
    arguments = (*players, "--pairs", "200", "--seed", "0", "--until", "55%")
    for jobs in ("1", "2"):
        done = jaipur(*arguments, "--jobs", jobs, "--out", tmp_path / jobs)
        assert (
            "Does merchant win more than 55 % of the rounds against random? **Yes**" in done.stdout
        )
    assert results(tmp_path / "1") == results(tmp_path / "2")
    assert lines(tmp_path / "1") < 50
    again = jaipur(*arguments, "--jobs", "2", "--out", tmp_path / "1")
    assert again.returncode == 0
    assert results(tmp_path / "1") == results(tmp_path / "2")


def test_reports_of_whole_games_count_games(tmp_path: Path) -> None:
    done = jaipur(
        *("arena", "--games", "--players", "merchant", "random", "--pairs", "4", "--seed", "1"),
        *("--until", "55%", "--out", tmp_path),
    )
    assert "Does merchant win more than 55 % of the games against random?" in done.stdout
    assert "lead of the first player per game" in done.stdout
    assert "round" not in done.stdout
    assert read_results(tmp_path)["matches"][0]["games"] == 8
    with (tmp_path / "01-merchant-random.jaipur.jsonl").open("rb") as stream:
        assert all(max(record.seals) == 2 for record in read_records(stream))


def test_a_bot_that_forfeits_loses_its_rounds_and_the_arena_continues(tmp_path: Path) -> None:
    silent = bot(tmp_path, "turn < 2 or time.sleep(60)\n" + HONEST)
    players = ("arena", "--players", silent, "random", "--pairs", "1", "--limit", "0.1")
    assert jaipur(*players, "--jobs", "1", "--out", tmp_path / "out").returncode == 0
    (match,) = read_results(tmp_path / "out")["matches"]
    assert (match["won"], match["lost"], match["forfeits"]) == (0, 2, [{"late": 2}, {}])
    assert match["rupees"] is None
    assert "2 late" in (tmp_path / "out" / "results.md").read_text("utf-8")
    (file,) = (tmp_path / "out").glob("*.jaipur.jsonl")
    checked = jaipur("replay", file)
    assert checked.returncode == 0, checked.stderr


def test_time_and_iterations_reach_the_players(tmp_path: Path) -> None:
    echo = bot(tmp_path, f"open({str(tmp_path / 'asked')!r}, 'w').write(line)\n{HONEST}")
    for option, budget in (
        (("--time", "20"), '"budget":{"seconds":0.02,"iterations":null}'),
        (("--iterations", "7"), '"budget":{"seconds":null,"iterations":7}'),
    ):
        command = ("arena", "--players", echo, "random", "--pairs", "1", "--jobs", "1", *option)
        assert jaipur(*command, "--out", tmp_path / option[0]).returncode == 0
        assert budget in (tmp_path / "asked").read_text()


def test_a_player_may_meet_itself(tmp_path: Path) -> None:
    twins = ("arena", "--players", "random", "random", "--pairs", "3", "--jobs", "1")
    assert jaipur(*twins, "--out", tmp_path).returncode == 0
    assert read_results(tmp_path)["matches"][0]["players"] == ["random", "random (2)"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--players", "random"], "An arena needs at least two players."),
        (["--players", "random", "nobody"], "There is no player “nobody”"),
        (["--players", "random", "cmd:no-such-program"], "There is no program"),
        (["--players", "random", "greedy", "random", "--until", "55%"], "exactly two players"),
        (["--players", "random", "greedy", "--until", "120%"], "not a share such as 55%"),
        (["--players", "random", "greedy", "--until", "55"], "not a share such as 55%"),
        (["--players", "random", "greedy", "--pairs", "0"], "less than 1"),
        (["--players", "random", "greedy", "--time", "5", "--iterations", "5"], "not allowed with"),
        (["--players", "random", "greedy", "--limit", "nan"], "not a number of seconds"),
    ],
)
def test_bad_arguments_end_in_one_sentence(
    tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    assert sentence in refused("arena", *arguments, "--out", tmp_path)


def test_a_file_or_the_folder_of_another_arena_is_refused(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "file" in refused(*ARENA, "--out", tmp_path / "file")
    error = refused(*ARENA[:-1], "6", "--out", whole)
    assert "holds an arena with other settings (seed)" in error
