"""The scheduler: does at the tables what nobody asks for. Computers think, clocks run out, people come and go.

After a restart it picks up every table that waits for a computer, and every second those whose time has come.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Protocol

from jaipur.rules import Move, Seat, View
from jaipur.server import gc_tuning as memory
from jaipur.server.live.tables import Command, TableService, nothing
from jaipur.table.events import LogEntry
from jaipur.table.options import DAY
from jaipur.table.refusals import Refused
from jaipur.table.table import Table

log = logging.getLogger(__name__)

LOOK_EVERY = 1.0
COMPARE_EVERY = 5.0
TIDY_EVERY = 60.0
SWEEP_EVERY = 600.0
KEPT_FOR = 120.0
"""A table nobody uses stays loaded for so many seconds."""
OPEN_FOR = 7 * DAY
"""A table nobody came to is forgotten after this."""
AWAY_AFTER = 20.0
"""A trader whose last stream has ended counts as gone after so many seconds."""


class Thinks(Protocol):
    """Whoever thinks for the computers."""

    async def choose(self, level: str, view: View, moves: Sequence[Move]) -> Move: ...


class Scheduler:
    """Keeps the tables of a tables going."""

    def __init__(self, tables: TableService, thinkers: Thinks) -> None:
        self._tables = tables
        self._thinkers = thinkers
        self._thinking: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        tables.after_act.append(self._let_computers_think)

    def start(self) -> None:
        self._spawn(self._pick_up())
        self._spawn(self._every(LOOK_EVERY, self._look_after_due))
        self._spawn(self._every(COMPARE_EVERY, self._tables.compare))
        self._spawn(self._every(TIDY_EVERY, self._tidy))
        self._spawn(self._every(SWEEP_EVERY, self._sweep))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def stream_closed(self, name: str, seat: Seat) -> None:
        """A stream of a seat has ended; if none comes in its place, the trader has left."""
        self._spawn(self._leave_later(name, seat))

    def stream_opened(self, name: str, seat: Seat) -> None:
        """A stream of a seat has begun; a trader who had left is back."""
        loaded = self._tables.loaded.get(name)
        if loaded is not None and loaded.table.away[seat]:
            self._spawn(self._act(name, lambda table: table.rejoin(seat)))

    def heard(self, name: str, version: int) -> None:
        """Another process has changed a table."""
        self._tables.fall_behind(name, version)
        self._spawn(self._catch_up(name))

    def missed(self) -> None:
        """Other processes may have changed any table without our hearing of it."""
        self._tables.fall_behind()
        self._spawn(self._catch_up_all())

    async def _catch_up_all(self) -> None:
        for name in list(self._tables.loaded):
            await self._catch_up(name)

    async def _catch_up(self, name: str) -> None:
        """Let happen here what was kept, where it has not. What fails is tried again at the next look."""
        loaded = self._tables.loaded.get(name)
        if loaded is None or not loaded.lags:
            return
        ours = loaded.spoilt
        try:
            async with self._tables.locked(name) as table:
                if ours:
                    self._let_computers_think(table)
        except Exception as error:
            log.warning("table %s cannot catch up yet: %s", name, error)
        # Who left a stream of another process may still be listening here.
        for subscriber in list(self._tables.subscribers(name)):
            if subscriber.audience is not None:
                self.stream_opened(name, subscriber.audience)

    def _let_computers_think(self, table: Table, _entries: Sequence[LogEntry] = ()) -> None:
        if table.status.computer and table.id not in self._thinking:
            self._thinking.add(table.id)
            self._spawn(self._think(table.id))

    async def _think(self, name: str) -> None:
        """Move for the computer of a table as long as it is to move."""
        try:
            while True:
                async with self._tables.locked(name) as table:
                    seat, seen = table.turn, table.version
                    if seat is None or table.chairs[seat].player != "computer":
                        return
                    level, view = table.chairs[seat].name, table.game.view(seat)
                    moves = table.game.legal_moves()
                move = str(await self._thinkers.choose(level, view, moves))
                await self._act(name, _played(seat, move, seen))
        finally:
            self._thinking.discard(name)

    async def _pick_up(self) -> None:
        for name in await self._tables.store.waiting_for_computers():
            await self._see_to(name)

    async def _look_after_due(self) -> None:
        await self._catch_up_all()
        for name in await self._tables.store.due(self._tables.now()):
            await self._see_to(name)

    async def _see_to(self, name: str) -> None:
        """Let a table go on; one that cannot be read must not keep the others waiting."""
        try:
            await self._act(name, nothing)
            async with self._tables.locked(name) as table:
                self._let_computers_think(table)
        except Exception:
            log.exception("table %s cannot go on", name)

    async def _act(self, name: str, decide: Command) -> None:
        try:
            await self._tables.act(name, decide)
        except Refused as refused:
            log.debug("table %s: %s", name, refused)

    async def _leave_later(self, name: str, seat: Seat) -> None:
        await asyncio.sleep(AWAY_AFTER)
        if not any(subscriber.audience == seat for subscriber in self._tables.subscribers(name)):
            await self._act(name, lambda table: table.leave(seat))

    async def _tidy(self) -> None:
        """Unload what nobody uses, forget what nobody came to."""
        self._tables.unload(time.monotonic() - KEPT_FOR)
        await self._tables.store.sweep(self._tables.now() - OPEN_FOR)

    async def _sweep(self) -> None:
        memory.sweep()

    async def _every(self, seconds: float, job: Callable[[], Coroutine[None, None, None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await job()
            except Exception:
                log.exception(
                    "what the scheduler does every %g seconds failed; it goes on", seconds
                )

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("the scheduler failed at a table", exc_info=task.exception())


def _played(seat: Seat, move: str, seen: int) -> Command:
    return lambda table: table.play(seat, move, seen)
