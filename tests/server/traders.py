"""Traders who play over real sockets, do not give up when a connection is lost, and write down all they were told.

A move whose acknowledgement was lost is sent again, for the same version; a stream that ended is followed again, from
where it ended. What they wrote down is compared with the journal in `test_nothing_lost`.
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

from server.line import Line, Lost

THOUGHT = 0.05
"""The longest that a trader thinks, in seconds."""


def now() -> int:
    return time.time_ns() // 1_000_000


class Seen(msgspec.Struct):
    """What a trader needs of a table,"""

    phase: str
    moves: list[str]


class Told(msgspec.Struct):
    """and of a message."""

    version: int
    at: int
    table: Seen


_read = msgspec.json.Decoder(Told).decode


class Heard(NamedTuple):
    """A message on a stream: its version, its content in short, where it came from, and how late if it came live."""

    version: int
    content: bytes
    port: int
    late: int | None


class Answer(NamedTuple):
    """What was said in the end, where, how often it was asked, and when the last time."""

    said: Any
    port: int
    tries: int
    sent: int


class Done(NamedTuple):
    """A move that was acknowledged, and how."""

    version: int
    move: str
    answer: Answer


def brief(message: bytes) -> bytes:
    return sha256(message).digest()[:12]


@dataclass
class Party:
    """What all traders of a test share: where to play, chance, and when to come to an end."""

    ports: list[int]
    rng: Random
    done: int = 0
    """Moves that were acknowledged."""
    lost: Counter[str] = field(default_factory=Counter)
    """Requests that had to be sent again, by what happened to them."""
    closing: bool = False
    figures: Counter[str] = field(default_factory=Counter)
    """What was counted when all was over."""
    traders: list["Trader"] = field(default_factory=list)
    """One for each seat that a person has taken."""

    def line(self) -> Line:
        return Line(self.ports, self.rng)

    async def insist(self, line: Line, path: str, secret: str, body: object = None) -> Answer:
        """Ask until there is an answer."""
        for tries in count(1):
            sent = now()
            try:
                status, text = await line.ask("POST", f"/api/tables{path}", secret, body)
            except Lost as lost:
                self.lost[str(lost)] += 1
                await self.pause()
                continue
            # Who gives up twice has given up.
            fine = status < 300 or (path.endswith("/resign") and tries > 1 and status == 409)
            assert fine, f"{path} {body} at try {tries}: {status} {text!r}"
            break
        return Answer(json.loads(text), line.port, tries, sent)

    async def pause(self) -> None:
        await asyncio.sleep(self.rng.uniform(0.01, 0.1))

    def secret(self) -> str:
        return f"{self.rng.getrandbits(192):048x}"

    async def play(self, level: str | None, last_moves: int | None) -> None:
        """Game after game, against a level or between two persons, until the party closes.

        From then on each trader of the last one makes so many moves and gives up; None: it is played out.
        """
        while not self.closing:
            secrets = [self.secret(), self.secret()]
            with self.line() as line:
                table, seats = await self._sit_down(line, level, secrets)
            async with asyncio.TaskGroup() as group:
                for seat, secret in seats:
                    trader = Trader(self, table, seat, secret, last_moves)
                    self.traders.append(trader)
                    group.create_task(trader.follow())
                    group.create_task(trader.play())

    async def _sit_down(
        self, line: Line, level: str | None, secrets: list[str]
    ) -> tuple[str, list[tuple[int, str]]]:
        """A new table, and who sits where."""
        against = {"against": "computer", "level": level} if level else {"against": "friend"}
        opened = (await self.insist(line, "", secrets[0], against)).said
        table, seats = opened["id"], [(opened["seat"], secrets[0])]
        if not level:
            asked = {"invitation": opened["invitation"]}
            taken = (await self.insist(line, f"/{table}/seat", secrets[1], asked)).said
            seats.append((taken["seat"], secrets[1]))
        return table, seats

    async def until(self, happens: Callable[[], bool], seconds: float = 120) -> None:
        """Wait for something; if it does not come, say who is waiting where."""
        deadline = time.monotonic() + seconds
        while not happens():
            waiting = [f"\n{trader}" for trader in self.traders if not trader.over]
            assert time.monotonic() < deadline, (
                f"it does not go on, {dict(self.lost)}: {''.join(waiting)}"
            )
            await asyncio.sleep(0.02)


@dataclass
class Trader:
    """A person on a seat."""

    party: Party
    table: str
    seat: int
    secret: str
    last_moves: int | None
    heard: list[Heard] = field(default_factory=list, repr=False)
    done: list[Done] = field(default_factory=list, repr=False)
    over: bool = False
    _news: asyncio.Queue[Told] = field(default_factory=asyncio.Queue, repr=False)

    def __str__(self) -> str:
        heard = self.heard[-1].version if self.heard else 0
        return f"table {self.table} seat {self.seat}: heard {heard}, moves {len(self.done)}"

    async def follow(self) -> None:
        """Listen until the game is over; one seat as browsers do, the other as bots do."""
        while not self.over:
            with self.party.line() as line:
                await self._follow(line)
            await self.party.pause()

    async def _follow(self, line: Line) -> None:
        seen, since = (self.heard[-1].version if self.heard else 0), now()
        name, header = f"events.ndjson?after={seen}", ""
        if self.seat == 1:
            name, header = "events?after=0", f"Last-Event-ID: {seen}\r\n"
        path = f"/api/tables/{self.table}/{name}"
        async with aclosing(line.lines(path, self.secret, header)) as lines:
            async for text in lines:
                message = text.removeprefix(b"data: ")
                if message.startswith(b"{"):
                    self._hear(message, line.port, since)
                if self.over:
                    break

    def _hear(self, message: bytes, port: int, since: int) -> None:
        told = _read(message)
        late = now() - told.at if told.at > since else None
        self.heard.append(Heard(told.version, brief(message), port, late))
        self.over = told.table.phase == "over"
        self._news.put_nowait(told)

    async def play(self) -> None:
        """Move whenever it is our turn, until the game is over."""
        with self.party.line() as line:
            while (told := await self._news.get()).table.phase != "over":
                # Somebody may have come or gone while we thought: that is no new turn.
                if told.table.moves and (not self.done or told.version >= self.done[-1].version):
                    await self._take_turn(line, told)

    async def _take_turn(self, line: Line, told: Told) -> None:
        if not self.party.closing:
            await asyncio.sleep(self.party.rng.uniform(0, THOUGHT))
        elif self.last_moves is not None:
            self.last_moves -= 1
        if self.last_moves is not None and self.last_moves < 0:
            await self.party.insist(line, f"/{self.table}/resign", self.secret)
        else:
            await self._move(line, told)

    async def _move(self, line: Line, told: Told) -> None:
        # No exchange if there is anything else: a game shall come to its end.
        some = [move for move in told.table.moves if not ("+" in move and "-" in move)]
        move = self.party.rng.choice(some or told.table.moves)
        body = {"move": move, "version": told.version}
        answer = await self.party.insist(line, f"/{self.table}/play", self.secret, body)
        self.done.append(Done(answer.said["version"], move, answer))
        self.party.done += 1
