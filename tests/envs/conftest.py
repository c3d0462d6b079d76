"""Warnings of the frameworks are ignored in these tests."""

import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def framework_warnings() -> Iterator[None]:
    """PettingZoo and Gymnasium warn about dictionary observations, although they document masks this way."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
