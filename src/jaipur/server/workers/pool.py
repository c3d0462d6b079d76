"""The worker pool: processes that choose moves outside the event loop. The clients take turns (`fair_queue`).

A worker gets only a `View` and the legal moves. If a worker is late, dies or sends an invalid answer, the pool replaces
it and repeats the request. Therefore a request always gets a move.
"""

import asyncio
import logging
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple, cast

from jaipur.players import LEVELS, NO_BUDGET, Budget, NoSuchPlayer, player_named
from jaipur.rules import Move, View
from jaipur.server.workers.fair_queue import FairQueue, Turn
from jaipur.server.workers.messages import ANSWER, SEED_LIMIT, WorkerRequest, encode_request

MIN_SECONDS = 0.05
"""Under load, the budget of a slow level does not fall below this. The configured budget may be smaller."""
MARGIN = 5.0
"""A worker counts as failed this many seconds after its budget. The margin is large because the machine may be busy."""
START = 5.0
"""A worker has this many additional seconds for its first move, because it must load the player."""
ATTEMPTS = 3
SUBSTITUTE, LAST_RESORT = "merchant", "greedy"
"""If the requested level fails in all attempts, a worker plays the substitute.

If that fails too, the last resort plays in the event loop.
"""
WORKER = (sys.executable, "-P", "-m", "jaipur.server.workers.worker")

logger = logging.getLogger(__name__)


class PoolClosed(Exception):  # noqa: N818  # an answer, not a failure
    """The pool was closed before a move was chosen."""


class ChosenMove(NamedTuple):
    move: Move
    seconds: float
    """The computation time, at most the budget. The time in the queue and the start of a worker do not count."""


class WorkerPool:
    """A limited number of worker processes. They start on demand.

    A quarter of them, but at least one, is reserved for quick levels. All others compute every level.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        seconds: float = 0.5,
        margin: float = MARGIN,
        observe: Callable[[str, float], None] = lambda _level, _seconds: None,
        command: Sequence[str] = WORKER,
    ) -> None:
        """By default there is one worker per core, but at least two.

        `observe` gets the level and time of every move.
        """
        self.restarts = 0
        """The number of workers that failed and were replaced."""
        workers = max(2, workers or os.cpu_count() or 1)
        self._queue = FairQueue(workers, reserved=max(1, workers // 4))
        self._seconds = seconds
        self._limit = seconds + margin
        self._observe = observe
        self._command = command
        self._alive: set[_Worker] = set()
        self._idle: dict[bool, list[_Worker]] = {True: [], False: []}
        """The idle workers. The key says whether they are reserved for quick levels."""
        self._closed = False

    @property
    def waiting(self) -> int:
        """The number of requests that wait for a worker."""
        return self._queue.waiting

    async def start(self) -> None:
        """Start one worker before the first request."""
        if self._closed:
            return
        async with self._queue.turn("", slow=False) as turn:
            try:
                self._idle[turn.reserved].append(await self._worker(turn))
            except OSError as error:
                logger.warning("A worker does not start: %s", error.strerror)

    async def close(self) -> None:
        """Kill all workers and wait for their exit. Pending requests raise `PoolClosed`."""
        if self._closed:
            return
        self._closed = True
        for worker in self._alive:
            worker.kill()
        await self._queue.close(PoolClosed())
        await asyncio.gather(*(worker.ended for worker in self._alive))

    async def choose(
        self, level: str, view: View, moves: Sequence[Move], client: str = ""
    ) -> ChosenMove:
        """Return one of the legal moves, chosen by a level of the registry. Cancellation stops the computation.

        The clients take turns. All requests with the same `client` belong to one client.
        """
        slow = {each.name: each.slow for each in LEVELS}.get(level)
        if slow is None:
            raise NoSuchPlayer("There is no such level.")
        self._check_open()
        async with self._queue.turn(client, slow=slow) as turn:
            for name in (*[level] * ATTEMPTS, SUBSTITUTE):
                self._check_open()
                try:
                    return await self._request(name, view, moves, turn)
                except (_WorkerFailed, OSError) as failure:
                    self._check_open()
                    self.restarts += 1
                    logger.warning("A worker failed as %s: %s", name, failure)
        logger.warning("No worker answers as %s: %s moves instead", level, LAST_RESORT)
        move = player_named(LAST_RESORT).choose(view, moves, secrets.SystemRandom(), NO_BUDGET)
        return ChosenMove(move, 0.0)

    def _check_open(self) -> None:
        if self._closed:
            raise PoolClosed

    async def _request(
        self, level: str, view: View, moves: Sequence[Move], turn: Turn
    ) -> ChosenMove:
        # Every request has a different seed. Therefore the answer to another request is never accepted.
        seed = secrets.randbelow(SEED_LIMIT)
        codes = [move.code for move in moves]
        answers = {ANSWER.pack(seed, code): move for code, move in zip(codes, moves, strict=True)}
        # Under load the budget shrinks, so that nobody waits for long.
        seconds = max(self._seconds / max(1.0, turn.load), min(self._seconds, MIN_SECONDS))
        request = encode_request(WorkerRequest(level, view, codes, Budget(seconds), seed))
        began = perf_counter()
        worker = await self._worker(turn)
        try:
            answer = await worker.request(request, self._limit)
            if answer not in answers:
                raise _WorkerFailed("its answer is no legal move")
        except BaseException:
            worker.kill()
            raise
        self._idle[turn.reserved].append(worker)
        took = perf_counter() - began
        self._observe(level, took)
        return ChosenMove(answers[answer], min(took, seconds))

    async def _worker(self, turn: Turn) -> "_Worker":
        """Return the idle worker that was used last, or a new worker if none is idle.

        A server with few games therefore needs few workers.
        """
        idle = self._idle[turn.reserved]
        while idle:
            worker = idle.pop()
            if worker in self._alive:
                return worker
        # The worker gets its own session, so that signals from the terminal of the server do not reach it.
        _, worker = await asyncio.get_running_loop().subprocess_exec(
            lambda: _Worker(self._alive), *self._command, stderr=None, start_new_session=True
        )
        if self._closed:  # the pool was closed while the worker was starting
            worker.kill()
        return worker


class _WorkerFailed(Exception):  # noqa: N818  # describes the worker
    """A worker returned no move. The message says why. It contains nothing from the request."""


class _Worker(asyncio.SubprocessProtocol):
    """A worker process and its pipes. It handles one request at a time. It is in the set `alive` until it has ended."""

    def __init__(self, alive: "set[_Worker]") -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._alive = alive
        self._answer: asyncio.Future[bytes] | None = None
        self._received = b""
        self._start = START

    async def request(self, request: bytes, seconds: float) -> bytes:
        """Send a request and return the answer. Raise `_WorkerFailed` if no answer arrives in time."""
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
        """Kill the process. The process has no state that must be saved."""
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
