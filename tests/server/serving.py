"""Real servers for tests: `jaipur serve` as a process, the same in a thread, and traders who talk to them."""

import asyncio
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, TypeVar

import httpx
import msgspec
import uvicorn

from jaipur.rules import LETTERS, Deal
from jaipur.server.app import application
from jaipur.server.http.middleware import SecurityHeadersMiddleware
from jaipur.server.live.tables import TableService, system_time
from jaipur.server.settings import Settings
from jaipur.server.store.event_store import open_event_store
from jaipur.table.events import AnyEvent, Chair, Dealt, LogEntry, Opened, Played
from jaipur.table.options import TableOptions
from jaipur.table.state import digest
from jaipur.table.table import Table

QUICK = ("--thinkers", "1", "--think", "10", "--limit", "0", "--tables", "0")
"""No limits, and computers that move at once; what a test gives comes later and counts more."""
PATIENCE = 20.0
OPENAPI_PATH = "/api/schema/openapi.json"

Json = dict[str, Any]
T = TypeVar("T")


class Server:
    """One server process on one port and one file, through any number of starts."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.database = folder / "tables.sqlite"
        self.arguments = arguments
        self.address = ""
        self._log = folder / "server.log"
        self._port = "0"

    def start(self) -> None:
        """Start it, once more on the same port and file; it answers when this returns."""
        begun = len(self.log())
        command = [sys.executable, "-m", "jaipur", "serve", *QUICK, "--port", self._port]
        command += ["--database", f"sqlite:///{self.database}", *self.arguments]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        found = awaited(lambda: self._started(begun))
        self.address, self._port = found[1], found[2]

    def _started(self, begun: int) -> "re.Match[str] | None":
        said = self.log()[begun:]
        assert self.process.poll() is None, f"it ended: {said}"
        return re.search(r"open at (http://[^\s:]+:(\d+)\S*)", said)

    def stop(self) -> int:
        """Ask it to stop, and wait; its exit status."""
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def log(self) -> str:
        """Whatever it has printed, over all its starts."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Server]:
    """A server process with further arguments, ended at the end; its file and its log are in the folder."""
    server = Server(folder, *arguments)
    server.start()
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()


class Hosted:
    """The server in a thread of the test process, over a real socket."""

    def __init__(self, app: SecurityHeadersMiddleware, address: str, folder: Path) -> None:
        self.address = address
        self.database = folder / "tables.sqlite"
        self.http = httpx.Client(base_url=address, timeout=PATIENCE)
        self._app = app.app

    @property
    def tables(self) -> TableService:
        tables: TableService = self._app.state.tables
        return tables


@contextmanager
def hosted(folder: Path, *, send_buffer: int = 0, **settings: object) -> Iterator[Hosted]:
    """A server in a thread, without limits unless the settings say so."""
    chosen = {"requests_a_second": 0, "tables_a_minute": 0, "thinkers": 1, "think_seconds": 0.01}
    given = {"database": f"sqlite:///{folder}/tables.sqlite", **chosen, **settings}
    app = application(msgspec.convert(given, Settings))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        if send_buffer:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            host = Hosted(app, f"http://127.0.0.1:{listening.getsockname()[1]}", folder)
            with host.http:
                host.http.get("/health").raise_for_status()
                yield host
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


class Trader:
    """Somebody with a secret at a table."""

    def __init__(self, http: httpx.Client, table: str, secret: str, seat: int | None) -> None:
        self.http = http
        self.table = table
        self.secret = secret
        self.seat = seat
        self.path = f"/api/tables/{table}"
        self.headers = {"authorization": f"Bearer {secret}"}

    def get(self, what: str = "", **asked: str | int) -> httpx.Response:
        return self.http.get(self.path + what, params=asked, headers=self.headers)

    def post(self, what: str, body: object = None, **headers: str) -> httpx.Response:
        return self.http.post(self.path + what, json=body, headers=self.headers | headers)

    def see(self) -> Json:
        seen: Json = self.get().raise_for_status().json()
        return seen

    def play(self, move: str, version: int, **more: object) -> httpx.Response:
        return self.post("/play", {"move": move, "version": version, **more})

    def told(self, after: int = 0) -> list[bytes]:
        """Every message after a version, as it was sent."""
        said = self.get("/events.ndjson", after=after, follow=False).raise_for_status()
        return said.content.splitlines()

    @contextmanager
    def following(
        self, after: int | None = None, events: bool = False
    ) -> Iterator[Iterator[bytes]]:
        """The messages as they come, as lines of JSON or as server-sent events, without the signs of life."""
        resumed = "" if after is None else f"?after={after}"
        headers = self.headers
        if events and after is not None:
            resumed, headers = "", headers | {"last-event-id": str(after)}
        path = f"{self.path}/events{'' if events else '.ndjson'}{resumed}"
        with self.http.stream("GET", path, headers=headers) as stream:
            stream.raise_for_status()
            yield _messages(stream.iter_lines(), b"data: " if events else b"")


MOST_BEATS = 6
"""Signs of life in a row after which nobody waits any longer."""


def _messages(lines: Iterator[str], mark: bytes) -> Iterator[bytes]:
    silent = 0
    for line in map(str.encode, lines):
        if line.startswith(mark or b"{"):
            silent = 0
            yield line.removeprefix(mark)
        elif line.startswith(b":") or not mark:
            silent += 1
            assert silent < MOST_BEATS, "there was nothing but signs of life"


def opened(http: httpx.Client, against: str, **wishes: object) -> tuple[Trader, Json]:
    """Somebody who has just opened a table, and the answer to it."""
    answer: Json = (
        http.post("/api/tables", json={"against": against, **wishes}).raise_for_status().json()
    )
    return Trader(http, answer["id"], answer["secret"], answer["seat"]), answer


def friends(http: httpx.Client, **wishes: object) -> list[Trader]:
    """Two people at a table, by seat."""
    first, answer = opened(http, "friend", **wishes)
    seat = {"invitation": answer["invitation"], "name": "Bo"}
    taken = http.post(f"{first.path}/seat", json=seat).raise_for_status().json()
    second = Trader(http, first.table, taken["secret"], taken["seat"])
    return sorted([first, second], key=lambda trader: trader.seat or 0)


def dealt_to(
    database: Path,
    http: httpx.Client,
    deal: Deal,
    moves: Sequence[str] = (),
    *,
    ago: int = 0,
    table: str = "",
    **options: object,
) -> list[Trader]:
    """Two people after a deal and moves of ours, some milliseconds ago, kept behind the server's back."""
    name = table or f"{Random(f'{deal}{options}{ago}').getrandbits(64):016x}"
    secrets = [f"the-secret-of-seat-{seat}-{name}" for seat in (0, 1)]
    chairs = (
        Chair("person", "Ann", digest(secrets[0])),
        Chair("person", "Bo", digest(secrets[1])),
    )
    played = [Played((deal.starts + n) % 2, move) for n, move in enumerate(moves)]
    begun = Opened(chairs, msgspec.convert(options, TableOptions))
    keep(database, name, [begun, dealt(deal), *played], ago)
    return [Trader(http, name, secret, seat) for seat, secret in enumerate(secrets)]


def dealt(deal: Deal) -> Dealt:
    return Dealt(deal.starts, "".join(LETTERS[card] for card in deal.pack), deal.bonus, "5a" * 32)


def keep(database: Path, name: str, events: Sequence[AnyEvent], ago: int = 0) -> None:
    """Begin the journal of a table with events of ours."""
    at = system_time() - ago
    entries = [LogEntry(version, at, event) for version, event in enumerate(events, 1)]

    async def write() -> None:
        storage = await open_event_store(f"sqlite:///{database}")
        await storage.append(name, entries, Table.replay(name, entries).status)
        await storage.close()

    asyncio.run(write())


def quick(moves: Sequence[str], rng: Random) -> str:
    """A move that brings a game on: a sale where there is one, the largest first."""
    sales = [move for move in moves if move.startswith("-")]
    return max(sales, key=len) if sales else rng.choice(moves)


def played_out(traders: Sequence[Trader], rng: Random, most: int = 1000) -> list[str]:
    """Whoever is to move moves, until the game is over or the moves are up; the moves."""
    played: list[str] = []
    while len(played) < most:
        seen = traders[0].see()
        if seen["over"]:
            break
        mover = traders[seen["turn"]]
        seen = mover.see()
        move = quick(seen["moves"], rng)
        mover.play(move, seen["version"]).raise_for_status()
        played.append(move)
    return played


def parsed(message: bytes) -> Json:
    told: Json = msgspec.json.decode(message)
    return told


def awaited(found: Callable[[], T | None]) -> T:
    """What is found once it is there."""
    deadline = time.monotonic() + PATIENCE
    while not (result := found()):
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.02)
    return result
