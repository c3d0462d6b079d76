"""What a table needs of whoever keeps its journal. Nothing is told to anybody before it is kept."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from jaipur.table.events import LogEntry
from jaipur.table.options import Millis

Phase = Literal["open", "running", "over"]


class TableStatus(Struct, frozen=True):
    """What can be looked up of a table without reading its journal."""

    phase: Phase
    computer: bool
    """Whether the table waits for a computer to move."""
    due: Millis | None
    """When somebody should look at the table, though nobody asked: a clock runs out, a game counts as abandoned."""


class VersionConflict(Exception):  # noqa: N818  # it is an answer, not a mistake
    """Somebody else has written this version of the table already; nothing was written."""


class EventStore(Protocol):
    """Keeps the journals of tables. Only whole appends are kept, and an append returns once it is durable."""

    async def append(self, table: str, entries: Sequence[LogEntry], status: TableStatus) -> None:
        """Append entries, all or none. Raise `VersionConflict` if one of the versions exists already.

        The first entry of a table has version 1.
        """
        ...

    async def read(self, table: str, after: int = 0) -> list[LogEntry]:
        """The entries of a table after a version, in order; none where there is no such table."""
        ...

    async def versions(self, tables: Sequence[str]) -> dict[str, int]:
        """The last version of each of these tables; nothing for one that is not there."""
        ...

    async def due(self, now: Millis) -> list[str]:
        """The tables somebody should look at by now."""
        ...

    async def waiting_for_computers(self) -> list[str]:
        """The tables where a computer is to move."""
        ...

    async def sweep(self, before: Millis) -> int:
        """Forget the tables still open whose last entry is older than this; how many there were."""
        ...
