"""Checks every table of a database, and repairs everything that follows from the event logs.

The event log alone decides the state of a table. The row of the table and its snapshots follow from the log, so they
can be repaired. The doctor never changes or deletes an entry of a log. It may run while games run.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa
from msgspec.structs import asdict

from jaipur.server.store.database import Database
from jaipur.server.store.event_store import owner_of, read_entries
from jaipur.server.store.schema import entries, snapshots, tables
from jaipur.table.events import LogEntry
from jaipur.table.snapshot import FORMAT, take_snapshot
from jaipur.table.state import DamagedLog
from jaipur.table.table import Table

PAGE = 500
"""One statement reads at most this many tables or entries."""


class Finding(NamedTuple):
    """A problem. The sentence contains nothing from an event."""

    sentence: str
    repairable: bool


class Diagnosis(NamedTuple):
    """The findings for one table or, if `table` is None, for the database file."""

    table: str | None
    findings: list[Finding]


_ROW = sa.select(tables).where(tables.c.id == sa.bindparam("id"))
_SNAPSHOTS = sa.select(snapshots.c.version, snapshots.c.state).where(
    snapshots.c.table_id == sa.bindparam("id"), snapshots.c.format == FORMAT
)
_ROWS = sa.select(tables.c.id)
_LOGS_WITHOUT_ROW = sa.select(entries.c.table_id).distinct().where(entries.c.table_id.not_in(_ROWS))


async def examine(
    database: Database, *, repair: bool, advance: Callable[[int], None]
) -> AsyncIterator[Diagnosis]:
    """Check all tables. If `repair` is true, repair what can be repaired. `advance` is called for every table."""
    yield Diagnosis(None, await database.read(_check_file))
    for statement, column in ((_ROWS, tables.c.id), (_LOGS_WITHOUT_ROW, entries.c.table_id)):
        after, page = "", [""]
        while page:
            ids = statement.where(column > after).order_by(column).limit(PAGE)
            page = await database.read(partial(_ids, statement=ids))
            for after in page:
                yield await _examine_table(database, after, repair)
                advance(1)


def _ids(connection: sa.Connection, statement: sa.Select[tuple[str]]) -> list[str]:
    return list(connection.scalars(statement))


async def _examine_table(database: Database, table_id: str, repair: bool) -> Diagnosis:
    found = await database.read_one_state(partial(_check, table_id=table_id, repair=False))
    if repair and any(finding.repairable for finding in found):
        # Check again in a transaction that excludes other writers of this table.
        found = await database.write(partial(_check, table_id=table_id, repair=True))
    return Diagnosis(table_id, found)


def _check_file(connection: sa.Connection) -> list[Finding]:
    """Run the integrity check of SQLite. PostgreSQL checks its own files."""
    if connection.dialect.name != "sqlite":
        return []
    lines = connection.exec_driver_sql("PRAGMA integrity_check").scalars()
    return [Finding(f"{line}.", repairable=False) for line in lines if line != "ok"]


def _check(connection: sa.Connection, table_id: str, repair: bool) -> list[Finding]:
    # An append changes the row, so a lock on the row stops appends to this table.
    read_row = _ROW.with_for_update() if repair else _ROW
    row = connection.execute(read_row, {"id": table_id}).mappings().one_or_none()
    found_snapshots = connection.execute(_SNAPSHOTS, {"id": table_id})
    snapshot_states = {each.version: each.state for each in found_snapshots}
    table, first = Table(table_id), None
    try:
        for entry in _log(connection, table_id):
            table.apply(entry)
            first = first or entry
            state = snapshot_states.get(entry.version)
            if state is not None and state == take_snapshot(table).state:
                del snapshot_states[entry.version]
    except DamagedLog as damage:
        return [Finding(str(damage), repairable=False)]
    if table.last is None or first is None:
        return [Finding("Its event log is empty.", repairable=False)]
    derived = {
        "opened_at": first.at,
        "touched_at": table.last.at,
        "version": table.version,
        **asdict(table.status),
    }
    found = list(_compare(row, derived))
    if repair and all(finding.repairable for finding in found):
        change = sa.update(tables).where(tables.c.id == table_id).values(derived)
        if found and not connection.execute(change).rowcount:
            connection.execute(
                sa.insert(tables).values(id=table_id, owner=owner_of(first), **derived)
            )
    for version in snapshot_states:
        found.append(Finding(f"Its snapshot of version {version} is wrong.", repairable=True))
        if repair:
            which = (snapshots.c.table_id == table_id) & (snapshots.c.version == version)
            connection.execute(sa.delete(snapshots).where(which))
    return found


def _log(connection: sa.Connection, table_id: str) -> Iterator[LogEntry]:
    after = 0
    while page := read_entries(connection, table_id, after, PAGE):
        yield from page
        after = page[-1].version


def _compare(row: sa.RowMapping | None, derived: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the differences between the row of a table and the row that follows from its event log."""
    if row is None:
        yield Finding("Its row is missing.", repairable=True)
        return
    # If the log ends before the version of the row, events are lost. The log then does not say how the game ended.
    unknown = row["phase"] == "over" and row["version"] > derived["version"]
    for name, wanted in derived.items():
        stored = row[name]
        # A due time that is too early does no harm. Older versions of Jaipur computed it in another way.
        early = name == "due" and stored is not None and (wanted is None or stored < wanted)
        if stored != wanted and not early:
            sentence = f"Its row says {name} {stored}, its event log says {wanted}."
            yield Finding(sentence, repairable=not unknown)
