"""Load test: benchmarks/run load [--games N] [--seconds N] [--database URL] [--further] [--foreign N] [--old CHECKOUT]

The benchmark starts `jaipur serve` on this machine and opens the games. It reads the stream of every seat and plays a
move in each game every three seconds. Then it sends requests at the same rate to a minimal server that only writes a
row. Clients and server share the machine, so a server alone on this machine could serve more games.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import uvloop

from http_client import Connection, ResponseError

HOST = "127.0.0.1"
STEPS = (1.5, 2.0, 3.0, 4.0, 6.0)
"""With `--further`, the pace is multiplied by these factors, until 1 % of the moves take longer than 100 ms."""
MAX_LATENCY = 0.1  # seconds
STRONG = "grand-maharaja"
GREEDY = 20
"""With `--foreign`, the number of games of other people against `greedy`."""


class TableState(msgspec.Struct):
    """The fields of a table that a client needs."""

    moves: list[str]
    phase: str


class Message(msgspec.Struct):
    """The fields of a stream message that a client needs."""

    version: int
    table: TableState


_read = msgspec.json.Decoder(Message).decode


@dataclass
class Tally:
    """The measurements of one phase."""

    acknowledged: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    """The seconds until each move arrived in the stream of the other seat."""
    replies: list[float] = field(default_factory=list)
    """The seconds from a person's move to the move of `greedy`."""
    errors: list[str] = field(default_factory=list)
    games: int = 0


@dataclass
class Pace:
    """How fast the clients play. They read `every`, the mean seconds between two moves of a game, before every move."""

    every: float
    tally: Tally = field(default_factory=Tally)
    over: bool = False


class Server:
    """A server process. It reports its CPU time and memory."""

    def __init__(self, command: list[str], port: int, environment: dict[str, str]) -> None:
        self.port = port
        self._process = subprocess.Popen(
            command, env=os.environ | environment, cwd=Path(__file__).parent
        )

    def cpu(self) -> float:
        """Return the CPU seconds used so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Return the resident memory in megabytes."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)


@contextmanager
def started(command: list[str], **environment: str) -> Iterator[Server]:
    """Start a server and wait until it accepts connections. `{port}` in the command is replaced by a free port."""
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    server = Server([part.format(port=port) for part in command], port, environment)
    try:
        for _ in range(200):
            try:
                socket.create_connection((HOST, port)).close()
                break
            except OSError:
                time.sleep(0.1)
        yield server
    finally:
        server.stop()


def address(number: int) -> str:
    """Return the loopback address of a client. Every game has its own address."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


class Game:
    """Two clients at one table that play random moves at the given pace."""

    def __init__(self, port: int, pace: Pace, client: str) -> None:
        self._port = port
        self._pace = pace
        self._client = client
        self._connection = Connection(HOST, port, client)
        self._secrets = ["", ""]
        self._messages: asyncio.Queue[tuple[int, Message]] = asyncio.Queue()
        self._sent = 0.0

    async def play(self) -> None:
        while not self._pace.over:
            table = await self._open()
            streams = [Connection(HOST, self._port, self._client) for _ in range(2)]
            following = [
                asyncio.create_task(self._follow(streams[seat], table, seat)) for seat in range(2)
            ]
            try:
                await self._play(table)
                self._pace.tally.games += 1
            finally:
                for task in following:
                    task.cancel()
                for stream in streams:
                    stream.close()

    async def _open(self) -> str:
        opened = await self._request("/api/tables", {"against": "friend", "seat": 0})
        self._secrets[0] = opened["secret"]
        taken = await self._request(
            f"/api/tables/{opened['id']}/seat", {"invitation": opened["invitation"]}
        )
        self._secrets[1] = taken["secret"]
        return str(opened["id"])

    async def _play(self, table: str) -> None:
        """Play until the game is over."""
        chosen = -1
        while not self._pace.over:
            seat, message = await self._messages.get()
            if message.table.phase == "over":
                return
            if not message.table.moves or message.version <= chosen:
                continue
            await asyncio.sleep(self._pace.every * random.uniform(0.5, 1.5))
            chosen = message.version
            body = {"move": random.choice(message.table.moves), "version": message.version}
            self._sent = time.perf_counter()
            try:
                await self._request(f"/api/tables/{table}/play", body, self._secrets[seat])
            except (ResponseError, OSError, asyncio.IncompleteReadError) as error:
                self._pace.tally.errors.append(str(error))
                return
            self._pace.tally.acknowledged.append(time.perf_counter() - self._sent)

    async def _follow(self, stream: Connection, table: str, seat: int) -> None:
        async for line in stream.stream(f"/api/tables/{table}/events.ndjson", self._secrets[seat]):
            if len(line) > 1:
                message = _read(line)
                if message.table.moves and self._sent:
                    self._pace.tally.seen.append(time.perf_counter() - self._sent)
                self._messages.put_nowait((seat, message))

    async def _request(
        self, path: str, body: dict[str, object], secret: str = ""
    ) -> dict[str, str]:
        answer = await self._connection.request("POST", path, json.dumps(body).encode(), secret)
        read: dict[str, str] = json.loads(answer)
        return read


class ComputerGame:
    """One client that plays random moves against a level, with a pause of about `every` seconds before each move."""

    def __init__(self, port: int, client: str, level: str, every: float) -> None:
        self._port = port
        self._client = client
        self._level = level
        self._every = every

    async def play(self, pace: Pace) -> None:
        while not pace.over:
            await self._game(pace)

    async def _game(self, pace: Pace) -> None:
        connection, stream = (Connection(HOST, self._port, self._client) for _ in range(2))
        wanted = {"against": "computer", "level": self._level}
        opened = json.loads(
            await connection.request("POST", "/api/tables", json.dumps(wanted).encode())
        )
        table, secret, sent = f"/api/tables/{opened['id']}", opened["secret"], 0.0
        async for line in stream.stream(f"{table}/events.ndjson", secret):
            if len(line) < 2:
                continue
            message = _read(line)
            if message.table.phase == "over" or pace.over:
                break
            if not message.table.moves:
                continue
            if sent and self._level == "greedy":
                pace.tally.replies.append(time.perf_counter() - sent)
            await asyncio.sleep(self._every * random.uniform(0.5, 1.5))
            body = {"move": random.choice(message.table.moves), "version": message.version}
            sent = time.perf_counter()
            try:
                await connection.request("POST", f"{table}/play", json.dumps(body).encode(), secret)
            except ResponseError as error:
                pace.tally.errors.append(str(error))
                break
        connection.close()
        stream.close()


@dataclass
class Phase:
    """One line of the report."""

    name: str
    seconds: float
    tally: Tally
    cpu: float
    memory: float

    def line(self) -> str:
        latencies = sorted(self.tally.acknowledged) or [0.0]
        seen = sorted(self.tally.seen) or [0.0]
        count = len(self.tally.acknowledged)
        return (
            f"| {self.name} | {count:,} | {count / self.seconds:,.0f} | {1e3 * _at(latencies, 0.5):.1f} |"
            f" {1e3 * _at(latencies, 0.99):.1f} | {1e3 * latencies[-1]:.0f} | {1e3 * _at(seen, 0.99):.1f} |"
            f" {len(self.tally.errors)} | {100 * self.cpu / self.seconds:.0f} % |"
            f" {1e3 * self.cost():.2f} | {self.memory:.0f} |"
        )

    def cost(self) -> float:
        """Return the CPU seconds of the server per request."""
        return self.cpu / max(1, len(self.tally.acknowledged))

    def replies(self) -> str:
        """Return a sentence about the waiting times for the replies of `greedy`."""
        waits = sorted(self.tally.replies)
        return (
            f"  {len(waits):,} replies of greedy: median {1e3 * _at(waits, 0.5):.0f} ms,"
            f" 99 % {1e3 * _at(waits, 0.99):.0f} ms, slowest {1e3 * waits[-1]:.0f} ms"
        )

    def good(self) -> bool:
        latencies = sorted(self.tally.acknowledged) or [1.0]
        return not self.tally.errors and _at(latencies, 0.99) <= MAX_LATENCY


HEAD = (
    "| phase | requests | per second | median ms | 99 % ms | slowest ms | 99 % seen ms |"
    " errors | server CPU | ms CPU per request | MB |\n" + "| --- |" + " ---: |" * 10
)


def _at(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


async def measure(name: str, server: Server, pace: Pace, seconds: float) -> Phase:
    """Measure a phase and print its line."""
    pace.tally = Tally()
    tally, cpu, began = pace.tally, server.cpu(), time.perf_counter()
    await asyncio.sleep(seconds)
    phase = Phase(name, time.perf_counter() - began, tally, server.cpu() - cpu, server.memory())
    print(phase.line(), flush=True)
    for error in tally.errors[:3]:
        print(f"  {error}")
    if tally.replies:
        print(phase.replies(), flush=True)
    return phase


async def games(name: str, server: Server, options: argparse.Namespace) -> Phase:
    """Play at the given pace. With `--further`, then play faster until the server is too slow."""
    empty = server.memory()
    pace = Pace(options.every)
    playing = []
    for number in range(options.games):
        game = Game(server.port, pace, address(number))
        playing.append(asyncio.create_task(game.play()))
        if number % 10 == 9:
            await asyncio.sleep(0.05)
    if options.foreign:
        others = [
            *(ComputerGame(server.port, "127.0.0.3", STRONG, 0.0) for _ in range(options.foreign)),
            *(
                ComputerGame(server.port, address(options.games + number), "greedy", options.every)
                for number in range(GREEDY)
            ),
        ]
        playing += [asyncio.create_task(other.play(pace)) for other in others]
    await asyncio.sleep(options.every)
    phase = await measure(name, server, pace, options.seconds)
    print(f"  {1024 * (phase.memory - empty) / options.games:.0f} kB per game with both streams")
    for times in STEPS if options.further else ():
        pace.every = options.every / times
        if not (await measure(f"{times:g}× the pace", server, pace, options.step)).good():
            break
    await stop(pace, playing)
    return phase


async def rows(server: Server, options: argparse.Namespace, rate: float) -> Phase:
    """Send requests to the minimal server at the given rate."""
    writers = min(200, options.games)
    pace = Pace(writers / rate)

    async def write() -> None:
        connection = Connection(HOST, server.port)
        body = json.dumps({"move": "+DG-LM", "version": 17}).encode()
        await asyncio.sleep(random.uniform(0, pace.every))
        while not pace.over:
            began = time.perf_counter()
            try:
                await connection.request("POST", "/row", body)
                pace.tally.acknowledged.append(time.perf_counter() - began)
            except ResponseError as error:
                pace.tally.errors.append(str(error))
            await asyncio.sleep(max(0.0, pace.every * random.uniform(0.5, 1.5)))
        connection.close()

    writing = [asyncio.create_task(write()) for _ in range(writers)]
    await asyncio.sleep(1)
    phase = await measure("minimal server", server, pace, min(30.0, options.seconds))
    await stop(pace, writing)
    return phase


async def stop(pace: Pace, tasks: list["asyncio.Task[None]"]) -> None:
    pace.over = True
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            print(f"  a client failed: {result!r}")


def command(python: str, database: str, *arguments: str) -> list[str]:
    """Return the command line of a server without limits."""
    return [
        *(python, "-W", "ignore", "-m", "jaipur", "serve", "--port", "{port}", "--limit", "0"),
        *("--tables", "0", "--database", database, *arguments),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument(
        "--every", type=float, default=3.0, help="seconds between two moves of a game"
    )
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--step", type=float, default=30.0, help="seconds for each faster pace")
    parser.add_argument("--further", action="store_true", help="then faster, until it breaks")
    parser.add_argument("--database", metavar="URL", help="default: a new SQLite file")
    foreign = f"also this many games of one other address against {STRONG}"
    parser.add_argument("--foreign", type=int, default=0, metavar="N", help=foreign)
    old = "another checkout with its .venv: measure it first, instead of the minimal server"
    parser.add_argument("--old", type=Path, metavar="CHECKOUT", help=old)
    options = parser.parse_args()
    # Without this, pauses of the client for garbage collection would count as latency of the server.
    gc.disable()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or f"sqlite:///{folder}/tables.sqlite"
        name = f"{options.games:,} games" + f" and {options.foreign} foreign" * bool(
            options.foreign
        )
        bare = [sys.executable, "bare_server.py", "{port}"]
        print(HEAD)
        if options.old is not None:
            python = str(options.old.resolve() / ".venv" / "bin" / "python")
            with started(command(python, f"sqlite:///{folder}/old.sqlite")) as server:
                uvloop.run(games(f"{name}, old", server, options))
        # Old versions do not have the option.
        unlimited = command(sys.executable, database, "--connections", "0")
        with started(unlimited) as server:
            phase = uvloop.run(games(name, server, options))
        if options.old is not None:
            return
        with started(
            bare, BARE_DATABASE=options.database or f"sqlite:///{folder}/bare.sqlite"
        ) as server:
            rate = len(phase.tally.acknowledged) / phase.seconds
            minimal = uvloop.run(rows(server, options, rate))
    print(
        f"\nA move costs {phase.cost() / minimal.cost():.1f} times the CPU time of a request to the minimal server."
    )


if __name__ == "__main__":
    main()
