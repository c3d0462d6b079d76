"""The worker pool: processes that choose moves outside the event loop, in the order of the requests.

A worker receives a `View` and its legal moves, nothing else. A worker that is late, has died or answers nonsense is
replaced and the request is repeated, so that a move always comes.
"""

import asyncio
import logging
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import cast

from jaipur.players import LEVELS, NO_BUDGET, Budget, NoSuchPlayer, player_named
from jaipur.rules import Move, View
from jaipur.server.workers.messages import ANSWER, SEED_LIMIT, WorkerRequest, encode_request

MARGIN = 5.0
"""Seconds beyond the budget until a worker counts as lost, for a busy machine."""
START = 5.0
"""Additional seconds for the first move of a worker, which loads its player."""
ATTEMPTS = 3
SUBSTITUTE, LAST_RESORT = "merchant", "greedy"
"""Who moves if a level fails in every attempt; and who moves, in the event loop, if that fails too."""
WORKER = (sys.executable, "-P", "-m", "jaipur.server.workers.worker")

logger = logging.getLogger(__name__)


class PoolClosed(Exception):  # noqa: N818  # an answer, not a failure
    """The pool was closed before a move was chosen."""


class WorkerPool:
    """A limited number of worker processes, each for every level. They start on demand."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        seconds: float = 0.5,
        margin: float = MARGIN,
        observe: Callable[[str, float], None] = lambda _level, _seconds: None,
        command: Sequence[str] = WORKER,
    ) -> None:
        """One worker per core by default. `observe` gets the level and the seconds of every move."""
        self.restarts = 0
        """Workers that failed and were replaced."""
        self._workers = workers or os.cpu_count() or 1
        self._budget = Budget(seconds=seconds)
        self._limit = seconds + margin
        self._observe = observe
        self._command = command
        self._slots = asyncio.Semaphore(self._workers)
        self._alive: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._closed = False

    async def start(self) -> None:
        """Start one worker ahead of the first request."""
        if self._closed:
            return
        async with self._slots:
            try:
                self._idle.append(await self._worker())
            except OSError as error:
                logger.warning("A worker does not start: %s", error.strerror)

    async def close(self) -> None:
        """Kill all workers and wait until they are gone. Pending requests raise `PoolClosed`."""
        if self._closed:
            return
        self._closed = True
        for worker in self._alive:
            worker.kill()
        # The semaphore is fair: once all slots are ours, no request is left.
        for _ in range(self._workers):
            await self._slots.acquire()
        await asyncio.gather(*(worker.ended for worker in self._alive))

    async def choose(self, level: str, view: View, moves: Sequence[Move]) -> Move:
        """One of the legal moves, chosen by a level of the registry. Cancellation ends the computation."""
        if level not in [each.name for each in LEVELS]:
            raise NoSuchPlayer("There is no such level.")
        self._check_open()
        async with self._slots:
            for name in (*[level] * ATTEMPTS, SUBSTITUTE):
                self._check_open()
                try:
                    return await self._request(name, view, moves)
                except (_WorkerFailed, OSError) as failure:
                    self._check_open()
                    self.restarts += 1
                    logger.warning("A worker failed as %s: %s", name, failure)
        logger.warning("No worker answers as %s: %s moves instead", level, LAST_RESORT)
        return player_named(LAST_RESORT).choose(view, moves, secrets.SystemRandom(), NO_BUDGET)

    def _check_open(self) -> None:
        if self._closed:
            raise PoolClosed

    async def _request(self, level: str, view: View, moves: Sequence[Move]) -> Move:
        # Seeds differ, so the answer to another request is never accepted.
        seed = secrets.randbelow(SEED_LIMIT)
        codes = [move.code for move in moves]
        answers = {ANSWER.pack(seed, code): move for code, move in zip(codes, moves, strict=True)}
        request = encode_request(WorkerRequest(level, view, codes, self._budget, seed))
        began = perf_counter()
        worker = await self._worker()
        try:
            answer = await worker.request(request, self._limit)
            if answer not in answers:
                raise _WorkerFailed("its answer is no legal move")
        except BaseException:
            worker.kill()
            raise
        self._idle.append(worker)
        self._observe(level, perf_counter() - began)
        return answers[answer]

    async def _worker(self) -> "_Worker":
        """The most recently used idle worker, so that a quiet server needs few; or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if worker in self._alive:
                return worker
        # In its own session, so that signals from the server's terminal do not reach it.
        _, worker = await asyncio.get_running_loop().subprocess_exec(
            lambda: _Worker(self._alive), *self._command, stderr=None, start_new_session=True
        )
        if self._closed:  # while it was starting
            worker.kill()
        return worker


class _WorkerFailed(Exception):  # noqa: N818  # describes the worker
    """A worker gave no move. The text says why, without any content of the request."""


class _Worker(asyncio.SubprocessProtocol):
    """One process and its pipes, with one request at a time. It is in the set `alive` until it is reaped."""

    def __init__(self, alive: "set[_Worker]") -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._alive = alive
        self._answer: asyncio.Future[bytes] | None = None
        self._received = b""
        self._start = START

    async def request(self, request: bytes, seconds: float) -> bytes:
        """Send a request and return the answer; `_WorkerFailed` if none comes in time."""
        pipe = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))
        if pipe.is_closing() or self._transport.get_returncode() is not None:
            raise _WorkerFailed("it had ended before")
        pipe.write(request)
        self._answer = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds + self._start):
                answer = await self._answer
        except TimeoutError:
            raise _WorkerFailed(f"no answer in {seconds + self._start:g} s") from None
        finally:
            self._answer = None
        self._start = 0.0
        return answer

    def kill(self) -> None:
        """End the process; it has no state worth keeping."""
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._alive.add(self)

    def pipe_data_received(self, fd: int, data: bytes) -> None:  # noqa: ARG002  # only stdout is a pipe
        self._received += data
        if len(self._received) < ANSWER.size:
            return
        if self._answer is None:
            self.kill()
        elif not self._answer.done():
            self._answer.set_result(self._received)
        self._received = b""

    def process_exited(self) -> None:
        if self._answer is not None and not self._answer.done():
            status = self._transport.get_returncode()
            self._answer.set_exception(_WorkerFailed(f"it ended with status {status}"))
        self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # it has ended either way
        self._alive.discard(self)
        self.ended.set_result(None)
