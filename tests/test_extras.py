"""A missing extra is reported in one sentence that names it, and players need none."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOSTING = ("asyncpg", "greenlet", "httptools", "prometheus_client", "redis", "uvloop")
OTHERS = ("alembic", "gymnasium", "jax", "numba", "numba_cuda", "pettingzoo", "pyspiel")


def run_without(modules: tuple[str, ...], code: str) -> "subprocess.CompletedProcess[str]":
    """Run Python code in a process that cannot import these modules."""
    block = f"import sys; sys.modules.update(dict.fromkeys({modules!r}))\n"
    return subprocess.run(
        [sys.executable, "-c", block + code],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def command(*arguments: str) -> str:
    return f"from jaipur.cli import main; sys.exit(main({list(arguments)!r}))"


@pytest.mark.parametrize(
    ("extra", "module", "code"),
    [
        ("fast", "numba", command("simulate", "--fast", "--players", "random", "random")),
        ("fast", "numba", "from jaipur.simulation import Batch; Batch(1)"),
        ("gpu", "numba_cuda", "from jaipur.simulation import Batch; Batch(1, device='gpu')"),
        ("train", "jax", command("train", "--config", "x", "--minutes", "1", "--out", "x")),
        ("hosting", "asyncpg", command("serve", "--database", "postgresql://localhost/jaipur")),
        ("hosting", "greenlet", command("serve", "--database", "postgresql://localhost/jaipur")),
        ("hosting", "redis", command("serve", "--redis", "redis://localhost")),
        ("pettingzoo", "pettingzoo", "import jaipur.envs.pettingzoo"),
        ("gymnasium", "gymnasium", "import jaipur.envs.gymnasium"),
        ("openspiel", "pyspiel", "import jaipur.envs.openspiel"),
    ],
)
def test_a_missing_extra_is_named_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: str, module: str, code: str
) -> None:
    monkeypatch.setenv("JAIPUR_DATA", str(tmp_path))
    done = run_without((module, f"{module}.cuda"), code)
    assert done.returncode
    sentence = done.stderr.splitlines()[-1]
    assert f"jaipur[{extra}]" in sentence
    assert sentence.endswith(".")


def test_every_extra_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    tested = {"fast", "gpu", "train", "hosting", "pettingzoo", "gymnasium", "openspiel"}
    assert set(project["optional-dependencies"]) == tested


def test_without_extras_the_table_opens_and_a_move_is_played(tmp_path: Path) -> None:
    server = f"import sys; sys.modules.update(dict.fromkeys({HOSTING + OTHERS!r}))\n" + command(
        "--no-browser"
    )
    with subprocess.Popen(
        [sys.executable, "-c", server],
        env=os.environ | {"JAIPUR_DATA": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[5]
            bot = ROOT / "examples" / "table_bot.py"
            played = subprocess.run(
                [sys.executable, bot, address, "--level", "greedy"],
                capture_output=True,
                text=True,
                check=False,
                timeout=120,
            )
            assert played.returncode == 0, played.stderr
        finally:
            process.kill()
