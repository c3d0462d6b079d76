"""Batch append: writes entries of many tables. Entries are written only if they are the next versions of their table.

For SQLite, a transaction that excludes other writers executes a few statements. For PostgreSQL, one statement is
enough. It is its own transaction and works with concurrent writers. Both ways return the tables that were written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from msgspec.structs import asdict
from sqlalchemy.dialects.postgresql import ARRAY, insert

from jaipur.server.store.schema import Row, entries, read, tables, versions
from jaipur.table.state import TableStatus


@dataclass(slots=True)
class Append:
    """The next entries of one table, and the status of the table after them."""

    rows: list[Row]
    status: TableStatus
    owner: str | None
    """For a new table: the digest of the secret of the visitor who opened the table."""

    @property
    def table(self) -> str:
        return self.rows[0]["table_id"]

    @property
    def base(self) -> int:
        """The version that the store must have before this append. It is 0 for a new table."""
        return self.rows[0]["version"] - 1

    def is_written(self, connection: sa.Connection) -> bool:
        """Return whether exactly these entries are already stored."""
        wanted = [(row["version"], row["at"], row["event"]) for row in self.rows]
        return read(connection, self.table, self.base)[: len(wanted)] == wanted

    def changes(self) -> dict[str, object]:
        """Return the columns of the table's row that change."""
        last = self.rows[-1]
        return {"touched_at": last["at"], "version": last["version"], **asdict(self.status)}

    def constants(self) -> dict[str, object]:
        """Return the columns of the table's row that never change."""
        return {"id": self.table, "opened_at": self.rows[0]["at"], "owner": self.owner}


_OPEN_TABLE = sa.insert(tables)
_INSERT = sa.insert(entries)
_UPDATE = sa.update(tables).where(tables.c.id == sa.bindparam("key"))


def append_in_steps(connection: sa.Connection, appends: Sequence[Append]) -> set[str]:
    """Write the appends whose `base` is the stored version. Return the tables that were written.

    There is at most one append per table.
    """
    stored = versions(connection, [each.table for each in appends])
    fitting = [each for each in appends if stored.get(each.table, 0) == each.base]
    if new := [each.changes() | each.constants() for each in fitting if not each.base]:
        connection.execute(_OPEN_TABLE, new)
    if changed := [each.changes() | {"key": each.table} for each in fitting if each.base]:
        connection.execute(_UPDATE, changed)
    if fitting:
        connection.execute(_INSERT, [row for each in fitting for row in each.rows])
    return {each.table for each in fitting}


def append_in_one(connection: sa.Connection, appends: Sequence[Append]) -> set[str]:
    """Like `append_in_steps`, but in one PostgreSQL statement."""
    wanted = [each.changes() | each.constants() | {"base": each.base} for each in appends]
    rows = [row for each in appends for row in each.rows]
    parameters = _arrays("wanted", wanted) | _arrays("row", rows)
    return set(connection.scalars(_APPEND_IN_ONE, parameters))


def _arrays(name: str, rows: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    return {f"{name}_{column}": [row[column] for row in rows] for column in rows[0]}


def _parameter_rows(name: str, columns: Iterable[sa.Column[Any]]) -> sa.CTE:
    """Return a table expression whose rows are parameters, with one array per column."""
    named = [sa.column(column.name, column.type) for column in columns]
    arrays = [sa.bindparam(f"{name}_{column.name}", type_=ARRAY(column.type)) for column in named]
    rows = sa.func.unnest(*arrays).table_valued(*named).render_derived(f"{name}s")
    return sa.select(rows).cte(name)


def _statement() -> sa.Select[tuple[str]]:
    wanted = _parameter_rows("wanted", [*tables.c, sa.Column("base", sa.Integer)])
    rows = _parameter_rows("row", entries.c)
    names, row_names = tables.c.keys(), entries.c.keys()
    opened = (
        insert(tables)
        .from_select(names, sa.select(*[wanted.c[n] for n in names]).where(wanted.c.base == 0))
        .on_conflict_do_nothing()
        .returning(tables.c.id)
        .cte("opened")
    )
    # Lock the rows in the order of their ids. Otherwise two processes could wait for each other (deadlock).
    locked = (
        sa.select(tables.c.id)
        .where(tables.c.id.in_(sa.select(wanted.c.id)))
        .order_by(tables.c.id)
        .with_for_update()
        .cte("locked")
    )
    updated = (
        sa.update(tables)
        .where(tables.c.id == wanted.c.id, tables.c.version == wanted.c.base)
        .where(tables.c.id.in_(sa.select(locked.c.id)))
        .values(
            {name: wanted.c[name] for name in names if name not in ("id", "opened_at", "owner")}
        )
        .returning(tables.c.id)
        .cte("updated")
    )
    written = sa.union_all(sa.select(opened.c.id), sa.select(updated.c.id)).cte("written")
    added = (
        insert(entries)
        .from_select(
            row_names,
            sa.select(*[rows.c[n] for n in row_names]).join(
                written, written.c.id == rows.c.table_id
            ),
        )
        .cte("added")
    )
    return sa.select(written.c.id).add_cte(added)


_APPEND_IN_ONE = _statement()
