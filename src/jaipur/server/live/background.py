"""Runs the background tasks of an object, once or repeatedly. All tasks are cancelled together. Failures are logged."""

import asyncio
import logging
from collections.abc import Callable, Coroutine

Job = Coroutine[None, None, None]

log = logging.getLogger(__name__)


class BackgroundTasks:
    """The running tasks of one object."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, job: Job) -> None:
        task = asyncio.create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a background task failed", exc_info=task.exception())


async def repeat(seconds: float, job: Callable[[], Job]) -> None:
    """Run a job repeatedly, with a pause before each run. Failures are logged."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await job()
        except Exception:
            log.exception("%s failed; it runs again in %g seconds", job.__name__, seconds)
