"""Settings and hooks for all tests."""

import os
from collections.abc import Iterator

import pytest

from programs import skipped_line

# The same as in the command (jaipur/__main__.py); NumPy reads it when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Say in one line which tests were skipped, after everything else."""
    yield
    reports = terminalreporter.stats.get("skipped", [])
    reasons = (str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports)
    if line := skipped_line(reasons):
        terminalreporter.write_line(line)
