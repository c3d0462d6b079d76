"""Reads and writes the rows of snapshots. A table keeps its two newest snapshots.

One of them is always older than the delay of the spectators.
"""

import sqlalchemy as sa
from msgspec.structs import asdict

from jaipur.server.store.schema import snapshots
from jaipur.table.options import Millis
from jaipur.table.snapshot import FORMAT, Snapshot

SNAPSHOT_EVERY = 500
"""There are at least this many events between two snapshots of a table."""

_columns = snapshots.c
_NEWEST = (
    sa.select(_columns.version, _columns.at, _columns.format, _columns.state)
    .where(_columns.table_id == sa.bindparam("table"), _columns.format == FORMAT)
    .where(_columns.version <= sa.bindparam("version"), _columns.at <= sa.bindparam("until"))
    .order_by(_columns.version.desc())
    .limit(1)
)
_DELETE = sa.delete(snapshots).where(
    _columns.table_id == sa.bindparam("table"),
    (_columns.version <= sa.bindparam("old")) | (_columns.version >= sa.bindparam("new")),
)
_INSERT = sa.insert(snapshots)


def read(connection: sa.Connection, table: str, version: int, until: Millis) -> Snapshot | None:
    """Return the newest snapshot of a table that is not newer than this version and this time."""
    values = {"table": table, "version": version, "until": until}
    row = connection.execute(_NEWEST, values).one_or_none()
    return None if row is None else Snapshot(*row)


def write(connection: sa.Connection, table: str, snapshot: Snapshot) -> None:
    """Write a snapshot, and delete the snapshots that are no longer needed."""
    new = snapshot.version
    connection.execute(_DELETE, {"table": table, "old": new - 2 * SNAPSHOT_EVERY, "new": new})
    connection.execute(_INSERT, {"table_id": table, **asdict(snapshot)})
