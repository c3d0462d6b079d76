"""Environments for PettingZoo, Gymnasium and OpenSpiel. Each module needs the extra of its name."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Turn an import error of an optional package into a sentence that names the extra."""
    try:
        yield
    except ImportError as missing:
        raise ImportError(
            f'jaipur.envs.{name} needs an extra: pip install "jaipur[{name}]".'
        ) from missing
