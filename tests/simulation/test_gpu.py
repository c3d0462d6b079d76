"""The kernels of the GPU, on Numba's simulator of one: the same lists, features, steps and random play as the CPU."""

import os
import subprocess
import sys
from pathlib import Path


def test_kernels_do_what_the_loops_of_the_cpu_do() -> None:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("gpu_simulator.py")],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.stdout, done.returncode) == ("the same\n", 0), done.stderr
