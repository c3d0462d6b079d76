"""Brings a database to the newest schema, step by step, and refuses one that is ahead of this version.

Alembic takes a second to import, so it is only asked when there is something to do.
"""

from pathlib import Path

import sqlalchemy as sa

from jaipur.server.store.schema import StoreError

NEWEST = "0001"
LOCK = 7_446_352
"""PostgreSQL's lock for whoever migrates; any number that nobody else uses."""


def migrate(connection: sa.Connection) -> None:
    """Bring the database to the newest schema; the caller commits. Others who try meanwhile wait for that."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    found = revision(connection)
    if found == NEWEST:
        return
    if found is not None and found > NEWEST:
        raise StoreError(
            f"The storage was written by a newer version of jaipur (its schema is {found}, "
            f"this version knows {NEWEST}); use that version."
        )
    _upgrade(connection)


def revision(connection: sa.Connection) -> str | None:
    """The migration a database stands at, or none where it is empty."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found


def _upgrade(connection: sa.Connection) -> None:
    from alembic.command import upgrade  # noqa: PLC0415  # takes a second
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        upgrade(config, NEWEST)
    except CommandError as error:
        raise StoreError(f"The storage belongs to something else than jaipur: {error}.") from error
