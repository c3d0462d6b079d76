"""The database schema and its statements: one row per table with its status, one row per entry of its event log.

Every function takes a connection that is in a transaction, or only reads; `database` commits. A change of the schema
needs a migration.
"""

from collections.abc import Sequence
from typing import TypedDict

import sqlalchemy as sa

from jaipur.table.options import Millis


class StoreError(Exception):
    """The event store cannot be used, or has invalid data; the text says why."""


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
    """A row of `entries`."""

    table_id: str
    version: int
    at: Millis
    event: str


_READ = (
    sa.select(entries.c.version, entries.c.at, entries.c.event)
    .where(entries.c.table_id == sa.bindparam("id"), entries.c.version > sa.bindparam("after"))
    .order_by(entries.c.version)
)
_VERSIONS = sa.select(tables.c.id, tables.c.version)
_VERSION = _VERSIONS.where(tables.c.id == sa.bindparam("id"))
_VERSIONS_OF = _VERSIONS.where(tables.c.id.in_(sa.bindparam("ids", expanding=True)))
_DUE = sa.select(tables.c.id).where(tables.c.due <= sa.bindparam("now")).order_by(tables.c.due)
_COMPUTERS = sa.select(tables.c.id).where(tables.c.computer).order_by(tables.c.touched_at)
# A literal in the statement: with a parameter, the database would not use the partial index.
_UNJOINED = (
    sa.select(tables.c.id)
    .where(
        tables.c.phase == sa.literal_column("'open'"), tables.c.touched_at < sa.bindparam("before")
    )
    .with_for_update(skip_locked=True)
)
_DELETE_UNJOINED = sa.delete(tables).where(tables.c.id.in_(_UNJOINED))


def read(connection: sa.Connection, table: str, after: int) -> list[tuple[int, Millis, str]]:
    """Version, time and event of each entry after a version, in order."""
    found = connection.execute(_READ, {"id": table, "after": after})
    return [(version, at, event) for version, at, event in found]


def versions(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """The last version of each of these tables, without the unknown ones."""
    # Most batches have one table, and the statement for one costs much less.
    if len(ids) == 1:
        found = connection.execute(_VERSION, {"id": ids[0]})
    else:
        found = connection.execute(_VERSIONS_OF, {"ids": ids})
    return {row.id: row.version for row in found}


def due(connection: sa.Connection, now: Millis) -> list[str]:
    """The tables whose due time has come, the oldest first."""
    return list(connection.scalars(_DUE, {"now": now}))


def waiting_for_computers(connection: sa.Connection) -> list[str]:
    """The tables where it is a computer's turn, the oldest first."""
    return list(connection.scalars(_COMPUTERS))


def delete_unjoined(connection: sa.Connection, before: Millis) -> int:
    """Delete the open tables that last changed before this time, with their entries."""
    return connection.execute(_DELETE_UNJOINED, {"before": before}).rowcount
