"""Background jobs of the tables: turns of computer players, clocks, presence of players and clean-up.

After a restart the scheduler continues the turns of computer players at all tables. Every second it checks the tables
that are due.
"""

import asyncio
import gc
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from functools import partial

from jaipur.rules import Move, Seat, View
from jaipur.server.live.background import BackgroundTasks, repeat
from jaipur.server.live.loaded import LoadedTable
from jaipur.server.live.sweep import Sweep
from jaipur.server.live.tables import Command, TableService, no_command
from jaipur.server.workers.pool import ChosenMove
from jaipur.table.events import LogEntry
from jaipur.table.options import SECOND
from jaipur.table.refusals import Refused
from jaipur.table.table import Table

ChooseMove = Callable[[str, View, Sequence[Move], str], Awaitable[ChosenMove]]
"""A function that chooses a move for a level and a client."""

current_client: ContextVar[str] = ContextVar("current_client", default="")
"""The address of the client whose request runs now. If a request starts a computer's turn, the turn inherits it."""

log = logging.getLogger(__name__)

DUE_EVERY = 1.0
CLEAN_UP_EVERY = 60.0
COLLECT_EVERY = 600.0
UNLOAD_AFTER = 120.0
"""A table that is not used for this many seconds is unloaded."""
AWAY_AFTER = 20.0
"""A player without a stream for this many seconds counts as away."""


class Scheduler:
    """Runs the background jobs of the tables in this process."""

    def __init__(self, tables: TableService, choose_move: ChooseMove) -> None:
        self._tables = tables
        self._choose_move = choose_move
        self._computing: set[str] = set()
        """The tables for which a computer move is being computed."""
        self._sweep = Sweep(tables, self._visit)
        self._tasks = BackgroundTasks()
        tables.after_append.append(self._start_computer_turn)
        tables.after_catch_up.append(self._caught_up)

    def start(self) -> None:
        self._tasks.spawn(self._resume_computers())
        self._tasks.spawn(repeat(DUE_EVERY, self._sweep.visit_due))
        self._tasks.spawn(repeat(CLEAN_UP_EVERY, self._clean_up))
        self._tasks.spawn(repeat(COLLECT_EVERY, self._collect))

    async def close(self) -> None:
        await self._tasks.close()

    def stream_opened(self, table_id: str, seat: Seat) -> None:
        """Mark a player who was away as present."""
        loaded = self._tables.loaded.get(table_id)
        if loaded is not None and loaded.table.away[seat]:
            self._tasks.spawn(self._act(table_id, lambda table: table.rejoin(seat)))

    def stream_closed(self, table_id: str, seat: Seat) -> None:
        """Mark a player as away, unless the player opens another stream soon."""
        self._tasks.spawn(self._leave_later(table_id, seat))

    async def _leave_later(self, table_id: str, seat: Seat) -> None:
        await asyncio.sleep(AWAY_AFTER)
        if not any(each.audience == seat for each in self._tables.subscribers(table_id)):
            await self._act(table_id, lambda table: table.leave(seat))

    def _caught_up(self, loaded: LoadedTable, reloaded: bool) -> None:
        # The process that stored a move also starts the computer turn after it.
        if reloaded:
            self._start_computer_turn(loaded.table)
        # A player who closed a stream of another process may have a stream of this process.
        for seat in {each.audience for each in loaded.subscribers}:
            if seat is not None:
                self.stream_opened(loaded.table.id, seat)

    def _start_computer_turn(self, table: Table, _entries: Sequence[LogEntry] = ()) -> None:
        if table.status.computer and table.id not in self._computing:
            self._computing.add(table.id)
            self._tasks.spawn(self._play_computer(table.id))

    async def _play_computer(self, table_id: str) -> None:
        """Play the computer's moves while it is the computer's turn."""
        try:
            while True:
                async with self._tables.locked(table_id) as table:
                    seat, version = table.turn, table.version
                    if seat is None or table.chairs[seat].player != "computer":
                        return
                    level, view = table.chairs[seat].name, table.game.view(seat)
                    moves = table.game.legal_moves()
                chosen = await self._choose_move(level, view, moves, current_client.get())
                took = round(chosen.seconds * SECOND)
                play = partial(
                    Table.play, seat=seat, move=chosen.move, seen_version=version, took=took
                )
                await self._act(table_id, play)
        finally:
            self._computing.discard(table_id)

    async def _resume_computers(self) -> None:
        for table_id in await self._tables.store.waiting_for_computers():
            await self._visit(table_id)
            await asyncio.sleep(0)

    async def _visit(self, table_id: str) -> bool:
        """Apply the events that are due. Return whether there was an event.

        Errors are logged, so that a table that cannot be read does not block other tables.
        """
        try:
            async with self._tables.locked(table_id) as table:
                version = table.version
            await self._act(table_id, no_command)
            async with self._tables.locked(table_id) as table:
                self._start_computer_turn(table)
                return table.version > version
        except Exception:
            log.exception("table %s cannot be visited", table_id)
            return False

    async def _act(self, table_id: str, command: Command) -> None:
        try:
            await self._tables.act(table_id, command)
        except Refused as refused:
            log.debug("table %s: %s", table_id, refused)

    async def _clean_up(self) -> None:
        self._tables.unload(time.monotonic() - UNLOAD_AFTER)
        await self._sweep.delete_unjoined()

    async def _collect(self) -> None:
        gc.collect()
