"""Environments for PettingZoo, Gymnasium and OpenSpiel. Each module needs the extra of its name."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Replace the import error of an optional package by one that names the extra."""
    try:
        yield
    except ImportError as error:
        raise ImportError(
            f'jaipur.envs.{name} needs an extra: pip install "jaipur[{name}]".'
        ) from error
