"""A missing optional package is one sentence that names the extra."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("blocked", "module", "message"),
    [
        (
            "pettingzoo",
            "jaipur.envs.pettingzoo",
            'jaipur.envs.pettingzoo needs an extra: pip install "jaipur[pettingzoo]".',
        ),
        (
            "gymnasium",
            "jaipur.envs.pettingzoo",
            'jaipur.envs.pettingzoo needs an extra: pip install "jaipur[pettingzoo]".',
        ),
        (
            "gymnasium",
            "jaipur.envs.gymnasium",
            'jaipur.envs.gymnasium needs an extra: pip install "jaipur[gymnasium]".',
        ),
        (
            "pyspiel",
            "jaipur.envs.openspiel",
            'jaipur.envs.openspiel needs an extra: pip install "jaipur[openspiel]".',
        ),
        (
            "jax",
            "jaipur.training",
            'Training needs JAX and optax: install them with pip install "jaipur[train]".',
        ),
        (
            "optax",
            "jaipur.training",
            'Training needs JAX and optax: install them with pip install "jaipur[train]".',
        ),
    ],
)
def test_a_missing_package_names_the_extra(blocked: str, module: str, message: str) -> None:
    program = f"import sys; sys.modules[{blocked!r}] = None; import {module}"
    done = _python(program)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"ImportError: {message}"


def test_gymnasium_alone_is_enough_for_its_environment() -> None:
    program = "import sys; sys.modules['pettingzoo'] = None; import jaipur.envs.gymnasium"
    done = _python(program)
    assert done.returncode == 0, done.stderr


def _python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
