"""The command lines in `scripts/` that print measurements."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from jaipur.cli import main

SCRIPTS = Path(__file__).parents[2] / "scripts"
GAIN = r"[+-]\d+\.\d\d % ± \d+\.\d\d"


def run(name: str, *arguments: object) -> str:
    command = [sys.executable, str(SCRIPTS / f"{name}.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_thinking_prints_the_gain_of_every_time() -> None:
    output = run("thinking", "--positions", 2, "--times", 0.01, 0.02, "--jobs", 1)
    assert re.search(rf"^\| 0\.01 s \| {GAIN} \|  \|$", output, re.MULTILINE)
    assert re.search(rf"^\| 0\.02 s \| {GAIN} \| {GAIN} \|$", output, re.MULTILINE)


def test_luck_prints_the_win_rates_of_an_arena_with_and_without_correction(tmp_path: Path) -> None:
    arena = ["arena", "--players", "random", "peddler", "--pairs", "3", "--seed", "1"]
    assert main([*arena, "--out", str(tmp_path)]) == 0
    (file,) = tmp_path.glob("*.jaipur.jsonl")
    (row,) = re.findall(r"^\| peddler \| random \| 3 \| .*$", run("luck", file), re.MULTILINE)
    win_rate, corrected = re.findall(r"(-?\d+\.\d) % ±", row)
    assert float(win_rate) * 6 % 50 == pytest.approx(0, abs=0.5)
    assert -50 < float(corrected) < 150


def test_calibration_prints_bins_and_draws_them(tmp_path: Path) -> None:
    picture = tmp_path / "calibration.svg"
    output = run("calibration", "--positions", 8, "--out", picture)
    assert re.search(r"^\| \d+\.\d % \| \d+\.\d % \| \d+ \|$", output, re.MULTILINE)
    assert picture.read_text("utf-8").startswith("<svg ")
