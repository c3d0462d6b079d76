"""Brings a database to the newest schema, and refuses one of a newer version.

A migration is a function here; a database stores the name of the last one that ran. Released migrations never change,
so they do not use the definitions of `schema`. docs/decisions/0011 says why Alembic does not run them.
"""

from collections.abc import Callable

import sqlalchemy as sa

from jaipur.server.store.schema import StoreError

LOCK = 7_446_352
"""Key of the PostgreSQL advisory lock that migrating processes take; an arbitrary number."""

# Databases of version 0.1.0 were made by Alembic. Its table is kept, so that both versions read it.
_revisions = sa.Table(
    "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)


def migrate(connection: sa.Connection) -> None:
    """Run the missing migrations. The caller commits; other processes that migrate wait for that."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    _revisions.create(connection, checkfirst=True)
    current = connection.scalar(sa.select(_revisions.c.version_num))
    if current == NEWEST:
        return
    if current is not None and current > NEWEST:
        raise StoreError(
            f"The database was written by a newer version of jaipur (its schema is {current}, "
            f"this version knows {NEWEST}); use that version."
        )
    if current is not None and current not in MIGRATIONS:
        raise StoreError(f"The database belongs to another program: its schema is {current}.")
    for name, run in MIGRATIONS.items():
        if current is None or name > current:
            run(connection)
    connection.execute(_revisions.delete())
    connection.execute(_revisions.insert().values(version_num=NEWEST))


def _create_tables_and_entries(connection: sa.Connection) -> None:
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
    sa.Table(
        "entries",
        metadata,
        sa.Column(
            "table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "version"),
        sqlite_with_rowid=False,
    )
    for name, column, where, sqlite in (
        ("tables_due", tables.c.due, "due IS NOT NULL", "due IS NOT NULL"),
        ("tables_computer", tables.c.touched_at, "computer", "computer = 1"),
        ("tables_open", tables.c.touched_at, "phase = 'open'", "phase = 'open'"),
    ):
        sa.Index(name, column, postgresql_where=sa.text(where), sqlite_where=sa.text(sqlite))
    metadata.create_all(connection)


MIGRATIONS: dict[str, Callable[[sa.Connection], None]] = {"0001": _create_tables_and_entries}
"""In the order in which they run."""
NEWEST = max(MIGRATIONS)
