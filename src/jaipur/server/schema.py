"""The journals as rows: one for each table with how it stands, one for each entry, and the statements over them.

Every function works on a connection that is in a transaction, or only reads; when to commit is decided in `database`,
and what callers are told in `storage`. A change here needs a migration.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import sqlalchemy as sa

from jaipur.table.options import Millis
from jaipur.table.store import Standing


class StorageError(Exception):
    """The storage cannot be used, or holds what nobody wrote; the sentence says why."""


metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("opened_at", sa.BigInteger, nullable=False),
    sa.Column("touched_at", sa.BigInteger, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("phase", sa.Text, nullable=False),
    sa.Column("computer", sa.Boolean, nullable=False),
    sa.Column("due", sa.BigInteger),
)

entries = sa.Table(
    "entries",
    metadata,
    sa.Column(
        "table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("event", sa.Text, nullable=False),
)


class Row(TypedDict):
    """An entry as it is stored."""

    table_id: str
    version: int
    at: Millis
    event: str


@dataclass(slots=True)
class Addition:
    """The next entries of one table, and how it stands with them."""

    rows: list[Row]
    standing: Standing

    @property
    def table(self) -> str:
        return self.rows[0]["table_id"]

    @property
    def base(self) -> int:
        """The version that must be the last one stored, 0 for a table that begins."""
        return self.rows[0]["version"] - 1

    @property
    def last(self) -> int:
        return self.rows[-1]["version"]


_STORED = sa.select(tables.c.id, tables.c.version).with_for_update()
_LOCK = _STORED.where(tables.c.id == sa.bindparam("id"))
# Rows are locked in the order of their names, so that two processes never wait for each other.
_LOCK_MANY = _STORED.where(tables.c.id.in_(sa.bindparam("ids", expanding=True))).order_by(
    tables.c.id
)
_OPEN = sa.insert(tables)
_MOVE = sa.update(tables).where(tables.c.id == sa.bindparam("key"))
_ADD = sa.insert(entries)
_READ = (
    sa.select(entries.c.version, entries.c.at, entries.c.event)
    .where(entries.c.table_id == sa.bindparam("id"), entries.c.version > sa.bindparam("after"))
    .order_by(entries.c.version)
)
_DUE = sa.select(tables.c.id).where(tables.c.due <= sa.bindparam("now")).order_by(tables.c.due)
_COMPUTERS = sa.select(tables.c.id).where(tables.c.computer).order_by(tables.c.touched_at)
# The word stands in the statement itself, or no partial index would be found for it.
_STALE = (
    sa.select(tables.c.id)
    .where(
        tables.c.phase == sa.literal_column("'open'"), tables.c.touched_at < sa.bindparam("before")
    )
    .with_for_update(skip_locked=True)
)
_SWEEP = sa.delete(tables).where(tables.c.id.in_(_STALE))


def add(connection: sa.Connection, additions: Sequence[Addition], unsure: bool) -> list[bool]:
    """Write what still fits, and tell for each addition whether it is there now.

    `unsure` says that an earlier attempt may have been written before the connection was lost: what does not fit is
    then compared with what is stored.
    """
    ids = sorted({addition.table for addition in additions})
    stored = _lock(connection, ids)
    versions = dict(stored)
    kept, rows, latest = [], list[Row](), dict[str, Addition]()
    for addition in additions:
        fits = versions.get(addition.table, 0) == addition.base
        if fits:
            versions[addition.table] = addition.last
            latest[addition.table] = addition
            rows += addition.rows
        kept.append(fits or (unsure and _is_written(connection, addition)))
    if fresh := [_opening(latest[id_], rows) for id_ in ids if id_ in latest and id_ not in stored]:
        connection.execute(_OPEN, fresh)
    if moved := [
        _moving(latest[id_]) | {"key": id_} for id_ in ids if id_ in latest and id_ in stored
    ]:
        connection.execute(_MOVE, moved)
    if rows:
        connection.execute(_ADD, rows)
    return kept


def _lock(connection: sa.Connection, ids: list[str]) -> dict[str, int]:
    """The versions these tables stand at, which nobody else can change until the transaction ends."""
    # Most groups in quiet times are of one, and the statement for one costs much less.
    lock, names = (_LOCK, {"id": ids[0]}) if len(ids) == 1 else (_LOCK_MANY, {"ids": ids})
    return {row.id: int(row.version) for row in connection.execute(lock, names)}


def _moving(addition: Addition) -> dict[str, object]:
    standing = addition.standing
    return {
        "touched_at": addition.rows[-1]["at"],
        "version": addition.last,
        "phase": standing.phase,
        "computer": standing.computer,
        "due": standing.due,
    }


def _opening(addition: Addition, rows: list[Row]) -> dict[str, object]:
    opened_at = next(row["at"] for row in rows if row["table_id"] == addition.table)
    return _moving(addition) | {"id": addition.table, "opened_at": opened_at}


def _is_written(connection: sa.Connection, addition: Addition) -> bool:
    wanted = [(row["version"], row["at"], row["event"]) for row in addition.rows]
    return read(connection, addition.table, addition.base)[: len(wanted)] == wanted


def read(connection: sa.Connection, table: str, after: int) -> list[tuple[int, Millis, str]]:
    """The version, moment and event of each entry after a version, in order."""
    found = connection.execute(_READ, {"id": table, "after": after})
    return [(version, at, event) for version, at, event in found]


def due(connection: sa.Connection, now: Millis) -> list[str]:
    """The tables to look at by now, the longest waiting first."""
    return list(connection.scalars(_DUE, {"now": now}))


def waiting_for_computers(connection: sa.Connection) -> list[str]:
    """The tables where a computer is to move, the longest waiting first."""
    return list(connection.scalars(_COMPUTERS))


def sweep(connection: sa.Connection, before: Millis) -> int:
    """Delete the open tables last touched before a moment, with their entries."""
    return connection.execute(_SWEEP, {"before": before}).rowcount
