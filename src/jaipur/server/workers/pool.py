"""The worker pool: processes that choose moves outside the event loop, in the order of the requests.

A worker receives only a `View` and its legal moves. If a worker is late, dies or sends an invalid answer, it is
replaced and the request is repeated, so that there is always a move.
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
"""Seconds beyond the budget before a worker counts as failed; the machine may be busy."""
START = 5.0
"""Additional seconds for the first move of a worker, because it must load the player."""
ATTEMPTS = 3
SUBSTITUTE, LAST_RESORT = "merchant", "greedy"
"""The level used if the requested one fails in all attempts, and the one used in the event loop if that fails too."""
WORKER = (sys.executable, "-P", "-m", "jaipur.server.workers.worker")

logger = logging.getLogger(__name__)


class PoolClosed(Exception):  # noqa: N818  # an answer, not a failure
    """The pool was closed before a move was chosen."""


class WorkerPool:
    """A limited number of worker processes. Every worker can play every level. Workers start on demand."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        seconds: float = 0.5,
        margin: float = MARGIN,
        observe: Callable[[str, float], None] = lambda _level, _seconds: None,
        command: Sequence[str] = WORKER,
    ) -> None:
        """One worker per core by default. `observe` is called with the level and the seconds of every move."""
        self.restarts = 0
        """The number of workers that failed and were replaced."""
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
        """Start one worker before the first request."""
        if self._closed:
            return
        async with self._slots:
            try:
                self._idle.append(await self._worker())
            except OSError as error:
                logger.warning("A worker does not start: %s", error.strerror)

    async def close(self) -> None:
        """Kill all workers and wait for their exit. Pending requests raise `PoolClosed`."""
        if self._closed:
            return
        self._closed = True
        for worker in self._alive:
            worker.kill()
        # The semaphore is fair: after we have acquired all slots, no request is left.
        for _ in range(self._workers):
            await self._slots.acquire()
        await asyncio.gather(*(worker.ended for worker in self._alive))

    async def choose(self, level: str, view: View, moves: Sequence[Move]) -> Move:
        """One of the legal moves, chosen by a level of the registry. Cancellation stops the computation."""
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
        # Every request has another seed, so the answer to another request is never accepted.
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
        """The idle worker that was used last, so that a server with few games needs few workers; or a new worker."""
        while self._idle:
            worker = self._idle.pop()
            if worker in self._alive:
                return worker
        # The worker has its own session, so that signals from the server's terminal do not reach it.
        _, worker = await asyncio.get_running_loop().subprocess_exec(
            lambda: _Worker(self._alive), *self._command, stderr=None, start_new_session=True
        )
        if self._closed:  # the pool was closed while the worker was starting
            worker.kill()
        return worker


class _WorkerFailed(Exception):  # noqa: N818  # describes the worker
    """A worker returned no move. The message contains the reason, but no content of the request."""


class _Worker(asyncio.SubprocessProtocol):
    """One process and its pipes, for one request at a time. It is in the set `alive` until the process has ended."""

    def __init__(self, alive: "set[_Worker]") -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._alive = alive
        self._answer: asyncio.Future[bytes] | None = None
        self._received = b""
        self._start = START

    async def request(self, request: bytes, seconds: float) -> bytes:
        """Send a request and return the answer. Raises `_WorkerFailed` if no answer arrives in time."""
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
        """Kill the process. It has no state that must be saved."""
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
