"""GPU kernels on Numba's CUDA simulator: the same moves, features, steps and random play as on the CPU."""

import os
import subprocess
import sys
from pathlib import Path


def test_gpu_kernels_give_the_same_results_as_cpu_kernels() -> None:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("gpu_simulator.py")],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.stdout, done.returncode) == ("the same\n", 0), done.stderr
