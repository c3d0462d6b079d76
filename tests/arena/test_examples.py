"""The programs in examples/ run and give the expected results."""

import subprocess
import sys
from pathlib import Path

from arena.running import read_results
from command import jaipur

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_ten_line_bot_beats_random(tmp_path: Path) -> None:
    name = f"cmd:{sys.executable} {EXAMPLES / 'ten_line_bot.py'}"
    command = ("arena", "--players", name, "random", "--pairs", "10", "--out", tmp_path)
    assert jaipur(*command).returncode == 0
    (match,) = read_results(tmp_path)["matches"]
    assert int(str(match["won"])) >= 15
    assert match["forfeits"] == [{}, {}]


def test_the_example_player_is_measured() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "own_player.py"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("The patient player takes ")
    assert "of 50 rounds (95 % interval" in done.stdout
