"""Adds entries to the journals in a database, and only where they are the next ones.

Either in a few steps, in a transaction beside which nobody else writes; or, on PostgreSQL, in one statement that is its
own transaction however many write beside it. Both do many tables at a time and tell which of them took their entries.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, insert

from jaipur.server.store.schema import Row, entries, read, tables, versions
from jaipur.table.store import TableStatus


@dataclass(slots=True)
class Addition:
    """The next entries of one table, and how it stands with them."""

    rows: list[Row]
    status: TableStatus

    @property
    def table(self) -> str:
        return self.rows[0]["table_id"]

    @property
    def base(self) -> int:
        """The version that must be the last one stored, 0 for a table that begins."""
        return self.rows[0]["version"] - 1

    def is_written(self, connection: sa.Connection) -> bool:
        """Whether these very entries are there already."""
        wanted = [(row["version"], row["at"], row["event"]) for row in self.rows]
        return read(connection, self.table, self.base)[: len(wanted)] == wanted

    def stands(self) -> dict[str, object]:
        """What it changes in the row of its table."""
        last, status = self.rows[-1], self.status
        return {
            "touched_at": last["at"],
            "version": last["version"],
            "phase": status.phase,
            "computer": status.computer,
            "due": status.due,
        }

    def opens(self) -> dict[str, object]:
        """What is in that row for ever."""
        return {"id": self.table, "opened_at": self.rows[0]["at"]}


_OPEN = sa.insert(tables)
_MOVE = sa.update(tables).where(tables.c.id == sa.bindparam("key"))
_ADD = sa.insert(entries)


def add_in_steps(connection: sa.Connection, additions: Sequence[Addition]) -> set[str]:
    """Write what fits, at most one addition a table, and tell which tables took theirs."""
    stored = versions(connection, [each.table for each in additions])
    fitting = [each for each in additions if stored.get(each.table, 0) == each.base]
    if opening := [each.stands() | each.opens() for each in fitting if not each.base]:
        connection.execute(_OPEN, opening)
    if moving := [each.stands() | {"key": each.table} for each in fitting if each.base]:
        connection.execute(_MOVE, moving)
    if fitting:
        connection.execute(_ADD, [row for each in fitting for row in each.rows])
    return {each.table for each in fitting}


def add_at_once(connection: sa.Connection, additions: Sequence[Addition]) -> set[str]:
    """The same in one statement, for PostgreSQL."""
    wanted = [each.stands() | each.opens() | {"base": each.base} for each in additions]
    rows = [row for each in additions for row in each.rows]
    given = _arrays("wanted", wanted) | _arrays("row", rows)
    return set(connection.scalars(_ADD_AT_ONCE, given))


def _arrays(name: str, rows: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    return {f"{name}_{column}": [row[column] for row in rows] for column in rows[0]}


def _given(name: str, columns: Iterable[sa.Column[Any]]) -> sa.CTE:
    """Rows that come with a statement, as an array for each column."""
    named = [sa.column(column.name, column.type) for column in columns]
    arrays = [sa.bindparam(f"{name}_{column.name}", type_=ARRAY(column.type)) for column in named]
    rows = sa.func.unnest(*arrays).table_valued(*named).render_derived(f"{name}s")
    return sa.select(rows).cte(name)


def _statement() -> sa.Select[tuple[str]]:
    wanted = _given("wanted", [*tables.c, sa.Column("base", sa.Integer)])
    rows = _given("row", entries.c)
    names, row_names = tables.c.keys(), entries.c.keys()
    opened = (
        insert(tables)
        .from_select(names, sa.select(*[wanted.c[n] for n in names]).where(wanted.c.base == 0))
        .on_conflict_do_nothing()
        .returning(tables.c.id)
        .cte("opened")
    )
    # Rows are locked in the order of their names, so that two processes never wait for each other.
    locked = (
        sa.select(tables.c.id)
        .where(tables.c.id.in_(sa.select(wanted.c.id)))
        .order_by(tables.c.id)
        .with_for_update()
        .cte("locked")
    )
    moved = (
        sa.update(tables)
        .where(tables.c.id == wanted.c.id, tables.c.version == wanted.c.base)
        .where(tables.c.id.in_(sa.select(locked.c.id)))
        .values({name: wanted.c[name] for name in names if name not in ("id", "opened_at")})
        .returning(tables.c.id)
        .cte("moved")
    )
    taken = sa.union_all(sa.select(opened.c.id), sa.select(moved.c.id)).cte("taken")
    added = (
        insert(entries)
        .from_select(
            row_names,
            sa.select(*[rows.c[n] for n in row_names]).join(taken, taken.c.id == rows.c.table_id),
        )
        .cte("added")
    )
    return sa.select(taken.c.id).add_cte(added)


_ADD_AT_ONCE = _statement()
