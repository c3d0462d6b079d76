"""Runs the `jaipur` command as users do: a real process with its exit status and output."""

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
