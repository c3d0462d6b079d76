"""The file of a backup: all tables with their event logs. It can be restored into any supported database.

The file contains lines of JSON, compressed with gzip: a header, one line per table, and a trailer. The trailer has the
number of tables and entries, and the checksum of all earlier lines. Snapshots are not part of a backup, because the
event logs contain everything. A backup contains all hidden cards, so only its owner may read it.
"""

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict

from jaipur.server.store import schema
from jaipur.server.store.schema import StoreError
from jaipur.table.events import AnyEvent, LogEntry
from jaipur.table.options import Millis
from jaipur.table.state import DamagedLog
from jaipur.table.table import Table

FORMAT = "jaipur-backup-1"
PAGE = 200
"""One statement reads at most this many tables."""

Progress = Callable[[int], None]
"""A function that gets the number of tables processed since the last call. It raises an error to stop the work."""


class Header(Struct, frozen=True):
    """The first line."""

    format: str
    at: Millis
    tables: int


class TableLog(Struct, frozen=True):
    """The row of a table and its event log: the version, time and event of each entry."""

    id: str
    opened_at: Millis
    touched_at: Millis
    version: int
    phase: str
    computer: bool
    due: Millis | None
    entries: list[tuple[int, Millis, str]]
    owner: str | None = None

    def replays(self) -> bool:
        """Return whether the log can be replayed and ends at the version of the row."""
        if [version for version, _, _ in self.entries] != list(range(1, self.version + 1)):
            return False
        try:
            entries = [LogEntry(version, at, _event(event)) for version, at, event in self.entries]
            Table.replay(self.id, entries)
        except (DamagedLog, msgspec.DecodeError):  # a ValidationError is a DecodeError
            return False
        return True


class Trailer(Struct, frozen=True):
    """The last line."""

    tables: int
    entries: int
    sha256: str


_encode = msgspec.json.Encoder().encode
_event = msgspec.json.Decoder(AnyEvent).decode
_COLUMNS = [name for name in TableLog.__struct_fields__ if name != "entries"]
_TABLES = (
    sa.select(*(schema.tables.c[name] for name in _COLUMNS))
    .where(schema.tables.c.id > sa.bindparam("after"))
    .order_by(schema.tables.c.id)
    .limit(PAGE)
)
_COUNT_TABLES = sa.select(sa.func.count()).select_from(schema.tables)
_COUNT_ENTRIES = sa.select(sa.func.count()).select_from(schema.entries)


class BackupWriteError(StoreError):
    """The file of the backup cannot be written."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"The backup cannot be written: {error.strerror or error}.")


class DamagedBackupError(StoreError):
    """The file is not a complete backup."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} is not a complete backup: {problem}.")


def write_backup(
    connection: sa.Connection, stream: BinaryIO, now: Millis, progress: Progress
) -> Trailer:
    """Write all tables of a database. The connection must see the same state of the database until the end."""
    try:
        return _write(connection, stream, now, progress)
    except OSError as error:
        raise BackupWriteError(error) from None


def _write(connection: sa.Connection, stream: BinaryIO, now: Millis, progress: Progress) -> Trailer:
    digest, entries = sha256(), 0
    with gzip.GzipFile(fileobj=stream, mode="wb", filename="", mtime=0) as packed:

        def write(line: Struct) -> None:
            data = _encode(line) + b"\n"
            digest.update(data)
            packed.write(data)

        tables = count_tables(connection)
        write(Header(FORMAT, now, tables))
        for table in _read_tables(connection):
            write(table)
            entries += len(table.entries)
            progress(1)
        trailer = Trailer(tables, entries, digest.hexdigest())
        write(trailer)
    stream.flush()
    os.fsync(stream.fileno())
    return trailer


def _read_tables(connection: sa.Connection) -> Iterator[TableLog]:
    after = ""
    while rows := connection.execute(_TABLES, {"after": after}).mappings().all():
        for row in rows:
            yield TableLog(**row, entries=schema.read(connection, row["id"], 0))
        after = rows[-1]["id"]


def read_header(path: Path) -> Header:
    """Read the first line of a backup. Raise `DamagedBackupError` if the file is not a backup."""
    try:
        with gzip.open(path) as lines:
            return _header(path, lines.readline(1000))
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise DamagedBackupError(path, "it cannot be decompressed") from None


def read_backup(path: Path) -> Iterator[TableLog]:
    """Yield the tables of a backup.

    If it is damaged, raise `DamagedBackupError`, at the latest after the last table.
    """
    header, digest, tables, entries = None, sha256(), 0, 0
    try:
        with gzip.open(path) as lines:
            for line in lines:
                if header is None:
                    header = _header(path, line)
                elif tables < header.tables:
                    table = msgspec.json.decode(line, type=TableLog)
                    tables, entries = tables + 1, entries + len(table.entries)
                    yield table
                else:
                    trailer = msgspec.json.decode(line, type=Trailer)
                    if trailer != Trailer(tables, entries, digest.hexdigest()):
                        raise DamagedBackupError(path, "its checksum is wrong")
                    if lines.read(1):
                        raise DamagedBackupError(path, "there is something after its end")
                    return
                digest.update(line)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise DamagedBackupError(path, "it cannot be decompressed") from None
    except msgspec.DecodeError:  # without its message, which may contain a part of an event
        raise DamagedBackupError(path, f"the line after {tables} tables cannot be read") from None
    raise DamagedBackupError(path, "its end is missing")


def _header(path: Path, line: bytes) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
    except msgspec.DecodeError:
        raise DamagedBackupError(path, "its first line is not the header of a backup") from None
    if header.format != FORMAT:
        raise DamagedBackupError(path, f"its format is “{header.format[:40]}”, not “{FORMAT}”")
    return header


def count_tables(connection: sa.Connection) -> int:
    return connection.scalar(_COUNT_TABLES) or 0


def load_backup(connection: sa.Connection, path: Path, progress: Progress) -> int:
    """Insert all tables of a backup into an empty database. Return their number. The caller commits."""
    if count_tables(connection):
        raise StoreError("The database is not empty. A backup is restored only into an empty one.")
    tables = entries = 0
    for table in read_backup(path):
        row = asdict(table)
        del row["entries"]
        connection.execute(sa.insert(schema.tables), row)
        rows = [
            schema.Row(table_id=table.id, version=version, at=at, event=event)
            for version, at, event in table.entries
        ]
        if rows:
            connection.execute(sa.insert(schema.entries), rows)
        tables, entries = tables + 1, entries + len(rows)
        progress(1)
    if (count_tables(connection), connection.scalar(_COUNT_ENTRIES)) != (tables, entries):
        raise StoreError("The database does not contain everything that the backup contains.")
    return tables
