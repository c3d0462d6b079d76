"""Opens as many tables as in a whole day: benchmarks/run soak [--tables N] [--keep DAYS] [--python PYTHON]

Visitors open, play, abandon and rematch N tables as fast as the server answers. Each visitor has its own address. Every
few seconds a line shows the server's memory, file descriptors and database. Ctrl-C ends the visits early. With --keep,
half of the stored tables then get times that are more than DAYS days old. After the clean-up the tables are counted.
"""

import argparse
import asyncio
import random
import secrets
import sqlite3
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chaos.client import Client, ResponseLostError
from chaos.process import ServerProcess

VISITORS = 16
EVERY = 10.0
"""The seconds between two lines of output."""
DAY_MS = 24 * 3600 * 1000
UNJOINED_DAYS = 7
"""The server deletes a table that nobody joins after this many days."""


@dataclass
class Visits:
    """Counts what the visitors have done so far."""

    wanted: int
    opened: int = 0
    rematches: int = 0
    moves: int = 0
    finished: int = 0
    failed: int = 0

    @property
    def tables(self) -> int:
        return self.opened + self.rematches


async def visit(port: int, visits: Visits) -> None:
    """Make visits, each from a random address, until there are enough tables."""
    while visits.tables < visits.wanted:
        address = (
            f"127.{random.randrange(2, 250)}.{random.randrange(250)}.{random.randrange(1, 250)}"
        )
        async with Client(port, address) as client:
            try:
                await _visit(client, visits)
            except ResponseLostError:
                visits.failed += 1


async def _visit(client: Client, visits: Visits) -> None:
    """Make one visit. Abandon two tables that nobody joins. Play a few moves at a third table, resign, offer a rematch.

    Abandon the table of the rematch.
    """
    secret = secrets.token_urlsafe(24)
    for wanted in ({"against": "friend"}, {"against": "one_screen"}):
        await _open(client, visits, wanted, secret)
    path = await _open(client, visits, {"against": "computer", "level": "random"}, secret)
    for _ in range(random.randrange(3)):
        table = (await client.call("GET", path, None, secret)).json()
        if table["moves"]:
            body = {"move": random.choice(table["moves"]), "version": table["version"]}
            answer = await client.call("POST", f"{path}/play", body, secret)
            visits.moves += answer.status == 200
    answer = await client.call("POST", f"{path}/resign", None, secret)
    visits.finished += answer.status == 200
    answer = await client.call("POST", f"{path}/rematch", None, secret)
    visits.rematches += answer.status == 200


async def _open(client: Client, visits: Visits, wanted: dict[str, str], secret: str) -> str:
    answer = await client.call("POST", "/api/tables", wanted, secret)
    assert answer.status == 201, answer
    visits.opened += 1
    return f"/api/tables/{answer.json()['id']}"


HEAD = (
    "| seconds | tables | a second | moves | failed | server MB | all processes MB | descriptors | database MB |\n"
    "|" + " ---: |" * 9
)


async def sample(server: ServerProcess, visits: Visits, folder: Path) -> None:
    """Print a line every few seconds."""
    began = time.monotonic()
    while True:
        await asyncio.sleep(EVERY)
        seconds = time.monotonic() - began
        own, tree = server.memory()
        size = sum(file.stat().st_size for file in folder.glob("tables.sqlite*")) / 1e6
        print(
            f"| {seconds:.0f} | {visits.tables:,} | {visits.tables / seconds:.0f} | {visits.moves:,} | {visits.failed}"
            f" | {own:.0f} | {tree:.0f} | {server.descriptors()} | {size:.0f} |",
            flush=True,
        )


async def visit_all(server: ServerProcess, visits: Visits, folder: Path, rest: float) -> None:
    sampling = asyncio.create_task(sample(server, visits, folder))
    try:
        await asyncio.gather(*(visit(server.port, visits) for _ in range(VISITORS)))
        await asyncio.sleep(rest)
    finally:
        sampling.cancel()


def count_tables(database: Path) -> dict[str, int]:
    """Return the number of stored tables by phase."""
    connection = sqlite3.connect(database, timeout=30)
    found = dict(connection.execute("SELECT phase, count(*) FROM tables GROUP BY phase").fetchall())
    connection.close()
    return found


def make_half_old(database: Path, days: int) -> None:
    """Move the times of half of the tables into the past. Table ids are random hexadecimal digits."""
    connection = sqlite3.connect(database, timeout=30)
    with connection:
        connection.execute(
            "UPDATE tables SET touched_at = touched_at - ? WHERE id < '8'", [days * DAY_MS]
        )
    connection.close()


def retained(database: Path, wait: float) -> dict[str, int]:
    """Return the stored tables when the clean-up has deleted no more for a minute, or after `wait` seconds."""
    found = count_tables(database)
    deadline, unchanged = time.monotonic() + wait, 0
    while time.monotonic() < deadline and unchanged < 8:
        time.sleep(10)
        before, found = found, count_tables(database)
        unchanged = unchanged + 1 if found == before else 0
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tables", type=int, default=200_000, metavar="N")
    keep = "pass --keep DAYS to the server, and show what it deletes afterwards"
    parser.add_argument("--keep", type=int, metavar="DAYS", help=keep)
    rest = "seconds without visits at the end, until the server has unloaded the tables"
    parser.add_argument("--rest", type=float, default=150.0, help=rest)
    python = "interpreter of the server (default: this one)"
    parser.add_argument("--python", default=sys.executable, help=python)
    parser.add_argument(
        "--option", action="append", default=[], help="another option of the server"
    )
    options = parser.parse_args()
    keeping = [] if options.keep is None else ["--keep", str(options.keep)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = ServerProcess(
            folder / "log",
            f"sqlite:///{folder}/tables.sqlite",
            *("--limit", "0", "--tables", "0", *keeping, *options.option),
            python=options.python,
        )
        visits = Visits(options.tables)
        print(HEAD)
        try:
            with suppress(KeyboardInterrupt):
                asyncio.run(visit_all(server, visits, folder, options.rest))
            print(f"\n{visits}\nStored: {count_tables(folder / 'tables.sqlite')}", flush=True)
            if options.keep is not None:
                days = max(options.keep, UNJOINED_DAYS) + 1
                make_half_old(folder / "tables.sqlite", days)
                left = retained(folder / "tables.sqlite", 600)
                print(f"Stored, half of the tables {days} days older: {left}")
        finally:
            server.kill()
            print((folder / "log").read_text()[-2000:], file=sys.stderr)


if __name__ == "__main__":
    main()
