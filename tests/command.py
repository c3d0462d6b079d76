"""Running the `jaipur` command as its users do: a real process, its exit status and what it prints."""

import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "jaipur"]


def jaipur(*arguments: str | Path, text: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        check=False,
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
    )
