"""Real servers for tests, as a process or in a thread, and clients that play on them."""

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

from jaipur.rules import Deal
from jaipur.rules.cards import LETTERS
from jaipur.server.app import application
from jaipur.server.http.connections import ConnectionLimits
from jaipur.server.http.limits import MAX_HEADER_BYTES
from jaipur.server.http.middleware import SecurityHeadersMiddleware
from jaipur.server.live.server_clock import system_time
from jaipur.server.live.tables import TableService
from jaipur.server.run import http_protocol
from jaipur.server.settings import Settings
from jaipur.server.store.event_store import open_event_store
from jaipur.table.events import AnyEvent, Chair, Dealt, LogEntry, Opened, Played
from jaipur.table.options import TableOptions
from jaipur.table.state import digest
from jaipur.table.table import Table

METRICS_TOKEN = "the-token-of-the-metrics"
TEST_OPTIONS = (
    *("--thinkers", "1", "--think", "10", "--limit", "0", "--tables", "0", "--connections", "0"),
    *("--metrics-token", METRICS_TOKEN),
)
"""No rate limits and fast computer players; later arguments override them."""
TIMEOUT = 60.0
OPENAPI_PATH = "/api/schema/openapi.json"
UNKNOWN_SECRET = "nobody-has-this-secret-here"

Json = dict[str, Any]
T = TypeVar("T")


NO_CONNECTION_LIMIT = ConnectionLimits(per_address=0)


class Server:
    """`jaipur serve` as a process, with one port and one database over several starts."""

    def __init__(self, folder: Path, *arguments: str, descriptors: int | None = None) -> None:
        self.database = folder / "tables.sqlite"
        self.arguments = arguments
        self.address = ""
        self._log = folder / "server.log"
        self._port = "0"
        self._descriptors = descriptors

    def start(self) -> None:
        """Start the process and wait until it listens."""
        log_start = len(self.log())
        command = [sys.executable, "-m", "jaipur", "serve", *TEST_OPTIONS, "--port", self._port]
        command += ["--database", f"sqlite:///{self.database}", *self.arguments]
        if self._descriptors is not None:
            command = ["sh", "-c", f'ulimit -n {self._descriptors}; exec "$@"', "sh", *command]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        match = wait_for(lambda: self._find_address(log_start))
        self.address, self._port = match[1], match[2]

    def _find_address(self, log_start: int) -> "re.Match[str] | None":
        output = self.log()[log_start:]
        assert self.process.poll() is None, f"the server exited: {output}"
        return re.search(r"open at (http://[^\s:]+:(\d+)\S*)", output)

    def stop(self) -> int:
        """Send SIGTERM; return the exit status."""
        self.process.terminate()
        return self.process.wait(TIMEOUT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(TIMEOUT)

    def log(self) -> str:
        """The output of all starts."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""


@contextmanager
def run_server(folder: Path, *arguments: str, descriptors: int | None = None) -> Iterator[Server]:
    """A server process whose database and log are in the folder. It may open this many file descriptors."""
    server = Server(folder, *arguments, descriptors=descriptors)
    server.start()
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()


class ThreadedServer:
    """The application in a thread of the test process, behind a real socket."""

    def __init__(self, app: SecurityHeadersMiddleware, address: str, folder: Path) -> None:
        self.address = address
        self.database = folder / "tables.sqlite"
        self.http = httpx.Client(base_url=address, timeout=TIMEOUT)
        self._app = app.app

    @property
    def port(self) -> int:
        return int(self.address.rsplit(":")[-1])

    def metrics(self) -> str:
        headers = {"authorization": f"Bearer {METRICS_TOKEN}"}
        return self.http.get("/metrics", headers=headers).raise_for_status().text

    @property
    def tables(self) -> TableService:
        tables: TableService = self._app.state.tables
        return tables


@contextmanager
def run_in_thread(
    folder: Path,
    *,
    send_buffer: int = 0,
    limits: ConnectionLimits = NO_CONNECTION_LIMIT,
    protocol: Callable[..., asyncio.Protocol] | None = None,
    **settings: object,
) -> Iterator[ThreadedServer]:
    """A server in a thread, without rate limits unless the settings have them."""
    unlimited = dict.fromkeys(
        ("requests_a_second", "tables_a_minute", "megabytes_a_day", "unfinished_tables"), 0
    )
    defaults = {**unlimited, "thinkers": 1, "think_seconds": 0.01, "metrics_token": METRICS_TOKEN}
    database = f"sqlite:///{folder}/tables.sqlite"
    app = application(msgspec.convert({"database": database, **defaults, **settings}, Settings))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        if send_buffer:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        config = uvicorn.Config(
            app,
            http=protocol or http_protocol(limits),  # type: ignore[arg-type]  # called as a class
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
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
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            host = ThreadedServer(app, address, folder)
            with host.http:
                host.http.get("/health").raise_for_status()
                yield host
        finally:
            server.should_exit = True
            thread.join(TIMEOUT)


class Client:
    """A client of the API with a secret, at one table."""

    def __init__(self, http: httpx.Client, table: str, secret: str, seat: int | None) -> None:
        self.http = http
        self.table = table
        self.secret = secret
        self.seat = seat
        self.path = f"/api/tables/{table}"
        self.headers = {"authorization": f"Bearer {secret}"}

    def get(self, path: str = "", **params: str | int) -> httpx.Response:
        return self.http.get(self.path + path, params=params, headers=self.headers)

    def post(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        return self.http.post(self.path + path, json=body, headers=self.headers | headers)

    def get_table(self) -> Json:
        table: Json = self.get().raise_for_status().json()
        return table

    def play(self, move: str, version: int, **fields: object) -> httpx.Response:
        return self.post("/play", {"move": move, "version": version, **fields})

    def messages(self, after: int = 0) -> list[bytes]:
        """The stored messages after a version."""
        response = self.get("/events.ndjson", after=after, follow=False).raise_for_status()
        return response.content.splitlines()

    @contextmanager
    def stream(self, after: int | None = None, events: bool = False) -> Iterator[Iterator[bytes]]:
        """The messages of a stream, as lines of JSON or as server-sent events, without keep-alives."""
        query = "" if after is None else f"?after={after}"
        headers = self.headers
        if events and after is not None:
            query, headers = "", headers | {"last-event-id": str(after)}
        path = f"{self.path}/events{'' if events else '.ndjson'}{query}"
        with self.http.stream("GET", path, headers=headers) as response:
            response.raise_for_status()
            yield _messages(response.iter_lines(), b"data: " if events else b"")


def spectator(client: Client) -> Client:
    """A client without a seat at the same table."""
    return Client(client.http, client.table, UNKNOWN_SECRET, None)


MAX_KEEP_ALIVES = 6


def _messages(lines: Iterator[str], prefix: bytes) -> Iterator[bytes]:
    keep_alives = 0
    for line in map(str.encode, lines):
        if line.startswith(prefix or b"{"):
            keep_alives = 0
            yield line.removeprefix(prefix)
        elif line.startswith(b":") or not prefix:
            keep_alives += 1
            assert keep_alives < MAX_KEEP_ALIVES, "the stream sends only keep-alives"


def open_table(http: httpx.Client, against: str, **fields: object) -> tuple[Client, Json]:
    """Open a table; the client that opened it, and the response."""
    body = {"against": against, **fields}
    response: Json = http.post("/api/tables", json=body).raise_for_status().json()
    client = Client(http, response["id"], response["secret"], response["seat"])
    return client, response


def two_players(http: httpx.Client, **fields: object) -> list[Client]:
    """Two people at a new table, by seat."""
    first, response = open_table(http, "friend", **fields)
    body = {"invitation": response["invitation"], "name": "Bo"}
    taken = http.post(f"{first.path}/seat", json=body).raise_for_status().json()
    second = Client(http, first.table, taken["secret"], taken["seat"])
    return sorted([first, second], key=lambda client: client.seat or 0)


def store_game(
    database: Path,
    http: httpx.Client,
    deal: Deal,
    moves: Sequence[str] = (),
    *,
    ago: int = 0,
    table: str = "",
    **options: object,
) -> list[Client]:
    """Write a table with a deal and moves into the database, some milliseconds ago; its two players."""
    table = table or f"{Random(f'{deal}{options}{ago}').getrandbits(64):016x}"
    secrets = [f"the-secret-of-seat-{seat}-{table}" for seat in (0, 1)]
    chairs = (
        Chair("person", "Ann", digest(secrets[0])),
        Chair("person", "Bo", digest(secrets[1])),
    )
    opened = Opened(chairs, msgspec.convert(options, TableOptions))
    played = [Played((deal.starts + n) % 2, move) for n, move in enumerate(moves)]
    store_events(database, table, [opened, deal_event(deal), *played], ago)
    return [Client(http, table, secret, seat) for seat, secret in enumerate(secrets)]


def deal_event(deal: Deal) -> Dealt:
    return Dealt(deal.starts, "".join(LETTERS[card] for card in deal.pack), deal.bonus, "5a" * 32)


def store_events(database: Path, table: str, events: Sequence[AnyEvent], ago: int = 0) -> None:
    """Write the first events of a table into the database."""
    at = system_time() - ago
    entries = [LogEntry(version, at, event) for version, event in enumerate(events, 1)]

    async def write() -> None:
        store = await open_event_store(f"sqlite:///{database}")
        await store.append(table, entries, Table.replay(table, entries).status)
        await store.close()

    asyncio.run(write())


def choose_move(moves: Sequence[str], rng: Random) -> str:
    """The largest sale, or a random move; games end soon with it."""
    sales = [move for move in moves if move.startswith("-")]
    return max(sales, key=len) if sales else rng.choice(moves)


def play_game(clients: Sequence[Client], rng: Random, max_moves: int = 1000) -> list[str]:
    """Play until the game is over or the moves are used up; the moves played."""
    played: list[str] = []
    while len(played) < max_moves:
        table = clients[0].get_table()
        if table["over"]:
            break
        mover = clients[table["turn"]]
        table = mover.get_table()
        move = choose_move(table["moves"], rng)
        mover.play(move, table["version"]).raise_for_status()
        played.append(move)
    return played


def decode(message: bytes) -> Json:
    data: Json = msgspec.json.decode(message)
    return data


def wait_for(result: Callable[[], T | None]) -> T:
    """Poll until there is a truthy result; for states that send no event."""
    deadline = time.monotonic() + TIMEOUT
    while not (found := result()):
        assert time.monotonic() < deadline, "timeout"
        time.sleep(0.02)
    return found
