"""People who play in pairs or against the computer, and a referee with its own copy of everything acknowledged.

A player repeats a request until the server answers, and resumes a broken stream at the last version received.
`chaos.comparison` compares the copy with the event log that the server replays.
"""

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from chaos.client import Client, Response, ResponseLostError

OK = 200
SPECTATOR = 2
"""The key of a spectator's stream among the streams of the seats."""


class Acknowledged(NamedTuple):
    """A move for which the server answered 200."""

    version: int
    seat: int
    move: str
    at: float


class Sample(NamedTuple):
    """The time a player waited. `what` is `move`, or `reply` for the answer of a computer player."""

    what: str
    sent: float
    seconds: float


@dataclass
class Table:
    """The referee's copy of one table."""

    id: str
    people: dict[int, str]
    """The secret of each person, by seat."""
    acknowledged: list[Acknowledged] = field(default_factory=list)
    received: dict[int, dict[int, bytes]] = field(default_factory=dict)
    """The messages of each person's stream, and of a spectator's stream, by version."""
    repeated: int = 0
    """The number of messages that arrived twice in one stream."""
    pending: tuple[int, str] | None = None
    """The version and the move of a request without a response."""

    @property
    def path(self) -> str:
        return f"/api/tables/{self.id}"


@dataclass
class Referee:
    """Starts players and collects what they send and receive."""

    port: int
    rng: Random = field(default_factory=Random)
    tables: list[Table] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    lost_responses: Counter[str] = field(default_factory=Counter)
    """Requests without a usable response, by reason. They are repeated."""
    refused: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    """Received messages by kind of event."""
    spectators: bool = False
    """Whether a spectator follows every game."""
    closing: bool = False
    _tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    @property
    def moves(self) -> int:
        """The number of acknowledged moves."""
        return sum(len(table.acknowledged) for table in self.tables)

    def play(self, address: str, every: float, level: str | None = None) -> None:
        """Start games one after the other, with a pause of about `every` seconds before each move."""
        self._tasks.append(asyncio.create_task(self._play(address, every, level)))

    async def _play(self, address: str, every: float, level: str | None) -> None:
        async with Client(self.port, address) as client:
            while not self.closing:
                await _Game(self, client, every, level).run()

    async def until(self, happens: Callable[[], bool], seconds: float = 120) -> None:
        """Wait for a condition; fail if a player fails or the time is over."""
        deadline = time.monotonic() + seconds
        while not happens():
            for task in self._tasks:
                if task.done() and not self.closing:
                    await task
            assert time.monotonic() < deadline, f"no progress: {self.moves} moves, {self}"
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Stop all players."""
        self.closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def __str__(self) -> str:
        return f"lost {dict(self.lost_responses)}, refused {dict(self.refused)}"


class _Game:
    """One game of two people, or of one person against a level."""

    def __init__(self, referee: Referee, client: Client, every: float, level: str | None) -> None:
        self._referee = referee
        self._client = client
        self._every = every
        self._level = level
        self._inbox: asyncio.Queue[tuple[int, dict[str, Any]]] = asyncio.Queue()
        self._moved = 0.0

    async def run(self) -> None:
        table = await self._open()
        streams: dict[int, str | None] = dict(table.people)
        if self._referee.spectators:
            streams[SPECTATOR] = None
        table.received = {seat: {} for seat in streams}
        following = [
            asyncio.create_task(self._follow(table, seat, secret))
            for seat, secret in streams.items()
        ]
        try:
            await self._play(table)
        finally:
            for task in following:
                task.cancel()
            await asyncio.gather(*following, return_exceptions=True)

    async def _open(self) -> Table:
        wanted: dict[str, object] = {"against": "friend", "seat": 0}
        if self._level is not None:
            wanted = {"against": "computer", "level": self._level, "seat": 0}
        mine = secrets.token_urlsafe(24)
        opened = await self._post("/api/tables", wanted, mine)
        table = Table(opened["id"], {0: mine})
        if self._level is None:
            table.people[1] = secrets.token_urlsafe(24)
            await self._post(
                f"{table.path}/seat", {"invitation": opened["invitation"]}, table.people[1]
            )
        self._referee.tables.append(table)
        return table

    async def _post(self, path: str, body: object, secret: str) -> dict[str, Any]:
        answer = await self._repeat(path, body, secret)
        assert answer.status < 300, answer
        return answer.json()

    async def _repeat(self, path: str, body: object, secret: str) -> Response:
        """Send a request until a response arrives."""
        while True:
            try:
                return await self._client.call("POST", path, body, secret)
            except ResponseLostError as lost:
                self._referee.lost_responses[str(lost)] += 1
                await asyncio.sleep(self._referee.rng.uniform(0.05, 0.3))

    async def _play(self, table: Table) -> None:
        chosen = 0
        while True:
            seat, message = await self._inbox.get()
            view = message["table"]
            if view["phase"] == "over":
                return
            if not view["moves"] or message["version"] <= chosen:
                continue
            await asyncio.sleep(self._every * self._referee.rng.uniform(0.5, 1.5))
            # Without exchanges a round always ends.
            some = [move for move in view["moves"] if not ("+" in move and "-" in move)]
            move = self._referee.rng.choice(some or view["moves"])
            chosen = message["version"]
            await self._move(table, seat, chosen, move)

    async def _move(self, table: Table, seat: int, version: int, move: str) -> None:
        table.pending = version, move
        self._moved = sent = time.monotonic()
        answer = await self._repeat(
            f"{table.path}/play", {"move": move, "version": version}, table.people[seat]
        )
        table.pending = None
        now = time.monotonic()
        if answer.status == OK:
            table.acknowledged.append(Acknowledged(answer.json()["version"], seat, move, now))
            self._referee.samples.append(Sample("move", sent, now - sent))
        else:
            self._referee.refused[f"{answer.status} {answer.json()['code']}"] += 1

    async def _follow(self, table: Table, seat: int, secret: str | None) -> None:
        received = table.received[seat]
        over = False
        while not over:
            async with Client(self._client.port, self._client.address) as client:
                path = f"{table.path}/events.ndjson?after={max(received, default=0)}"
                async with aclosing(client.lines(path, secret)) as lines:
                    async for line in lines:
                        if line:
                            over = self._receive(table, seat, line) or over
                        if over:
                            break
            if not over:
                await asyncio.sleep(self._referee.rng.uniform(0.05, 0.2))

    def _receive(self, table: Table, seat: int, line: bytes) -> bool:
        message = json.loads(line)
        received = table.received[seat]
        table.repeated += message["version"] in received
        received[message["version"]] = line
        if seat == SPECTATOR:
            return bool(message["table"]["phase"] == "over")
        self._referee.kinds[message["kind"]] += 1
        if self._level is not None and message["kind"] == "played" and message["seat"] != seat:
            waited = time.monotonic() - self._moved
            self._referee.samples.append(Sample("reply", self._moved, waited))
        self._inbox.put_nowait((seat, message))
        return bool(message["table"]["phase"] == "over")
