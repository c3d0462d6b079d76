"""Atomic file writes: if a write fails, the file keeps its old content, and a new file does not appear."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[TextIOWrapper]:
    """Open a temporary text file. At the end of the `with` block, sync it to disk and rename it to `path`."""
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
