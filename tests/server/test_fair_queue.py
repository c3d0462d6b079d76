"""Fair queueing: floods of requests for moves, and the turns and budgets that other clients still get."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from jaipur.rules import Deal, Move, View, new_round
from jaipur.server.workers.fair_queue import FairQueue
from jaipur.server.workers.pool import MIN_SECONDS, WORKER, WorkerPool
from server.serving import Client, Json, open_table, run_server, wait_for
from server.waiting import LIMIT, until

pytestmark = pytest.mark.anyio

FLOOD = 51

WRITES_BUDGETS = """
import os, sys
from jaipur.server.workers.messages import ANSWER, read_request
while (request := read_request(sys.stdin.buffer)) is not None:
    with open(sys.argv[1], "a") as file:
        print(request.level, request.budget.seconds, file=file)
    os.write(1, ANSWER.pack(request.seed, request.moves[0]))
"""
"""A worker that plays the first move and writes the budget of each request to a file."""


def some_turn() -> tuple[View, list[Move]]:
    position = new_round(Deal.shuffled(Random(1)))
    return position.view(position.turn), position.legal_moves()


class Requests:
    """Requests to a pool of real workers, and the clients in the order in which they were answered."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool = pool
        self.answered: list[str] = []

    async def request(self, level: str, client: str) -> None:
        await self.pool.choose(level, *some_turn(), client)
        self.answered.append(client)

    def flood(self, level: str, client: str, count: int) -> "list[asyncio.Task[None]]":
        return [asyncio.create_task(self.request(level, client)) for _ in range(count)]


async def attack(
    play: Callable[[Requests], Awaitable[None]],
    workers: int = 2,
    seconds: float = 0.001,
    command: tuple[str, ...] = WORKER,
) -> None:
    pool = WorkerPool(workers, seconds=seconds, margin=LIMIT, command=command)
    try:
        async with asyncio.timeout(LIMIT):
            await pool.start()
            await play(Requests(pool))
    finally:
        await pool.close()


async def test_slow_games_of_one_client_do_not_delay_quick_moves_of_another() -> None:
    async def play(requests: Requests) -> None:
        flood = requests.flood("grand-maharaja", "flood", FLOOD)
        await until(lambda: requests.pool.waiting == FLOOD - 1)
        for _ in range(10):
            await requests.request("greedy", "ann")
        assert requests.answered.count("flood") < FLOOD // 2
        assert requests.pool.waiting > 0
        for task in flood:
            task.cancel()
        await asyncio.gather(*flood, return_exceptions=True)
        assert requests.pool.waiting == 0

    await attack(play, seconds=0.05)


async def test_clients_with_slow_levels_take_turns() -> None:
    async def play(requests: Requests) -> None:
        tasks = requests.flood("vizier", "flood", 10)
        await until(lambda: requests.pool.waiting == 9)
        tasks += requests.flood("vizier", "ann", 3)
        await asyncio.gather(*tasks)
        assert requests.answered[:7] == ["flood", *["ann", "flood"] * 3]

    await attack(play)


async def test_a_flood_of_quick_requests_delays_another_client_by_one_turn() -> None:
    async def play(requests: Requests) -> None:
        tasks = requests.flood("greedy", "flood", 300)
        tasks += requests.flood("greedy", "ann", 1)
        await asyncio.gather(*tasks)
        assert requests.answered.index("ann") < 10

    await attack(play)


async def test_a_flood_of_quick_requests_leaves_the_shared_workers_to_slow_levels() -> None:
    queue = FairQueue(2, reserved=1)
    order: list[str] = []

    async def request(client: str, slow: bool) -> None:
        async with queue.turn(client, slow=slow) as turn:
            order.append(client)
            assert not (slow and turn.reserved)
            await asyncio.sleep(0)

    flood = [asyncio.create_task(request("flood", slow=False)) for _ in range(100)]
    await asyncio.sleep(0)
    assert queue.waiting == 98
    await request("ann", slow=True)
    assert order.index("ann") < 10
    await asyncio.gather(*flood)


async def test_under_load_the_budgets_shrink_most_for_the_client_with_most_requests(
    tmp_path: Path,
) -> None:
    log = tmp_path / "budgets"

    async def play(requests: Requests) -> None:
        tasks = requests.flood("vizier", "flood", 5)
        await until(lambda: requests.pool.waiting == 4)
        tasks += requests.flood("raja", "ann", 1)
        await asyncio.gather(*tasks)

    await attack(play, seconds=1.0, command=(sys.executable, "-c", WRITES_BUDGETS, str(log)))
    seen = [line.split() for line in log.read_text().splitlines()]
    assert [float(seconds) for level, seconds in seen if level == "raja"] == [1 / 2]
    assert [float(seconds) for level, seconds in seen if level == "vizier"] == [
        1.0,
        1 / 4,
        1 / 3,
        1 / 2,
        1.0,
    ]


async def test_a_budget_does_not_shrink_below_the_minimum(tmp_path: Path) -> None:
    log = tmp_path / "budgets"

    async def play(requests: Requests) -> None:
        await asyncio.gather(*requests.flood("vizier", "flood", FLOOD))

    await attack(play, seconds=0.5, command=(sys.executable, "-c", WRITES_BUDGETS, str(log)))
    seconds = [float(line.split()[1]) for line in log.read_text().splitlines()]
    assert len(seconds) == FLOOD
    assert seconds[1] == min(seconds) == MIN_SECONDS


async def test_time_in_the_queue_is_not_computation_time() -> None:
    async def play(requests: Requests) -> None:
        tasks = [
            asyncio.create_task(requests.pool.choose("vizier", *some_turn(), "ann"))
            for _ in range(20)
        ]
        chosen = await asyncio.gather(*tasks)
        assert max(each.seconds for each in chosen) <= 0.05

    await attack(play, seconds=0.05)


@pytest.mark.parametrize("slow", [False, True])
async def test_a_cancelled_request_leaves_the_queue(slow: bool) -> None:
    queue = FairQueue(2, reserved=1)
    order: list[str] = []

    async def request(client: str) -> None:
        async with queue.turn(client, slow=slow):
            order.append(client)

    async with AsyncExitStack() as running:
        for _ in range(1 if slow else 2):
            await running.enter_async_context(queue.turn("flood", slow=slow))
        tasks = [asyncio.create_task(request(client)) for client in ("ann", "bo", "ann", "cy")]
        await until(lambda: queue.waiting == 4)
        tasks[0].cancel()
        tasks[1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert sorted(order) == ["ann", "cy"]
    assert queue.waiting == 0


async def test_a_request_that_is_cancelled_with_its_turn_passes_the_turn_on() -> None:
    queue = FairQueue(2, reserved=1)

    async def request() -> None:
        async with queue.turn("ann", slow=True):
            pass

    async with queue.turn("flood", slow=True):
        task = asyncio.create_task(request())
        await until(lambda: queue.waiting == 1)
    assert queue.waiting == 0, "the turn is granted"
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    async with asyncio.timeout(LIMIT), queue.turn("bo", slow=True):
        pass


def table_with_computer_to_move(http: httpx.Client, level: str) -> Client:
    """A table at which a person has just moved, or the computer begins."""
    client, _ = open_table(http, "computer", level=level)
    table = client.get_table()
    if table["moves"]:
        client.play(table["moves"][0], table["version"]).raise_for_status()
    return client


def answer(client: Client) -> Json | None:
    """The table, if the computer has moved."""
    table = client.get_table()
    return table if table["turn"] == client.seat else None


def test_one_address_with_many_slow_games_does_not_stop_the_computers_of_another(
    tmp_path: Path,
) -> None:
    with (
        run_server(tmp_path, "--proxy", "127.0.0.1", "--thinkers", "2", "--think", "500") as server,
        httpx.Client(base_url=server.address, headers={"x-forwarded-for": "192.0.2.1"}) as flood,
        httpx.Client(base_url=server.address, headers={"x-forwarded-for": "192.0.2.2"}) as ann,
    ):
        attackers = [table_with_computer_to_move(flood, "grand-maharaja") for _ in range(FLOOD)]
        for level in ("greedy", "vizier"):
            client = table_with_computer_to_move(ann, level)
            wait_for(lambda client=client: answer(client))  # type: ignore[misc]
        waiting = [answer(client) for client in attackers].count(None)
        # In one queue for all, only requests that are already at a worker can be unanswered now.
        assert waiting > 2, "other computers wait longer than the flood"
