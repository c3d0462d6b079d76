"""Servers that tests kill during games, and the comparison of the event log with what players sent and received."""

import asyncio
import multiprocessing
import os
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import median
from urllib.request import urlopen

import sqlalchemy as sa

from jaipur.cli import main
from jaipur.notation import check_fair, read_record
from jaipur.rules import Game
from jaipur.server.live.subscribers import encode_latest
from jaipur.server.store.event_store import EventStore, open_event_store
from jaipur.table.events import LogEntry, Played
from jaipur.table.table import Table
from server.connection import HOST, Connection
from server.serving import TEST_OPTIONS
from server.simulated_players import Session, SimulatedPlayer, short_digest

PLAYED_TO_END = 2
"""The number of tables that play their last game to the end even if the others resign."""

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(
    [
        *("jaipur.cli", "jaipur.server.run", "uvloop", "uvicorn.protocols.http.httptools_impl"),
        *("uvicorn.lifespan.on", "redis.asyncio", "sqlalchemy.dialects.postgresql.asyncpg"),
    ]
)


def _serve(log: Path, arguments: list[str]) -> None:
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    raise SystemExit(main(["serve", *arguments]))


class CrashServer:
    """A server that is killed and restarted on the same port.

    It is forked from a process that has imported everything, so that it starts quickly.
    """

    def __init__(self, log: Path, url: str, *arguments: str) -> None:
        self.port = 0
        self._log = log
        self._arguments = [*TEST_OPTIONS, "--database", url, *arguments]
        self.start()

    def start(self) -> None:
        self._log.touch()
        begun = self._log.stat().st_size
        arguments = [*self._arguments, "--port", str(self.port)]
        self.process = _forks.Process(target=_serve, args=(self._log, arguments), daemon=True)
        self.process.start()
        deadline = time.monotonic() + 60
        while not (found := re.search(rb"open at \S+:(\d+)", self._log.read_bytes()[begun:])):
            assert self.process.is_alive(), self._log.read_bytes()[begun:]
            assert time.monotonic() < deadline, "it does not start"
            time.sleep(0.01)
        self.port = int(found[1])

    def wait(self) -> None:
        """Wait until the server answers."""
        with urlopen(f"http://{HOST}:{self.port}/health", timeout=60) as response:
            assert response.status == 200

    def kill(self) -> None:
        self.process.kill()
        self.process.join()


@asynccontextmanager
async def games(
    url: str,
    servers: Sequence[CrashServer],
    seed: int,
    levels: Sequence[str | None],
    last_moves: int | None,
) -> AsyncIterator[Session]:
    """Concurrent games, one per level; None is a game of two people. At the end everything is compared."""
    print(f"seed {seed}")
    session = Session([server.port for server in servers], Random(seed))
    async with asyncio.TaskGroup() as group:
        playing = [
            group.create_task(session.play(level, None if number < PLAYED_TO_END else last_moves))
            for number, level in enumerate(levels)
        ]
        await session.until(lambda: session.done > len(levels))
        yield session
        session.closing = True
        await session.until(lambda: all(task.done() for task in playing), 240)
    store = await open_event_store(url)
    try:
        await compare(session, store)
    finally:
        await store.close()


async def some_moves(session: Session) -> None:
    """Wait for some moves, then for a random time within the next ones."""
    done = session.done + session.rng.choice((0, 20, 60))
    await session.until(lambda: session.done >= done)
    await asyncio.sleep(session.rng.uniform(0, 0.2))


async def compare(session: Session, store: EventStore) -> None:
    """Compare everything the players sent and received with the event log."""
    inconsistent = "SELECT id FROM tables WHERE version <> (SELECT max(version) FROM entries WHERE table_id = id)"
    assert not await store._database.read(lambda found: found.scalars(sa.text(inconsistent)).all())
    figures = Counter[str]()
    with session.connection() as connection:
        for player in session.players:
            entries = await store.read(player.table)  # fails if a version is missing
            figures += _compare_with_log(player, entries)
            await _compare_with_record(connection, player, entries)
    print(f"{dict(figures)}, retried: {dict(session.lost)}")
    if delays := sorted(_delays_between_processes(session)):
        print(
            f"ms to the other process: median {median(delays)}, 99 % {delays[len(delays) * 99 // 100]}"
        )
    session.figures = figures


def _compare_with_log(player: SimulatedPlayer, entries: list[LogEntry]) -> Counter[str]:
    table, expected, stored = (
        Table(player.table),
        list[tuple[int, bytes]](),
        list[tuple[int, str]](),
    )
    for entry in entries:
        table.apply(entry)
        expected.append((entry.version, short_digest(encode_latest(table, player.seat).body)))
        if isinstance(entry.event, Played) and entry.event.seat == player.seat:
            stored.append((entry.version, entry.event.move))
        if table.over is not None:
            break
    assert [(done.version, done.move) for done in player.done] == stored, player
    received = [(each.version, each.content) for each in player.received]
    balance = Counter(version for version, _ in received)
    balance.subtract(version for version, _ in expected)
    assert not any(balance.values()), (
        f"{player}, duplicated and missing versions: {+balance} {-balance}"
    )
    assert received == expected, player
    assert table.over is not None, player
    again = [done for done in player.done if done.response.tries > 1]
    return Counter(
        {
            "persons": 1,
            "moves acknowledged": len(stored),
            "after a retry": len(again),
            "stored before the retry": sum(
                entries[done.version - 1].at < done.response.sent_at for done in again
            ),
            "played out": int(table.over.by == "seals"),
        }
    )


async def _compare_with_record(
    connection: Connection, player: SimulatedPlayer, entries: list[LogEntry]
) -> None:
    path = f"/api/tables/{player.table}/record"
    status, text = await connection.request("GET", path, player.secret)
    assert status == 200, text
    record = read_record(text.decode())
    Game.from_record(record)
    assert all(check_fair(played) for played in record.rounds), player
    moves = [str(move) for played in record.rounds for move in played.moves]
    assert moves == [entry.event.move for entry in entries if isinstance(entry.event, Played)]


def _delays_between_processes(session: Session) -> list[int]:
    """Milliseconds from a move at one process to a stream of the other."""
    ports = {
        (player.table, done.version): done.response.port
        for player in session.players
        for done in player.done
    }
    return [
        received.delay
        for player in session.players
        for received in player.received
        if received.delay is not None
        and ports.get((player.table, received.version), received.port) != received.port
    ]
