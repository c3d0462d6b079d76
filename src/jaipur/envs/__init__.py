"""Environments for PettingZoo, Gymnasium and OpenSpiel. Each module needs the extra with the same name."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """If an optional package is missing, raise an `ImportError` that names the extra to install."""
    try:
        yield
    except ImportError as error:
        raise ImportError(
            f'jaipur.envs.{name} needs an extra: pip install "jaipur[{name}]".'
        ) from error
