"""The referee notices a lost move, a move that is stored twice, and a stream that differs from the event log."""

import json

import pytest

from chaos.client import Client, Response
from chaos.comparison import Comparison, compare
from chaos.referee import Acknowledged, Table

pytestmark = pytest.mark.anyio

MOVES = ["+D", "+G", "-LL"]


def message(version: int, move: str) -> dict[str, object]:
    return {"version": version, "kind": "played", "seat": 0, "move": move, "happenings": []}


class Log(Client):
    """A server that replays a log in pages of two events."""

    def __init__(self, moves: list[str]) -> None:
        super().__init__(0)
        self._lines = [json.dumps(message(version, move)) for version, move in enumerate(moves, 1)]

    async def call(
        self, method: str, path: str, body: object = None, secret: str | None = None
    ) -> Response:
        del method, body, secret
        after = int(path.partition("after=")[2].partition("&")[0])
        return Response(200, {}, "\n".join(self._lines[after : after + 2]).encode())


async def comparison(stored: list[str], received: list[str] = MOVES) -> Comparison:
    """The comparison if the server acknowledged `MOVES`, sent `received` and stored `stored`."""
    table = Table("a", {0: "secret"})
    table.acknowledged = [
        Acknowledged(number, 0, move, 0.0) for number, move in enumerate(MOVES, 1)
    ]
    table.received = {
        0: {
            number: json.dumps(message(number, move)).encode()
            for number, move in enumerate(received, 1)
        }
    }
    result = Comparison()
    await compare(Log(stored), table, result)
    return result


async def test_an_equal_log_is_accepted() -> None:
    assert await comparison(MOVES) == Comparison()


async def test_a_lost_move_is_noticed() -> None:
    assert (await comparison(MOVES[:2], MOVES[:2])).lost == 1


async def test_another_move_in_its_place_is_noticed() -> None:
    assert (await comparison([*MOVES[:2], "+M"])).lost == 1


async def test_a_move_that_is_stored_twice_is_noticed() -> None:
    assert (await comparison([*MOVES, "-LL"])).doubled == 1


async def test_a_message_that_differs_from_the_log_is_noticed() -> None:
    assert (await comparison(MOVES, ["+D", "+G", "+M"])).differences
