"""Creates the schema in a new database, and refuses a database of another version.

A database stores the version of its schema. docs/decisions/0011 says why Alembic does not run here.
"""

import sqlalchemy as sa

from jaipur.server.store.schema import StoreError, metadata

VERSION = "0001"
"""A change of the schema needs the next number here, and in `migrate` the step from each older version."""
LOCK = 7_446_352
"""Key of the PostgreSQL advisory lock that migrating processes take; an arbitrary number."""

# Databases of version 0.1.0 were made by Alembic. Its table is kept, so that both versions read it.
_revisions = sa.Table(
    "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)


def migrate(connection: sa.Connection) -> None:
    """Bring a database to the current schema. The caller commits; other processes that migrate wait for that."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    _revisions.create(connection, checkfirst=True)
    stored = connection.scalar(sa.select(_revisions.c.version_num))
    if stored is None:
        metadata.create_all(connection)
        connection.execute(_revisions.insert().values(version_num=VERSION))
    elif stored > VERSION:
        raise StoreError(
            f"The database was written by a newer version of jaipur (its schema is {stored}, "
            f"this version knows {VERSION}); use that version."
        )
    elif stored != VERSION:
        raise StoreError(f"The database belongs to another program: its schema is {stored}.")
