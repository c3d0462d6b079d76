"""Programs from outside that some tests need."""

import os
import shutil

import pytest


def needed(program: str) -> str:
    """Where a program lies; without it a test is skipped, and fails where everything has to be there."""
    found = shutil.which(program)
    if found is not None:
        return found
    missing = f"{program} is not installed (on Debian: apt install {program})"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)
