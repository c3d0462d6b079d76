"""The library parts of the package stay light: they load the standard library and msgspec, nothing else."""

import subprocess
import sys

import pytest

LOADED = """
import sys
before = set(sys.modules)
import {module}
loaded = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print(*sorted(loaded - sys.stdlib_module_names))
"""


def third_party_packages(module: str) -> set[str]:
    """The packages outside the standard library that importing a module loads in a fresh interpreter."""
    program = LOADED.format(module=module)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split()) - {"jaipur"}


@pytest.mark.parametrize("module", ["jaipur", "jaipur.rules"])
def test_the_rules_load_the_standard_library_only(module: str) -> None:
    assert third_party_packages(module) == set()


def test_the_rules_load_no_module_that_is_slow_to_import() -> None:
    # `dataclasses` imports `inspect`. Both took a quarter of the time of `import jaipur`.
    program = "import sys, jaipur; print('dataclasses' in sys.modules, 'inspect' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize(
    "module",
    [
        "jaipur.notation",
        "jaipur.words",
        "jaipur.players",
        *(f"jaipur.players.heuristic.{name}" for name in ("beginners", "greedy", "merchant")),
    ],
)
def test_notation_and_heuristic_players_load_msgspec_at_most(module: str) -> None:
    # msgspec loads typing_extensions if it is installed, and does not need it.
    assert third_party_packages(module) <= {"msgspec", "typing_extensions"}
