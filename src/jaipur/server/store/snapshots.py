"""The rows of snapshots: the newest two of each table, so that one of them is older than the delay of spectators."""

import sqlalchemy as sa
from msgspec.structs import asdict

from jaipur.server.store.schema import snapshots
from jaipur.table.options import Millis
from jaipur.table.snapshot import FORMAT, Snapshot

SNAPSHOT_EVERY = 500
"""The smallest number of events between two snapshots of a table."""

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
    """The newest snapshot of a table whose version and time are not higher than these."""
    values = {"table": table, "version": version, "until": until}
    row = connection.execute(_NEWEST, values).one_or_none()
    return None if row is None else Snapshot(*row)


def write(connection: sa.Connection, table: str, snapshot: Snapshot) -> None:
    """Write a snapshot and delete those that are no longer needed."""
    new = snapshot.version
    connection.execute(_DELETE, {"table": table, "old": new - 2 * SNAPSHOT_EVERY, "new": new})
    connection.execute(_INSERT, {"table_id": table, **asdict(snapshot)})
