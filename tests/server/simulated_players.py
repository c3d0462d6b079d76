"""Simulated players that play over real sockets, retry lost requests, and record all responses and messages.

A move without a response is sent again for the same version; a stream that ended is resumed at its last version.
`test_nothing_lost` compares the recordings with the event log.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any, NamedTuple

import msgspec

from server.connection import Connection, ResponseLost

MAX_PAUSE = 0.05
"""The longest pause before a move, in seconds."""


def now() -> int:
    return time.time_ns() // 1_000_000


class TableFields(msgspec.Struct):
    """The fields of a table that a player needs."""

    phase: str
    moves: list[str]


class MessageFields(msgspec.Struct):
    """The fields of a message that a player needs."""

    version: int
    at: int
    table: TableFields


_read = msgspec.json.Decoder(MessageFields).decode


class ReceivedMessage(NamedTuple):
    """A message of a stream: version, digest, port, and the delay in ms if it came live."""

    version: int
    content: bytes
    port: int
    delay: int | None


class RecordedResponse(NamedTuple):
    """A response: body, port, number of tries, and the time of the last one."""

    body: Any
    port: int
    tries: int
    sent_at: int


class AcknowledgedMove(NamedTuple):
    """An acknowledged move and its response."""

    version: int
    move: str
    response: RecordedResponse


def short_digest(message: bytes) -> bytes:
    return sha256(message).digest()[:12]


@dataclass
class Session:
    """What all players of a test share."""

    ports: list[int]
    rng: Random
    done: int = 0
    """Acknowledged moves."""
    lost: Counter[str] = field(default_factory=Counter)
    """Retried requests by reason."""
    closing: bool = False
    figures: Counter[str] = field(default_factory=Counter)
    """Counts of the final comparison."""
    players: list["SimulatedPlayer"] = field(default_factory=list)
    """One per seat of a person."""

    def connection(self) -> Connection:
        return Connection(self.ports, self.rng)

    async def request(
        self, connection: Connection, path: str, secret: str, body: object = None
    ) -> RecordedResponse:
        """Repeat a request until there is a response."""
        for tries in count(1):
            sent_at = now()
            try:
                status, text = await connection.request("POST", f"/api/tables{path}", secret, body)
            except ResponseLost as lost:
                self.lost[str(lost)] += 1
                await self.pause()
                continue
            # A repeated resignation may find the game over.
            fine = status < 300 or (path.endswith("/resign") and tries > 1 and status == 409)
            assert fine, f"{path} {body} at try {tries}: {status} {text!r}"
            break
        return RecordedResponse(json.loads(text), connection.port, tries, sent_at)

    async def pause(self) -> None:
        await asyncio.sleep(self.rng.uniform(0.01, 0.1))

    def secret(self) -> str:
        return f"{self.rng.getrandbits(192):048x}"

    async def play(self, level: str | None, last_moves: int | None) -> None:
        """Play games against a level, or between two people, until the session closes.

        After that each player of the last game makes `last_moves` moves and resigns; None plays to the end.
        """
        while not self.closing:
            secrets = [self.secret(), self.secret()]
            with self.connection() as connection:
                table, seats = await self._open_table(connection, level, secrets)
            async with asyncio.TaskGroup() as group:
                for seat, secret in seats:
                    player = SimulatedPlayer(self, table, seat, secret, last_moves)
                    self.players.append(player)
                    group.create_task(player.follow())
                    group.create_task(player.play())

    async def _open_table(
        self, connection: Connection, level: str | None, secrets: list[str]
    ) -> tuple[str, list[tuple[int, str]]]:
        """A new table, with seat and secret of each person."""
        against = {"against": "computer", "level": level} if level else {"against": "friend"}
        opened = (await self.request(connection, "", secrets[0], against)).body
        table, seats = opened["id"], [(opened["seat"], secrets[0])]
        if not level:
            asked = {"invitation": opened["invitation"]}
            taken = (await self.request(connection, f"/{table}/seat", secrets[1], asked)).body
            seats.append((taken["seat"], secrets[1]))
        return table, seats

    async def until(self, happens: Callable[[], bool], seconds: float = 120) -> None:
        """Wait for a condition; on timeout list the unfinished players."""
        deadline = time.monotonic() + seconds
        while not happens():
            waiting = [f"\n{player}" for player in self.players if not player.over]
            assert time.monotonic() < deadline, (
                f"no progress, {dict(self.lost)}: {''.join(waiting)}"
            )
            await asyncio.sleep(0.02)


@dataclass
class SimulatedPlayer:
    """A person at a seat."""

    session: Session
    table: str
    seat: int
    secret: str
    last_moves: int | None
    received: list[ReceivedMessage] = field(default_factory=list, repr=False)
    done: list[AcknowledgedMove] = field(default_factory=list, repr=False)
    over: bool = False
    _inbox: asyncio.Queue[MessageFields] = field(default_factory=asyncio.Queue, repr=False)

    def __str__(self) -> str:
        received = self.received[-1].version if self.received else 0
        return f"table {self.table} seat {self.seat}: received {received}, moves {len(self.done)}"

    async def follow(self) -> None:
        """Follow the stream until the game is over: seat 1 by server-sent events, seat 0 by JSON lines."""
        while not self.over:
            with self.session.connection() as connection:
                await self._follow(connection)
            await self.session.pause()

    async def _follow(self, connection: Connection) -> None:
        seen, since = (self.received[-1].version if self.received else 0), now()
        name, header = f"events.ndjson?after={seen}", ""
        if self.seat == 1:
            name, header = "events?after=0", f"Last-Event-ID: {seen}\r\n"
        path = f"/api/tables/{self.table}/{name}"
        async with aclosing(connection.lines(path, self.secret, header)) as lines:
            async for text in lines:
                message = text.removeprefix(b"data: ")
                if message.startswith(b"{"):
                    self._receive(message, connection.port, since)
                if self.over:
                    break

    def _receive(self, body: bytes, port: int, since: int) -> None:
        message = _read(body)
        delay = now() - message.at if message.at > since else None
        self.received.append(ReceivedMessage(message.version, short_digest(body), port, delay))
        self.over = message.table.phase == "over"
        self._inbox.put_nowait(message)

    async def play(self) -> None:
        """Move at every turn until the game is over."""
        with self.session.connection() as connection:
            while (message := await self._inbox.get()).table.phase != "over":
                # A message about leaving or returning is no new turn.
                if message.table.moves and (
                    not self.done or message.version >= self.done[-1].version
                ):
                    await self._take_turn(connection, message)

    async def _take_turn(self, connection: Connection, message: MessageFields) -> None:
        if not self.session.closing:
            await asyncio.sleep(self.session.rng.uniform(0, MAX_PAUSE))
        elif self.last_moves is not None:
            self.last_moves -= 1
        if self.last_moves is not None and self.last_moves < 0:
            await self.session.request(connection, f"/{self.table}/resign", self.secret)
        else:
            await self._move(connection, message)

    async def _move(self, connection: Connection, message: MessageFields) -> None:
        # Avoid exchanges, so that the game ends.
        some = [move for move in message.table.moves if not ("+" in move and "-" in move)]
        move = self.session.rng.choice(some or message.table.moves)
        body = {"move": move, "version": message.version}
        response = await self.session.request(connection, f"/{self.table}/play", self.secret, body)
        self.done.append(AcknowledgedMove(response.body["version"], move, response))
        self.session.done += 1
