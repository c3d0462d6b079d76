"""The interface of the event store of live tables. No subscriber sees an event before it is stored."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from jaipur.table.events import LogEntry
from jaipur.table.options import Millis

Phase = Literal["open", "running", "over"]


class TableStatus(Struct, frozen=True):
    """Indexed fields of a table. They can be queried without reading the event log."""

    phase: Phase
    computer: bool
    """Whether it is a computer's turn."""
    due: Millis | None
    """The time at which the scheduler must check the table: a clock runs out, or the game is abandoned."""


class VersionConflict(Exception):  # noqa: N818  # an answer, not a failure
    """Another writer has already stored this version of the table. Nothing was written."""


class EventStore(Protocol):
    """Stores the event logs of tables. An append is atomic, and durable when it returns."""

    async def append(self, table: str, entries: Sequence[LogEntry], status: TableStatus) -> None:
        """Append all entries or none. Raises `VersionConflict` if one of the versions already exists.

        The first entry of a table has version 1.
        """
        ...

    async def read(self, table: str, after: int = 0) -> list[LogEntry]:
        """The entries with a version higher than `after`, in ascending order; empty for an unknown table."""
        ...

    async def versions(self, tables: Sequence[str]) -> dict[str, int]:
        """The last version of each of these tables. Unknown tables are left out."""
        ...

    async def due(self, now: Millis) -> list[str]:
        """The tables whose `due` time is not later than `now`."""
        ...

    async def waiting_for_computers(self) -> list[str]:
        """The tables where it is a computer's turn."""
        ...

    async def delete_unjoined(self, before: Millis) -> int:
        """Delete the tables in phase `open` whose last entry is older than `before`; return their number."""
        ...
