"""A rare small write that shows whether the database can be written: a full disk can still be read."""

import asyncio
import time
from collections.abc import Callable, Coroutine

from jaipur.server.store.schema import StoreError

PROBE_EVERY = 5.0
"""Seconds for which a successful write counts."""
PROBE_TIMEOUT = 5.0


class WriteProbe:
    """Remembers the last write. Callers share a write that is running."""

    def __init__(self, write: Callable[[], Coroutine[None, None, None]]) -> None:
        self._write = write
        self._task: asyncio.Task[None] | None = None
        self._valid_until = 0.0

    def expire(self) -> None:
        """Write again at the next check, because another write failed."""
        self._valid_until = 0.0

    async def check(self) -> None:
        """Raise `StoreError` if the write fails or does not end in time."""
        task = self._task
        if task is None or (task.done() and time.monotonic() > self._valid_until):
            task = self._task = asyncio.create_task(self._write())
            task.add_done_callback(self._done)
        try:
            # A hanging write of SQLite cannot be cancelled, so do not start a second one.
            async with asyncio.timeout(PROBE_TIMEOUT):
                await asyncio.shield(task)
        except TimeoutError:
            raise StoreError("The database does not finish a write.") from None

    def _done(self, task: asyncio.Task[None]) -> None:
        failed = task.cancelled() or task.exception() is not None
        self._valid_until = 0.0 if failed else time.monotonic() + PROBE_EVERY
