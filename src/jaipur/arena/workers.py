"""Spreading work over processes: in the order of the tasks, or each result as soon as it is there.

Interrupting leaves no process behind, nor does a parent that is killed. A worker that dies is said, not waited for.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from types import FrameType
from typing import TypeVar

from jaipur.players.external.process import end_bots

Task = TypeVar("Task")
Done = TypeVar("Done")

_AHEAD = 4
"""Tasks handed out per process, so that nobody waits and nothing piles up."""


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[Task], Done], tasks: Iterable[Task], jobs: int) -> Iterator[Done]:
    """Do the work of each task, in so many processes; one job needs none. Results come in order."""
    if jobs == 1:
        yield from map(work, tasks)
        return
    waiting = iter(tasks)
    with _pool(jobs) as pool:
        running: deque[Future[Done]] = deque(
            _submit(pool, work, task) for task in islice(waiting, jobs * _AHEAD)
        )
        while running:
            done = running.popleft().result()
            running.extend(_submit(pool, work, task) for task in islice(waiting, 1))
            yield done


def as_finished(
    work: Callable[[Task], Done], tasks: Iterable[Task], jobs: int
) -> Generator[Done, None, None]:
    """As `spread`, but a result never waits for one before it."""
    if jobs == 1:
        yield from map(work, tasks)
        return
    waiting = iter(tasks)
    with _pool(jobs) as pool:
        running = {_submit(pool, work, task) for task in islice(waiting, jobs * _AHEAD)}
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {_submit(pool, work, task) for task in islice(waiting, len(finished))}
            for future in finished:
                yield future.result()


def _submit(pool: ProcessPoolExecutor, work: Callable[[Task], Done], task: Task) -> Future[Done]:
    # This may start a worker, which inherits the mask: an interrupt is for the parent, from the first moment on.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_work, work, task)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _start)
    try:
        yield pool
    except BaseException:
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _Stopped(BaseException):
    """The parent asked this worker to stop."""


_at_work = _stopping = False


def _work(work: Callable[[Task], Done], task: Task) -> Done:
    """Do a task in a worker, and let go of it at once when the parent asks."""
    global _at_work
    _at_work = True
    try:
        if _stopping:
            raise _Stopped
        return work(task)
    except _Stopped:
        end_bots()
        raise
    finally:
        _at_work = False


def _stop(_signal: int, _frame: FrameType | None) -> None:
    # Never in the middle of handing over a result: half a message would keep the parent waiting for the rest.
    global _stopping
    _stopping = True
    if _at_work:
        raise _Stopped


def _start() -> None:
    """Make a worker that ends with its parent and takes its bots along."""
    # The parent is interrupted too, and stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    # A parent that is killed says nothing, and its workers would wait for tasks for ever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        end_bots()
        os._exit(1)
