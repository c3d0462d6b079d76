"""docs/how-to/simulation.md: the code runs, and the tables match the code."""

import re
import subprocess
import sys
from pathlib import Path

from jaipur.simulation import LAYOUT_VERSION, STATE_DTYPE, WIDTH

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "simulation.md").read_text(encoding="utf-8")


def test_the_examples_run_and_the_linear_player_beats_random() -> None:
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    shares = re.findall(
        r"^Against random the linear player wins ([0-9.]+)% of", done.stdout, re.MULTILINE
    )
    assert [float(share) > 70 for share in shares] == [True], done.stdout


def test_the_layout_table_matches_the_dtype() -> None:
    documented = re.findall(r"^\| `(\w+)` \| (int\d+)(?: × (\d+))? \|", PAGE, re.MULTILINE)
    expected = []
    for name in STATE_DTYPE.names or ():
        kind = STATE_DTYPE[name]
        expected.append((name, kind.base.name, "".join(map(str, kind.shape))))
    assert documented == expected
    assert f"Version {LAYOUT_VERSION}," in PAGE
    assert f"{STATE_DTYPE.itemsize} bytes each" in PAGE
    assert f"A row has {WIDTH} numbers" in PAGE
