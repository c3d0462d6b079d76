"""Requests that race for the same version of a table have one winner, and every client learns the same result."""

import asyncio
import secrets
from collections import Counter

import pytest

from chaos.client import Client
from chaos.comparison import replay
from chaos.process import Start
from chaos.referee import Table
from chaos.target import open_table

pytestmark = [pytest.mark.long, pytest.mark.anyio]

RACERS = 16
ROUNDS = 60


async def test_one_of_many_different_moves_is_played(sqlite_url: str, start: Start) -> None:
    port = start(sqlite_url).port
    clients = [Client(port, f"127.0.1.{number + 1}") for number in range(RACERS)]
    path, secret = await open_table(clients[0])
    acknowledged: list[tuple[int, str]] = []
    for _ in range(ROUNDS):
        table = (await clients[0].call("GET", path, None, secret)).json()
        if table["phase"] == "over":
            path, secret = await open_table(clients[0])
            acknowledged.clear()
            continue
        version = table["version"]
        moves = [table["moves"][number % len(table["moves"])] for number in range(RACERS)]
        answers = await asyncio.gather(
            *(
                client.call("POST", f"{path}/play", {"move": move, "version": version}, secret)
                for client, move in zip(clients, moves, strict=True)
            )
        )
        won = {
            (answer.json()["version"], move)
            for answer, move in zip(answers, moves, strict=True)
            if answer.status == 200
        }
        assert len(won) == 1, answers
        assert {answer.status for answer in answers} <= {200, 409, 422}
        acknowledged += won
    log = await replay(clients[0], Table(path.rpartition("/")[2], {0: secret}), 0)
    stored = [(version, each["move"]) for version, each in log.items() if each["kind"] == "played"]
    assert stored == acknowledged
    for client in clients:
        client.close()


async def test_one_of_many_guests_gets_the_free_seat(sqlite_url: str, start: Start) -> None:
    port = start(sqlite_url).port
    clients = [Client(port, f"127.0.1.{number + 1}") for number in range(RACERS)]
    for _ in range(ROUNDS):
        opened = (await clients[0].call("POST", "/api/tables", {"against": "friend"})).json()
        path, body = f"/api/tables/{opened['id']}/seat", {"invitation": opened["invitation"]}
        answers = await asyncio.gather(
            *(client.call("POST", path, body, secrets.token_urlsafe(24)) for client in clients)
        )
        statuses = Counter(answer.status for answer in answers)
        assert statuses[200] == 1, statuses
    for client in clients:
        client.close()
