"""Servers to be killed under those who play there, and the comparison of what was kept with what was sent and heard."""

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
from jaipur.server.store.event_store import SqlEventStore, open_event_store
from jaipur.table.events import LogEntry, Played
from jaipur.table.table import Table
from server.line import HOST, Line
from server.serving import TEST_OPTIONS
from server.traders import Party, Trader, brief

PLAYED_OUT = 2
"""So many tables play to the end of their last game, also where the others give up."""

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


class Victim:
    """A server that is killed and started again on its port.

    It is the command, forked from a process that has loaded everything, so that a start takes moments.
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
        """Until it answers, so that whatever is taken from it is taken from a server at work."""
        with urlopen(f"http://{HOST}:{self.port}/health", timeout=60) as answer:
            assert answer.status == 200

    def kill(self) -> None:
        self.process.kill()
        self.process.join()


@asynccontextmanager
async def games(
    url: str,
    servers: Sequence[Victim],
    seed: int,
    levels: Sequence[str | None],
    last_moves: int | None,
) -> AsyncIterator[Party]:
    """A game at once for each level, None for two persons. At the end they are played on, and all is compared."""
    print(f"seed {seed}")
    party = Party([server.port for server in servers], Random(seed))
    async with asyncio.TaskGroup() as group:
        playing = [
            group.create_task(party.play(level, None if number < PLAYED_OUT else last_moves))
            for number, level in enumerate(levels)
        ]
        await party.until(lambda: party.done > len(levels))
        yield party
        party.closing = True
        await party.until(lambda: all(task.done() for task in playing), 240)
    storage = await open_event_store(url)
    try:
        await compare(party, storage)
    finally:
        await storage.close()


async def some_moves(party: Party) -> None:
    """Wait until the games have gone on, and then for some moment in the middle of the next moves."""
    done = party.done + party.rng.choice((0, 20, 60))
    await party.until(lambda: party.done >= done)
    await asyncio.sleep(party.rng.uniform(0, 0.2))


async def compare(party: Party, storage: SqlEventStore) -> None:
    """Everything the traders sent and heard with what was kept."""
    torn = "SELECT id FROM tables WHERE version <> (SELECT max(version) FROM entries WHERE table_id = id)"
    assert not await storage._database.read(lambda found: found.scalars(sa.text(torn)).all())
    figures = Counter[str]()
    with party.line() as line:
        for trader in party.traders:
            journal = await storage.read(trader.table)  # which fails where a version is missing
            figures += _compare_with_journal(trader, journal)
            await _compare_with_record(line, trader, journal)
    print(f"{dict(figures)}, sent again: {dict(party.lost)}")
    if late := sorted(_late_elsewhere(party)):
        print(f"ms to the other process: median {median(late)}, 99 % {late[len(late) * 99 // 100]}")
    party.figures = figures


def _compare_with_journal(trader: Trader, journal: list[LogEntry]) -> Counter[str]:
    table, told, kept = Table(trader.table), list[tuple[int, bytes]](), list[tuple[int, str]]()
    for entry in journal:
        table.apply(entry)
        told.append((entry.version, brief(encode_latest(table, trader.seat).body)))
        if isinstance(entry.event, Played) and entry.event.seat == trader.seat:
            kept.append((entry.version, entry.event.move))
        if table.over is not None:
            break
    assert [(done.version, done.move) for done in trader.done] == kept, trader
    heard = [(heard.version, heard.content) for heard in trader.heard]
    often = Counter(version for version, _ in heard)
    often.subtract(version for version, _ in told)
    assert not any(often.values()), f"{trader}, too often or too seldom: {+often} {-often}"
    assert heard == told, trader
    assert table.over is not None, trader
    again = [done for done in trader.done if done.answer.tries > 1]
    return Counter(
        {
            "persons": 1,
            "moves acknowledged": len(kept),
            "after a retry": len(again),
            "kept before the retry": sum(
                journal[done.version - 1].at < done.answer.sent for done in again
            ),
            "played out": int(table.over.by == "seals"),
        }
    )


async def _compare_with_record(line: Line, trader: Trader, journal: list[LogEntry]) -> None:
    path = f"/api/tables/{trader.table}/record"
    status, text = await line.ask("GET", path, trader.secret)
    assert status == 200, text
    record = read_record(text.decode())
    Game.from_record(record)
    assert all(check_fair(played) for played in record.rounds), trader
    moves = [str(move) for played in record.rounds for move in played.moves]
    assert moves == [entry.event.move for entry in journal if isinstance(entry.event, Played)]


def _late_elsewhere(party: Party) -> list[int]:
    """Milliseconds from a move at one process to a stream of another."""
    ports = {
        (trader.table, done.version): done.answer.port
        for trader in party.traders
        for done in trader.done
    }
    return [
        heard.late
        for trader in party.traders
        for heard in trader.heard
        if heard.late is not None
        and ports.get((trader.table, heard.version), heard.port) != heard.port
    ]
