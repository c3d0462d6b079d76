"""The limit of unfinished tables per visitor.

A visitor is a secret, because there are no accounts. A client that uses many secrets is stopped by the limits per
address (`limits.py`).
"""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jaipur.server.http.problems import RequestError
from jaipur.server.store.event_store import EventStore


class UnfinishedTableLimit:
    """Counts the unfinished tables of a visitor in the event store before the visitor opens another table."""

    def __init__(self, store: EventStore, limit: int) -> None:
        """A limit of 0 means no limit."""
        self._store = store
        self._limit = limit
        self._opening: Counter[str] = Counter()
        """The number of tables that each visitor is opening now. The store may not have them yet."""

    @asynccontextmanager
    async def opening(self, owner: str) -> AsyncIterator[None]:
        """Open a table of a visitor inside this block. Raise `RequestError` if the visitor has too many tables."""
        if not self._limit:
            yield
            return
        self._opening[owner] += 1
        try:
            # Requests at the same time count each other. Therefore they cannot exceed the limit together.
            if await self._store.count_unfinished(owner) + self._opening[owner] > self._limit:
                raise RequestError("too_many_tables", limit=self._limit)
            yield
        finally:
            self._opening[owner] -= 1
            if not self._opening[owner]:
                del self._opening[owner]
