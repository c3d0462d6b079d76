"""Small bots, some that misbehave on purpose, and what an arena leaves behind."""

import json
import sys
from pathlib import Path

from command import jaipur

HONEST = "print(json.loads(line)['moves'][0], flush=True)"


def refused(*arguments: str | Path, text: str = "") -> str:
    """The last line of a command that must fail as unusable, in a sentence."""
    done = jaipur(*arguments, text=text)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def bot(folder: Path, body: str, before: str = "") -> str:
    """The name of a bot that does `body` with every `line`; `turn` counts them."""
    lines = ["import json, os, sys, time", *before.splitlines()]
    lines += [
        "for turn, line in enumerate(sys.stdin):",
        *(f"    {each}" for each in body.splitlines()),
    ]
    file = folder / f"bot{len(list(folder.glob('bot*.py')))}.py"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    # Isolated, so that it starts quickly.
    return f"cmd:{sys.executable} -I -S {file}"


def results(folder: Path) -> dict[str, bytes]:
    """What a finished arena leaves that no clock decides."""
    files = [folder / "results.json", folder / "ratings.svg", *folder.glob("*.jaipur.jsonl")]
    return {file.name: file.read_bytes() for file in files}


def told(folder: Path) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = json.loads((folder / "results.json").read_text())
    return found
