"""The code of docs/how-to/frameworks.md runs."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "frameworks.md"


def test_the_examples_run() -> None:
    text = PAGE.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    pattern = r"trader_\d (-1|0|1).0\ntrader_\d (-1|0|1).0\n(won|lost|draw)\n\[.*\]\n"
    assert re.fullmatch(pattern, done.stdout), done.stdout
