"""Atomic file writes: after a failure, the file is not there or has its old content."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[TextIOWrapper]:
    """A temporary text file, which is renamed to `path` after everything is written and synced to disk."""
    if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    target = path.resolve()
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with _opened(part, path) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _opened(part: Path, path: Path) -> TextIOWrapper:
    try:
        return part.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        error.filename = str(path)  # name the requested file, not the temporary one
        raise


def write_whole(path: Path, content: str | bytes) -> None:
    with whole_file(path) as stream:
        stream.buffer.write(content if isinstance(content, bytes) else content.encode())
