"""Backs up the tables of a database into a file, and restores them. Games can run during a backup.

A new backup replaces an older file only after it was read back and every event log was replayed. Both commands can be
interrupted.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import BinaryIO, cast

import sqlalchemy as sa
from msgspec import Struct

from jaipur.notation.files import whole_file
from jaipur.server.store.backup_file import (
    Progress,
    Trailer,
    count_tables,
    load_backup,
    read_backup,
    read_header,
    write_backup,
)
from jaipur.server.store.database import connect, open_database
from jaipur.server.store.schema import StoreError, check_readable
from jaipur.table.options import Millis

ShowProgress = Callable[[str, int], AbstractContextManager[Progress]]
"""A function that shows the progress. Its arguments are the unit and the total number."""


class Backup(Struct, frozen=True):
    """The content of a written backup: the numbers of tables and entries, and the damaged tables."""

    tables: int
    entries: int
    damaged: list[str]
    """The tables whose event logs cannot be replayed. The backup contains them unchanged."""


class _Interrupted(Exception):  # noqa: N818  # not a failure
    """The caller no longer waits for this work."""


async def back_up(url: str, path: Path, now: Millis, show: ShowProgress) -> Backup:
    """Write a backup and verify it. Raise `StoreError` if the database or the file cannot be used."""
    database_path = check_exists(url)
    if path.exists() and not path.is_file():
        raise StoreError(f"{path} is not a file; a backup is a file that can be read back.")
    if database_path is not None and path.exists() and path.samefile(database_path):
        raise StoreError(f"{path} is the database itself; write the backup to another file.")
    with whole_file(path) as text:
        stream = cast("BinaryIO", text.buffer)
        os.fchmod(stream.fileno(), 0o600)
        database = connect(url)
        try:
            await database.read(check_readable)
            total = await database.read(count_tables)
            with show("tables", 2 * total) as advance, _interruptible(advance) as progress:
                write = partial(write_backup, stream=stream, now=now, progress=progress)
                written = await database.read_one_state(write)
                part = Path(text.name)
                damaged = await asyncio.to_thread(_verify, part, written, progress)
        finally:
            await database.close()
    _sync_folder(path.resolve().parent)
    return Backup(written.tables, written.entries, damaged)


async def restore(url: str, path: Path, show: ShowProgress) -> int:
    """Restore a backup into an empty database, completely or not at all. Return the number of tables."""
    total = read_header(path).tables
    with show("tables", 2 * total) as advance:
        with _interruptible(advance) as progress:
            await asyncio.to_thread(_check, path, progress)
        database = await open_database(url)
        try:
            with _interruptible(advance) as progress:
                return await database.write(partial(load_backup, path=path, progress=progress))
        finally:
            await database.close()


def _verify(path: Path, written: Trailer, progress: Progress) -> list[str]:
    """Read a backup and replay its event logs. Return the tables whose logs cannot be replayed."""
    damaged, tables, entries = [], 0, 0
    for table in read_backup(path):
        if not table.replays():
            damaged.append(table.id)
        tables, entries = tables + 1, entries + len(table.entries)
        progress(1)
    if (tables, entries) != (written.tables, written.entries):
        raise StoreError("The backup does not contain everything that was written to it.")
    return damaged


def _check(path: Path, progress: Progress) -> None:
    for _ in read_backup(path):
        progress(1)


@contextmanager
def _interruptible(advance: Progress) -> Iterator[Progress]:
    """Yield a progress function. If the `with` block ends with an error, it stops the work in other threads."""
    interrupted = Event()

    def progress(steps: int) -> None:
        if interrupted.is_set():
            raise _Interrupted
        advance(steps)

    try:
        yield progress
    except BaseException:
        interrupted.set()
        raise


def check_exists(url: str) -> Path | None:
    """Return the file that the URL names, if it names one. Opening the database would create a missing file.

    Raises `StoreError` if the file does not exist.
    """
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        return None  # `connect` explains the URL
    if parsed.drivername != "sqlite" or not parsed.database:
        return None
    path = Path(parsed.database)
    if not path.exists():
        raise StoreError(f"There is no database {path}.")
    return path


def _sync_folder(folder: Path) -> None:
    """Sync a folder to disk, so that the new name of a file is durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
