"""Computers think outside the event loop: worker processes choose the moves, first come first served.

A worker is handed a `View` and its legal moves, nothing else. One that is late, dead or talks nonsense is replaced and
the move is asked for again, so that a move always comes. How a worker thinks is in `thinking`.
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
from jaipur.players.external.protocol import SEED_LIMIT, MoveRequest, write_request
from jaipur.rules import Move, View

SECONDS = 0.5
"""What a level that searches may think about a move."""
MARGIN = 5.0
"""Seconds on top before a worker counts as lost, for a machine that has much to do."""
START = 5.0
"""Seconds more for the first move of a worker, which has to load."""
ATTEMPTS = 3
SUBSTITUTE, LAST_RESORT = "merchant", "greedy"
"""Who moves where a level fails again and again; and where no worker answers, at once in the event loop."""
WORKER = (sys.executable, "-P", "-m", "jaipur.server.workers.worker")

_LONGEST_ANSWER = 1000
_NAMES = frozenset(level.name for level in LEVELS)

logger = logging.getLogger(__name__)


class Stopped(Exception):  # noqa: N818  # it is an answer, not a mistake
    """The thinkers were closed before a move was chosen."""


class WorkerPool:
    """At most so many workers, each a process that serves every level; they start when there is need of them."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        seconds: float = SECONDS,
        margin: float = MARGIN,
        observe: Callable[[str, float], None] = lambda _level, _seconds: None,
        command: Sequence[str] = WORKER,
    ) -> None:
        """As many workers as cores by default. `observe` is told the level and the seconds of every thought."""
        self.restarts = 0
        """Workers that failed and were replaced."""
        self._workers = workers or os.cpu_count() or 1
        self._budget = Budget(seconds=seconds)
        self._limit = seconds + margin
        self._observe = observe
        self._command = command
        self._turns = asyncio.Semaphore(self._workers)
        self._alive: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._closed = False

    async def start(self) -> None:
        """Begin a worker, which loads while the server goes on. The others begin when they are needed."""
        if self._closed:
            return
        async with self._turns:
            try:
                self._idle.append(await self._worker())
            except OSError as error:
                logger.warning("A thinker does not start: %s", error.strerror)

    async def close(self) -> None:
        """End every worker; nothing of them is left afterwards. Whoever still waits for a move gets `Stopped`."""
        if self._closed:
            return
        self._closed = True
        for worker in self._alive:
            worker.end()
        # A semaphore is fair: with every turn in our hands, nobody is asking any more.
        for _ in range(self._workers):
            await self._turns.acquire()
        await asyncio.gather(*(worker.gone for worker in self._alive))

    async def choose(self, level: str, view: View, moves: Sequence[Move]) -> Move:
        """One of the legal moves, by a level of the registry. Cancelling it ends the thought."""
        if level not in _NAMES:
            raise NoSuchPlayer("There is no such level.")
        self._check_open()
        async with self._turns:
            for asked in (*[level] * ATTEMPTS, SUBSTITUTE):
                self._check_open()
                try:
                    return await self._ask(asked, view, moves)
                except (_Failed, OSError) as failure:
                    self._check_open()
                    self.restarts += 1
                    logger.warning("A thinker fails as %s: %s", asked, failure)
        logger.warning("No thinker answers as %s: %s moves instead", level, LAST_RESORT)
        return player_named(LAST_RESORT).choose(view, moves, secrets.SystemRandom(), NO_BUDGET)

    def _check_open(self) -> None:
        if self._closed:
            raise Stopped

    async def _ask(self, level: str, view: View, moves: Sequence[Move]) -> Move:
        seed = secrets.randbelow(SEED_LIMIT)
        request = write_request(MoveRequest(view, moves, self._budget, seed))
        # The seed is different every time, so no answer is taken for that to another question.
        answers = {f"{seed} {move}\n".encode(): move for move in moves}
        began = perf_counter()
        worker = await self._worker()
        try:
            said = await worker.ask(f"{level} {request}\n".encode(), self._limit)
            if said not in answers:
                raise _Failed("its answer is no legal move")
        except BaseException:
            worker.end()
            raise
        self._idle.append(worker)
        self._observe(level, perf_counter() - began)
        return answers[said]

    async def _worker(self) -> "_Worker":
        """The worker that was idle for the shortest time, so that a quiet service needs few; or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if worker in self._alive:
                return worker
        # In a session of its own, out of reach of what is typed at the server's terminal.
        _, worker = await asyncio.get_running_loop().subprocess_exec(
            lambda: _Worker(self._alive), *self._command, stderr=None, start_new_session=True
        )
        if self._closed:  # while it was starting
            worker.end()
        return worker


class _Failed(Exception):  # noqa: N818  # said of a worker
    """A worker gave no move. The text says why, and nothing of the question."""


class _Worker(asyncio.SubprocessProtocol):
    """One process and its pipes, asked one question at a time; it stands among the living until it is reaped."""

    def __init__(self, alive: "set[_Worker]") -> None:
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._alive = alive
        self._answer: asyncio.Future[bytes] | None = None
        self._said = b""
        self._start = START

    async def ask(self, line: bytes, seconds: float) -> bytes:
        """What it says to a line; `_Failed` where it says nothing in time."""
        pipe = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))
        if pipe.is_closing() or self._transport.get_returncode() is not None:
            raise _Failed("it had ended before")
        pipe.write(line)
        self._answer = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds + self._start):
                said = await self._answer
        except TimeoutError:
            raise _Failed(f"no answer in {seconds + self._start:g} s") from None
        finally:
            self._answer = None
        self._start = 0.0
        return said

    def end(self) -> None:
        """Kill it: a worker has nothing to lose, and whatever it says from now on is said to nobody."""
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._alive.add(self)

    def pipe_data_received(self, fd: int, data: bytes) -> None:  # noqa: ARG002  # there is one to read
        self._said += data
        if not self._said.endswith(b"\n") and len(self._said) <= _LONGEST_ANSWER:
            return
        if self._answer is None:
            self.end()
        elif not self._answer.done():
            self._answer.set_result(self._said)
        self._said = b""

    def process_exited(self) -> None:
        if self._answer is not None and not self._answer.done():
            status = self._transport.get_returncode()
            self._answer.set_exception(_Failed(f"it ended with status {status}"))
        self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # it is gone either way
        self._alive.discard(self)
        self.gone.set_result(None)
