"""Checks with an occasional small write whether the database can be written. A full disk can still be read."""

import asyncio
import time
from collections.abc import Callable, Coroutine

from jaipur.server.store.schema import StoreError

PROBE_EVERY = 5.0
"""For this many seconds after a successful write, a check does not write again."""
PROBE_TIMEOUT = 5.0


class WriteProbe:
    """Makes the small write and remembers its result. Checks at the same time share one write."""

    def __init__(self, write: Callable[[], Coroutine[None, None, None]]) -> None:
        self._write = write
        self._task: asyncio.Task[None] | None = None
        self._valid_until = 0.0

    def expire(self) -> None:
        """Make the next check write again. Call this when another write has failed."""
        self._valid_until = 0.0

    async def check(self) -> None:
        """Raise `StoreError` if the write fails or does not end in time."""
        task = self._task
        if task is None or (task.done() and time.monotonic() > self._valid_until):
            task = self._task = asyncio.create_task(self._write())
            task.add_done_callback(self._done)
        try:
            # A hanging write of SQLite cannot be cancelled. Keep its task, so that no second write starts.
            async with asyncio.timeout(PROBE_TIMEOUT):
                await asyncio.shield(task)
        except TimeoutError:
            raise StoreError("The database does not finish a write.") from None

    def _done(self, task: asyncio.Task[None]) -> None:
        failed = task.cancelled() or task.exception() is not None
        self._valid_until = 0.0 if failed else time.monotonic() + PROBE_EVERY
