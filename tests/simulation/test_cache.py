"""Playing the game does not load Numba, and compiled kernels are cached until the sources change."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from jaipur.simulation import Batch, compiler, kernels

GAME = (
    "import sys, jaipur, jaipur.arena.simulate, jaipur.cli.play, jaipur.terminal, jaipur.server.app"
)
LIST = """
from jaipur.simulation.compiler import cpu_kernel
from jaipur.simulation.kernels import gather
import numpy as np
codes = np.zeros(2, np.int32)
kernel = cpu_kernel(gather)
kernel(0, 1, np.array([[5, 7]], np.int32), np.array([0, 2]), codes, codes.copy())
print(codes.tolist(), sum(kernel.stats.cache_hits.values()))
"""


def python(program: str, cache: Path | None = None) -> str:
    environment = os.environ | ({"XDG_CACHE_HOME": str(cache)} if cache else {})
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout.strip()


def test_playing_does_not_load_numba() -> None:
    assert python(f"{GAME}; print('numba' in sys.modules)") == "False"


def test_the_next_process_loads_cached_kernels(tmp_path: Path) -> None:
    assert python(LIST, tmp_path) == "[5, 7] 0"
    assert python(LIST, tmp_path) == "[5, 7] 1"


def test_without_a_writable_cache_kernels_are_compiled_in_the_process(tmp_path: Path) -> None:
    (tmp_path / "jaipur").write_text("a file where the folder should be")
    assert python(LIST, tmp_path) == "[5, 7] 0"


def test_changed_rules_get_another_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("rules", "simulation"):
        (tmp_path / package).mkdir()
    (tmp_path / "rules" / "turn.py").write_text("MOVE_LIMIT = 500")
    monkeypatch.setattr(compiler, "_PACKAGE", tmp_path)
    before = compiler.digest()
    assert compiler.digest() == before
    (tmp_path / "rules" / "turn.py").write_text("MOVE_LIMIT = 501")
    assert compiler.digest() != before


def test_a_kernel_has_one_specialisation_for_all_input_types() -> None:
    """Numba's cache takes no lock: processes that save two specialisations at the same time can confuse them."""
    batch = Batch(2)
    moves = batch.moves()
    chosen = moves.codes[moves.offsets[:-1]]
    frozen = chosen.copy()
    frozen.flags.writeable = False
    for codes in (
        chosen,
        chosen.tolist(),
        chosen.astype(np.uint32),
        np.repeat(chosen, 2)[::2],
        frozen,
    ):
        batch.reset()
        batch.step(codes)
    for kernel in (
        kernels.start_from_seeds,
        kernels.list_all,
        kernels.gather,
        kernels.check_legal,
        kernels.step,
    ):
        assert len(compiler.cpu_kernel(kernel).signatures) == 1  # type: ignore[attr-defined]
