"""Runs tasks in worker processes and yields the results, in the order of the tasks or as soon as they are complete.

Workers exit when their parent process is interrupted or killed. If a worker dies, the parent gets `BrokenProcessPool`.
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

from jaipur.players.external.process import kill_bots

Task = TypeVar("Task")
Result = TypeVar("Result")

_QUEUED = 4
"""The number of submitted tasks per process. It keeps all workers busy and limits memory use."""


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_ordered(
    work: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """Yield the results in the order of the tasks. With one job, the work runs in this process."""
    if jobs == 1:
        yield from map(work, tasks)
        return
    waiting = iter(tasks)
    with _pool(jobs) as pool:
        running: deque[Future[Result]] = deque(
            _submit(pool, work, task) for task in islice(waiting, jobs * _QUEUED)
        )
        while running:
            result = running.popleft().result()
            running.extend(_submit(pool, work, task) for task in islice(waiting, 1))
            yield result


def map_unordered(
    work: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Generator[Result, None, None]:
    """Like `map_ordered`, but yield each result as soon as its task is complete."""
    if jobs == 1:
        yield from map(work, tasks)
        return
    waiting = iter(tasks)
    with _pool(jobs) as pool:
        running = {_submit(pool, work, task) for task in islice(waiting, jobs * _QUEUED)}
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {_submit(pool, work, task) for task in islice(waiting, len(finished))}
            for future in finished:
                yield future.result()


def _submit(
    pool: ProcessPoolExecutor, work: Callable[[Task], Result], task: Task
) -> Future[Result]:
    # `submit` may start a worker, and the worker inherits the signal mask. Block SIGINT, so that only the parent gets
    # it.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_work, work, task)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _initialize)
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


_working = _stopping = False


def _work(work: Callable[[Task], Result], task: Task) -> Result:
    """Run a task in a worker. Abort the task when the parent terminates the worker."""
    global _working
    _working = True
    try:
        if _stopping:
            raise _Stopped
        return work(task)
    except _Stopped:
        kill_bots()
        raise
    finally:
        _working = False


def _on_terminate(_signal: int, _frame: FrameType | None) -> None:
    # Interrupt only a task, and not the transfer of a result. Otherwise the parent would wait forever for the rest of
    # it.
    global _stopping
    _stopping = True
    if _working:
        raise _Stopped


def _initialize() -> None:
    """Set up the signals of a worker, and a thread that ends the worker when the parent process ends."""
    # Ctrl-C reaches the parent too, and the parent terminates its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _on_terminate)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    # A killed parent sends no signal. Without this thread, its workers would wait for tasks forever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        kill_bots()
        os._exit(1)
