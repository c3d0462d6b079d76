"""External programs that some tests need."""

import os
import shutil
from collections.abc import Iterable

import pytest

TESTS = {
    "cc": "clock step tests",
    "chromium": "browser tests",
    "curl": "HTTP API examples",
    "redis-server": "Redis tests",
}
"""The programs, and the tests that are skipped without them."""


def needed(program: str) -> str:
    """The path of a program. Without it the test is skipped, or fails in continuous integration."""
    path = shutil.which(program)
    if path is not None:
        return path
    missing = f"{program} is not installed (on Debian: apt install {program})"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


def skipped_line(reasons: Iterable[str]) -> str:
    """One line that sums up all skipped tests, from the reasons that pytest collected."""
    others: set[str] = set()
    missing: set[str] = set()
    for reason in reasons:
        program = reason.partition(" is not installed")[0]
        (missing if program in TESTS else others).add(program)
    parts = [f"{tests} (no {program})" for program, tests in TESTS.items() if program in missing]
    return f"Skipped: {', '.join([*parts, *sorted(others)])}." if parts or others else ""
