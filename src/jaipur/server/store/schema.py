"""The database schema and its statements. Each table has one row with its status, and one row per entry of its event
log.

Snapshots of long tables are only a cache. The event log alone decides the state of a table.

A database stores the version of its schema. docs/decisions/0011 explains why Alembic is not used for migrations.
"""

from collections.abc import Callable, Sequence
from typing import TypedDict
from uuid import uuid4

import sqlalchemy as sa

from jaipur.table.options import Millis


class StoreError(Exception):
    """The event store cannot be used, or it has invalid data. The message contains the reason."""

    loggable = True


VERSION = "0004"
"""The version of the schema. If you change the schema, increase the version and add a migration to `_STEPS`."""
NO_LIMIT = 2**31 - 1
LOCK = 7_446_352
"""The key of the PostgreSQL advisory lock for migrations. The number is arbitrary."""

# Version 0.1.0 used Alembic. We keep Alembic's version table, so that version 0.1.0 can read our databases.
_revisions = sa.Table(
    "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)

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
    # The digest of the secret of the visitor who opened the table. Null in rows of older versions.
    sa.Column("owner", sa.Text),
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
    sqlite_with_rowid=False,
)

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column(
        "table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("format", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
)

for _name, _column, _where, _sqlite_where in (
    ("tables_due", tables.c.due, "due IS NOT NULL", "due IS NOT NULL"),
    ("tables_computer", tables.c.touched_at, "computer", "computer = 1"),
    ("tables_open", tables.c.touched_at, "phase = 'open'", "phase = 'open'"),
    ("tables_over", tables.c.touched_at, "phase = 'over'", "phase = 'over'"),
):
    sa.Index(_name, _column, postgresql_where=sa.text(_where), sqlite_where=sa.text(_sqlite_where))

_UNFINISHED = sa.text("phase <> 'over'")
_owner_index = sa.Index(
    "tables_owner", tables.c.owner, postgresql_where=_UNFINISHED, sqlite_where=_UNFINISHED
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
    .limit(sa.bindparam("limit"))
)
_VERSIONS = sa.select(tables.c.id, tables.c.version)
_VERSION = _VERSIONS.where(tables.c.id == sa.bindparam("id"))
_VERSIONS_OF = _VERSIONS.where(tables.c.id.in_(sa.bindparam("ids", expanding=True)))
DUE = (
    sa.select(tables.c.due, tables.c.id)
    .where(tables.c.due.between(sa.bindparam("after_due"), sa.bindparam("now")))
    .where((tables.c.due > sa.bindparam("after_due")) | (tables.c.id > sa.bindparam("after_id")))
    .order_by(tables.c.due, tables.c.id)
    .limit(sa.bindparam("limit"))
)
COMPUTERS = sa.select(tables.c.id).where(tables.c.computer).order_by(tables.c.touched_at)
# The phase must be a literal in the statement. With a parameter, the database would not use the partial index.
UNJOINED = (
    sa.select(tables.c.id)
    .where(
        tables.c.phase == sa.literal_column("'open'"), tables.c.touched_at < sa.bindparam("before")
    )
    .limit(sa.bindparam("limit"))
    .with_for_update(skip_locked=True)
)
COUNT_UNFINISHED = (
    sa.select(sa.func.count())
    .select_from(tables)
    .where(tables.c.owner == sa.bindparam("owner"), _UNFINISHED)
)
DELETE_UNJOINED = sa.delete(tables).where(tables.c.id.in_(UNJOINED))


_PROBE = {"opened_at": 0, "touched_at": 0, "version": 0, "phase": "over", "computer": False}


def try_write(connection: sa.Connection) -> None:
    """Write a row and delete it in the same transaction. No reader sees the row, but the database must write it."""
    row = f"probe {uuid4().hex}"
    connection.execute(sa.insert(tables).values(id=row, **_PROBE))
    connection.execute(sa.delete(tables).where(tables.c.id == row))


def _create_index_of_finished_games(connection: sa.Connection) -> None:
    next(index for index in tables.indexes if index.name == "tables_over").create(
        connection, checkfirst=True
    )


def _add_owner(connection: sa.Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE tables ADD COLUMN owner TEXT")
    _owner_index.create(connection)


Step = Callable[[sa.Connection], None]
_STEPS: dict[str, tuple[str, Step]] = {
    "0001": ("0002", snapshots.create),
    "0002": ("0003", _create_index_of_finished_games),
    "0003": ("0004", _add_owner),
}
"""By schema version: the next version, and the function that migrates a database to the next version."""


def check_readable(connection: sa.Connection) -> None:
    """Raise `StoreError` if a newer version of jaipur wrote the database. An older schema can be read."""
    _refuse_newer(connection.scalar(sa.select(_revisions.c.version_num)) or "")


def _refuse_newer(stored: str) -> None:
    if stored > VERSION:
        raise StoreError(
            f"The database was written by a newer version of jaipur (its schema is {stored}, "
            f"this version knows {VERSION}); use that version."
        )


def migrate(connection: sa.Connection) -> None:
    """Migrate a database to the current schema. The caller commits.

    Other processes that want to migrate the database wait for the commit.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    _revisions.create(connection, checkfirst=True)
    stored = connection.scalar(sa.select(_revisions.c.version_num))
    if stored is None:
        metadata.create_all(connection)
        connection.execute(_revisions.insert().values(version_num=VERSION))
    else:
        _refuse_newer(stored)
        while stored != VERSION:
            if stored not in _STEPS:
                raise StoreError(
                    f"The database belongs to another program: its schema is {stored}."
                )
            stored, step = _STEPS[stored]
            step(connection)
            connection.execute(_revisions.update().values(version_num=stored))


def read(
    connection: sa.Connection, table: str, after: int, limit: int = NO_LIMIT
) -> list[tuple[int, Millis, str]]:
    """Return the version, time and event of the first `limit` entries with a version above `after`, in order."""
    found = connection.execute(_READ, {"id": table, "after": after, "limit": limit})
    return [(version, at, event) for version, at, event in found]


def versions(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    # Most calls ask for one table, and the statement for one table is much faster.
    if len(ids) == 1:
        found = connection.execute(_VERSION, {"id": ids[0]})
    else:
        found = connection.execute(_VERSIONS_OF, {"ids": ids})
    return {row.id: row.version for row in found}
