"""What an attacker knows about a server, and the counts that an attack reports."""

import asyncio
import json
import random
import secrets
import time
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Self

from chaos.client import Client, ResponseLostError

Counts = dict[str, int | float | str]
"""What an attack reports, by name."""
PER_SECOND = 45
"""Requests per second of a flood: just under the default limit of the server."""


@dataclass(frozen=True)
class Target:
    """The server under attack. Attacks run in a process of their own, so this value is sent as JSON."""

    port: int
    pid: int
    python: str
    url: str
    folder: str
    seconds: float
    long: tuple[str, str]
    """The id and the secret of a table with a long event log."""
    finished: tuple[str, str]
    """The id and the secret of a finished game."""

    @property
    def database(self) -> str:
        return self.url.removeprefix("sqlite:///")

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        return cls(**json.loads(text))

    def client(self, address: str = "127.0.0.1") -> Client:
        return Client(self.port, address)

    def deadline(self) -> float:
        return time.monotonic() + self.seconds


async def open_table(client: Client, **wanted: object) -> tuple[str, str]:
    """The path of a new table and the secret of its owner."""
    secret = secrets.token_urlsafe(24)
    answer = await client.call("POST", "/api/tables", wanted or {"against": "one_screen"}, secret)
    assert answer.status == 201, answer
    return f"/api/tables/{answer.json()['id']}", secret


async def move(client: Client, path: str, secret: str) -> None:
    """Play the first legal move, if there is any."""
    table = (await client.call("GET", path, None, secret)).json()
    if table["moves"]:
        body = {"move": table["moves"][0], "version": table["version"]}
        await client.call("POST", f"{path}/play", body, secret)


async def play_moves(
    client: Client, path: str, secret: str, exchanges: bool, most: int
) -> dict[str, Any]:
    """Play at a table as one person until it is over or has `most` events; the last state of the table."""
    while True:
        table: dict[str, Any] = (await client.call("GET", path, None, secret)).json()
        if table["phase"] == "over" or table["version"] >= most:
            return table
        if not table["moves"]:
            await asyncio.sleep(0.02)
            continue
        mixed = [move for move in table["moves"] if "+" in move and "-" in move]
        plain = [move for move in table["moves"] if move not in mixed]
        some = (mixed or ["+M"] * ("+M" in plain) or plain) if exchanges else (plain or mixed)
        body = {"move": random.choice(some), "version": table["version"]}
        await client.call("POST", f"{path}/play", body, secret)


async def prepare(port: int, events: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """A table with a long event log and a finished game, for a server without limits."""
    async with Client(port) as client:
        made = []
        for exchanges, most in ((True, events), (False, 10_000)):
            path, secret = await open_table(client, against="one_screen")
            await play_moves(client, path, secret, exchanges, most)
            made.append((path.rpartition("/")[2], secret))
    return made[0], made[1]


async def flood(target: Target, path: str, secret: str | None) -> Counts:
    """GET a path as often as the limits allow, each time on a connection of its own; counts of the responses."""
    counts = Counter[str]()

    async def once() -> None:
        async with target.client() as client:
            try:
                answer = await client.request("GET", path, None, secret)
            except ResponseLostError:
                return
            counts["answered" if answer.status == 200 else "refused"] += 1
            counts["bytes"] += len(answer.body)

    tasks: set[asyncio.Task[None]] = set()
    deadline = target.deadline()
    while time.monotonic() < deadline:
        counts["requests"] += 1
        task = asyncio.create_task(once())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        await asyncio.sleep(1 / PER_SECOND)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    megabytes = round(counts.pop("bytes", 0) / 1e6, 1)
    result: Counts = {name: counts[name] for name in ("requests", "answered", "refused")}
    result["megabytes"] = megabytes
    return result
