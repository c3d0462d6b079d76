"""Deletes finished games after some time. The transactions are so short that no move has to wait.

With the row of a table, the database also deletes its event log and its snapshots (ON DELETE CASCADE).
"""

import sqlalchemy as sa

from jaipur.server.store.schema import entries, tables
from jaipur.table.options import Millis

MOST_ROWS = 2_000
"""One transaction deletes about this many log entries."""
MOST_TABLES = 50

# The phase must be a literal in the statement. With a parameter, the database would not use the partial index.
_FINISHED = (
    sa.select(tables.c.id, tables.c.version)
    .where(
        tables.c.phase == sa.literal_column("'over'"), tables.c.touched_at < sa.bindparam("before")
    )
    .order_by(tables.c.touched_at)
    .limit(MOST_TABLES)
    .with_for_update(skip_locked=True)
)
_DELETE = sa.delete(tables).where(tables.c.id.in_(sa.bindparam("ids", expanding=True)))
_LAST_VERSION = sa.select(sa.func.max(entries.c.version)).where(
    entries.c.table_id == sa.bindparam("id")
)
_DELETE_END = sa.delete(entries).where(
    entries.c.table_id == sa.bindparam("id"),
    entries.c.version > _LAST_VERSION.scalar_subquery() - MOST_ROWS,
)


def delete_finished(connection: sa.Connection, before: Millis) -> list[str] | None:
    """Delete some finished games whose last event is older than `before`.

    Return the ids of the deleted games, or None if there are no such games.
    """
    found = connection.execute(_FINISHED, {"before": before}).all()
    if not found:
        return None
    deleted: list[str] = []
    rows = 0
    for table, version in found:
        if deleted and rows + version > MOST_ROWS:
            break
        # A very long log is deleted from its end by several calls. The last call deletes the table.
        if (
            version > MOST_ROWS
            and connection.execute(_DELETE_END, {"id": table}).rowcount == MOST_ROWS
        ):
            break
        deleted.append(table)
        rows += version
    if deleted:
        connection.execute(_DELETE, {"ids": deleted})
    return deleted
