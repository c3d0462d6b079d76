"""The queue for workers. It decides which request gets the next free worker.

Quick levels and slow levels have separate queues, and some workers never compute slow levels. Therefore a quick move
waits only for other quick moves. In both queues, the next turn goes to the client that has waited longest since its
last turn. Therefore the requests of one client delay another client by at most one request.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple

MAX_REMEMBERED = 10_000
"""The last turns of at most this many clients are remembered. A client without a remembered turn is next."""


class Turn(NamedTuple):
    """The right to use a worker for one request."""

    reserved: bool
    """Whether the worker is reserved for quick levels."""
    load: float
    """The number of waiting clients times the number of waiting requests of this client, per worker.

    It is at most 1 if nobody has to wait. The budget of a slow level is divided by it. Therefore a client with many
    requests reduces its own budgets. It reduces the budgets of other clients only as much as a client with one request.
    """


class FairQueue:
    """Gives turns to requests. There are at most as many turns at a time as workers."""

    def __init__(self, workers: int, reserved: int) -> None:
        """`reserved` of the workers compute only quick levels."""
        self._shared = workers - reserved
        """The number of workers that compute slow and quick levels."""
        self._free = {True: reserved, False: self._shared}
        """The number of free workers, reserved or not."""
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._slow, self._quick = _Clients(), _Clients()

    @property
    def waiting(self) -> int:
        return self._slow.requests + self._quick.requests

    @asynccontextmanager
    async def turn(self, client: str, *, slow: bool) -> AsyncIterator[Turn]:
        """Wait for a worker, and keep it during the `with` block. A cancelled request leaves the queue."""
        clients = self._slow if slow else self._quick
        granted: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        clients.add(client, granted)
        self._grant()
        try:
            turn = await granted
        except BaseException:
            if granted.done() and not granted.cancelled() and granted.exception() is None:
                self._release(granted.result())
            else:
                clients.remove(client, granted)
            raise
        try:
            yield turn
        finally:
            self._release(turn)

    async def close(self, error: Exception) -> None:
        """Raise an error in all waiting requests, and wait until all running requests have ended."""
        for clients in (self._slow, self._quick):
            while clients.requests:
                granted = clients.pop(clients.next())
                if not granted.done():
                    granted.set_exception(error)
        await self._idle.wait()

    def _grant(self) -> None:
        while self._slow.requests and self._free[False]:
            waiting, client = self._slow.waiting, self._slow.next()
            load = len(waiting) * len(waiting[client]) / self._shared
            self._start(self._slow.pop(client), Turn(reserved=False, load=load))
        while self._quick.requests and any(self._free.values()):
            turn = Turn(reserved=bool(self._free[True]), load=0.0)
            self._start(self._quick.pop(self._quick.next()), turn)

    def _start(self, granted: "asyncio.Future[Turn]", turn: Turn) -> None:
        if granted.done():  # the request was cancelled and has not left the queue yet
            return
        granted.set_result(turn)
        self._free[turn.reserved] -= 1
        self._running += 1
        self._idle.clear()

    def _release(self, turn: Turn) -> None:
        self._free[turn.reserved] += 1
        self._running -= 1
        self._grant()
        if not self._running:
            self._idle.set()


class _Clients:
    """The waiting requests by client."""

    def __init__(self) -> None:
        self.waiting: dict[str, deque[asyncio.Future[Turn]]] = {}
        self.requests = 0
        self._turns = count(1)
        self._last_turn: OrderedDict[str, int] = OrderedDict()
        """By client: the number of its last turn. The lowest number comes first."""

    def add(self, client: str, granted: "asyncio.Future[Turn]") -> None:
        self.waiting.setdefault(client, deque()).append(granted)
        self.requests += 1

    def next(self) -> str:
        """Return the client whose last turn is the longest ago.

        Clients that never had a turn come first, in the order of arrival.
        """
        return min(self.waiting, key=lambda client: self._last_turn.get(client, 0))

    def pop(self, client: str) -> "asyncio.Future[Turn]":
        """Remove the oldest request of a client that gets a turn."""
        granted = self.waiting[client].popleft()
        self._removed(client)
        self._last_turn[client] = next(self._turns)
        self._last_turn.move_to_end(client)
        if len(self._last_turn) > MAX_REMEMBERED:
            self._last_turn.popitem(last=False)
        return granted

    def remove(self, client: str, granted: "asyncio.Future[Turn]") -> None:
        """Remove a cancelled request if it is still in the queue."""
        if granted in self.waiting.get(client, ()):
            self.waiting[client].remove(granted)
            self._removed(client)

    def _removed(self, client: str) -> None:
        self.requests -= 1
        if not self.waiting[client]:
            del self.waiting[client]
