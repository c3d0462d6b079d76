"""Compares the referee's copy with the event log that the server replays over HTTP."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chaos.client import Client
from chaos.referee import OK, Referee, Table


@dataclass
class Comparison:
    """The result of the comparison of the referee's copy with the event log."""

    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    differences: list[str] = field(default_factory=list)
    """Sentences about streams that differ from the event log."""


async def verify(referee: Referee) -> Comparison:
    """Compare the copy of every table with its event log."""
    comparison = Comparison()
    async with Client(referee.port, "127.0.0.250") as client:
        for table in referee.tables:
            comparison.acknowledged += len(table.acknowledged)
            await compare(client, table, comparison)
    return comparison


async def replay(client: Client, table: Table, seat: int) -> dict[int, dict[str, Any]]:
    """The whole event log as a seat sees it, page by page."""
    found: dict[int, dict[str, Any]] = {}
    while True:
        path = f"{table.path}/events.ndjson?after={max(found, default=0)}&follow=false"
        answer = await client.call("GET", path, None, table.people[seat])
        if answer.status != OK:
            return found
        lines = [json.loads(line) for line in answer.body.split(b"\n") if line]
        if not lines:
            return found
        found |= {message["version"]: message for message in lines}


async def compare(client: Client, table: Table, comparison: Comparison) -> None:
    """Add the differences of one table to the comparison."""
    say = comparison.differences.append
    for seat in table.people:
        log = await replay(client, table, seat)
        if list(log) != list(range(1, len(log) + 1)):
            say(f"{table.id}: the versions of the log are not 1, 2, 3 …")
        stored = {
            version: message["move"]
            for version, message in log.items()
            if message["kind"] == "played" and message["seat"] == seat
        }
        acknowledged = {each.version: each.move for each in table.acknowledged if each.seat == seat}
        comparison.lost += sum(
            stored.get(version) != move for version, move in acknowledged.items()
        )
        extra = [(version, move) for version, move in stored.items() if version not in acknowledged]
        if table.pending is not None:
            extra = [each for each in extra if each[0] <= table.pending[0]]
        comparison.doubled += len(extra)
        _compare_stream(table, seat, log, say)
    if table.repeated:
        say(f"{table.id}: {table.repeated} messages arrived twice")


def _compare_stream(
    table: Table, seat: int, log: dict[int, dict[str, Any]], say: Callable[[str], None]
) -> None:
    received = table.received[seat]
    if list(received) != list(range(1, len(received) + 1)):
        say(f"{table.id} seat {seat}: the stream has gaps or a wrong order")
    for version, line in received.items():
        stored = log.get(version)
        message = json.loads(line)
        keys = ("kind", "seat", "move", "happenings")
        if stored is None or any(message.get(key) != stored.get(key) for key in keys):
            say(f"{table.id} seat {seat}: message {version} differs from the log")
