"""Helpers for arena tests: small bots, and reading the results of an arena."""

import json
import sys
from pathlib import Path

from command import jaipur

HONEST = "print(json.loads(line)['moves'][0], flush=True)"


def refused(*arguments: str | Path, text: str = "") -> str:
    """The last line of a command that must fail with status 2."""
    done = jaipur(*arguments, text=text)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def bot(folder: Path, body: str, before: str = "") -> str:
    """The name of a bot that runs `body` for every `line`; `turn` counts the lines."""
    lines = ["import json, os, sys, time", *before.splitlines()]
    lines += [
        "for turn, line in enumerate(sys.stdin):",
        *(f"    {each}" for each in body.splitlines()),
    ]
    file = folder / f"bot{len(list(folder.glob('bot*.py')))}.py"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    # Isolated mode starts faster.
    return f"cmd:{sys.executable} -I -S {file}"


def results(folder: Path) -> dict[str, bytes]:
    """The result files that contain no measured times."""
    files = [folder / "results.json", folder / "ratings.svg", *folder.glob("*.jaipur.jsonl")]
    return {file.name: file.read_bytes() for file in files}


def read_results(folder: Path) -> dict[str, list[dict[str, object]]]:
    data: dict[str, list[dict[str, object]]] = json.loads((folder / "results.json").read_text())
    return data
