"""The worker pool on both event loops: a move always comes, clients take turns, and no process is left behind."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from io import BytesIO
from random import Random

import pytest
import uvloop

from jaipur.players import LEVELS, Budget, NoSuchPlayer
from jaipur.rules import Deal, Herds, Move, View, new_round
from jaipur.server.workers.messages import WorkerRequest, encode_request, read_request
from jaipur.server.workers.pool import ATTEMPTS, WORKER, PoolClosed, WorkerPool
from jaipur.server.workers.worker import NICENESS
from server.waiting import until

LONG = 600.0
"""A time budget that no test waits for."""
LIMIT = 60.0

Play = Callable[[WorkerPool], Coroutine[None, None, None]]
Run = Callable[[WorkerPool, Play], None]


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    """Run a test with a pool, close the pool, and check that its processes are gone."""
    with asyncio.Runner(loop_factory=request.param) as runner:
        yield lambda pool, play: runner.run(_run_and_close(pool, play))


async def _run_and_close(pool: WorkerPool, play: Play) -> None:
    async with asyncio.timeout(LIMIT):
        await pool.start()
        await play(pool)
        left = pids(pool)
        await pool.close()
    assert not any(map(running, left))
    assert not pids(pool)


def some_turn(number: int = 1) -> tuple[View, list[Move]]:
    position = new_round(Deal.shuffled(Random(number)))
    return position.view(position.turn), position.legal_moves()


async def request_move(pool: WorkerPool, level: str, number: int = 1, client: str = "") -> None:
    view, moves = some_turn(number)
    assert (await pool.choose(level, view, moves, client)).move in moves


def pids(pool: WorkerPool) -> list[int]:
    return [worker._transport.get_pid() for worker in pool._alive]


def running(pid: int) -> bool:
    """Whether there is such a child, dead and not yet reaped ones included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def busy(pool: WorkerPool) -> list[int]:
    """The processes that have a request."""
    return [worker._transport.get_pid() for worker in pool._alive if worker._answer is not None]


async def request_that_arrived(pool: WorkerPool, level: str) -> "asyncio.Task[None]":
    """The only request that has reached a worker."""
    task = asyncio.create_task(request_move(pool, level))
    await until(lambda: len(busy(pool)) == 1)
    return task


def test_every_level_answers_and_its_time_is_observed(run: Run) -> None:
    seen: list[tuple[str, float]] = []

    async def play(pool: WorkerPool) -> None:
        for level in LEVELS:
            await request_move(pool, level.name)
        assert len(pids(pool)) == 2, "one for quick levels, one for slow levels"

    def observe(level: str, seconds: float) -> None:
        seen.append((level, seconds))

    run(WorkerPool(2, seconds=0.05, margin=LIMIT, observe=observe), play)
    assert [level for level, _ in seen] == [level.name for level in LEVELS]
    assert dict(seen)["vizier"] >= 0.05


def test_two_workers_answer_many_requests(run: Run) -> None:
    async def play(pool: WorkerPool) -> None:
        await asyncio.gather(*(request_move(pool, "greedy", number) for number in range(300)))
        assert len(pids(pool)) == 2
        assert pool.restarts == 0

    run(WorkerPool(2, margin=LIMIT), play)


def test_requests_of_one_client_are_answered_in_order(run: Run) -> None:
    served: list[int] = []

    async def play(pool: WorkerPool) -> None:
        async def one(number: int) -> None:
            await request_move(pool, "vizier", number)
            served.append(number)

        await asyncio.gather(*map(one, range(10)))

    run(WorkerPool(1, seconds=0.001, margin=LIMIT), play)
    assert served == list(range(10))


def test_a_worker_killed_during_a_request_is_replaced(run: Run) -> None:
    async def play(pool: WorkerPool) -> None:
        await request_move(pool, "greedy")
        [pid] = pids(pool)
        os.kill(pid, signal.SIGSTOP)  # so that it is not done too soon
        task = await request_that_arrived(pool, "merchant")
        os.kill(pid, signal.SIGKILL)
        await task
        assert pool.restarts == 1
        assert pids(pool) != [pid]

    run(WorkerPool(1, seconds=0.05, margin=LIMIT), play)


def test_an_idle_worker_that_dies_is_replaced_silently(run: Run) -> None:
    async def play(pool: WorkerPool) -> None:
        [pid] = pids(pool)
        os.kill(pid, signal.SIGKILL)
        await until(lambda: not pids(pool))
        await request_move(pool, "greedy")
        assert pool.restarts == 0

    run(WorkerPool(1, margin=LIMIT), play)


def test_a_hanging_worker_is_replaced(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    async def play(pool: WorkerPool) -> None:
        await request_move(pool, "greedy")
        [pid] = pids(pool)
        os.kill(pid, signal.SIGSTOP)
        await request_move(pool, "merchant")
        assert pool.restarts >= 1
        await until(lambda: not running(pid))

    run(WorkerPool(1, seconds=0.0, margin=0.5), play)
    assert "A worker failed as merchant: no answer in 0.5 s" in logged(caplog)


def test_an_interrupt_at_the_terminal_does_not_end_a_worker(run: Run) -> None:
    async def play(pool: WorkerPool) -> None:
        await request_move(pool, "greedy")
        [pid] = pids(pool)
        assert os.getsid(pid) == pid
        os.kill(pid, signal.SIGINT)
        await request_move(pool, "greedy")
        assert pids(pool) == [pid]
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(own + NICENESS, 19)

    run(WorkerPool(1, margin=LIMIT), play)


BROKEN = {
    "exits at once": "raise SystemExit(3)",
    "exits when asked": "receive(); raise SystemExit(3)",
    "answers nonsense": "receive(); write(b'nonsense' * 2); receive()",
    "answers too much": "receive(); write(b'9' * 100_000); receive()",
    "answers without a request": "write(b'nonsense' * 2); receive()",
    "answers another request": "receive(); write(ANSWER.pack(7, request.moves[0])); receive()",
    "plays an illegal move": "receive(); write(ANSWER.pack(request.seed, 0x22)); receive()",
}
PRELUDE = """
import os, sys
from functools import partial
from jaipur.server.workers.messages import ANSWER, read_request
write = partial(os.write, 1)
def receive():
    global request
    request = read_request(sys.stdin.buffer)
"""


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.name.startswith("jaipur")]


@pytest.mark.parametrize("program", [*BROKEN.values(), None], ids=[*BROKEN, "does not exist"])
def test_a_move_comes_even_if_every_worker_fails(
    run: Run, caplog: pytest.LogCaptureFixture, program: str | None
) -> None:
    async def play(pool: WorkerPool) -> None:
        await request_move(pool, "vizier")
        assert pool.restarts == ATTEMPTS + 1

    run(WorkerPool(1, command=program_of(program) if program else ["/no/such/program"]), play)
    *_, third, fourth, last = logged(caplog)
    assert third.startswith("A worker failed as vizier: ")
    assert fourth.startswith("A worker failed as merchant: ")
    assert last == "No worker answers as vizier: greedy moves instead"


def test_a_level_that_always_fails_is_replaced_by_the_merchant(run: Run) -> None:
    seen: list[str] = []
    program = """
while True:
    receive()
    write(ANSWER.pack(request.seed, request.moves[0] if request.level == "merchant" else 0))
"""

    async def play(pool: WorkerPool) -> None:
        await request_move(pool, "vizier")

    command = program_of(program)
    run(WorkerPool(1, command=command, observe=lambda level, _: seen.append(level)), play)
    assert seen == ["merchant"]


def program_of(text: str) -> list[str]:
    return [sys.executable, "-c", PRELUDE + text]


def test_a_cancelled_request_frees_its_worker(run: Run) -> None:
    async def play(pool: WorkerPool) -> None:
        task = await request_that_arrived(pool, "vizier")
        [pid] = busy(pool)
        waiting = asyncio.create_task(request_move(pool, "vizier"))
        after = asyncio.create_task(request_move(pool, "raja", 2))
        await until(lambda: pool.waiting == 2)
        waiting.cancel()
        task.cancel()
        await after
        assert pool.waiting == 0
        assert task.cancelled()
        assert waiting.cancelled()
        await until(lambda: not running(pid))
        assert pool.restarts == 0

    run(WorkerPool(1, seconds=LONG), play)


def test_a_request_can_be_cancelled_at_any_time(run: Run) -> None:
    async def play(pool: WorkerPool) -> None:
        for ticks in range(12):
            task = asyncio.create_task(request_move(pool, "greedy"))
            for _ in range(ticks):
                await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await request_move(pool, "greedy")
        await until(lambda: len(pids(pool)) == 1)

    run(WorkerPool(1), play)


def test_closing_ends_every_request(run: Run) -> None:
    async def play(pool: WorkerPool) -> None:
        requests = [asyncio.create_task(request_move(pool, "vizier")) for _ in range(1000)]
        await until(lambda: len(busy(pool)) == 2)
        await pool.close()
        ends = await asyncio.gather(*requests, return_exceptions=True)
        assert {type(end) for end in ends} == {PoolClosed}
        with pytest.raises(PoolClosed):
            await request_move(pool, "greedy")
        await pool.close()

    run(WorkerPool(3, seconds=LONG), play)


@pytest.mark.parametrize("ticks", range(12))
def test_closing_ends_a_worker_that_is_starting(run: Run, ticks: int) -> None:
    async def play(_another: WorkerPool) -> None:
        pool = WorkerPool(2, seconds=LONG)
        start = asyncio.create_task(pool.start())
        request_task = asyncio.create_task(request_move(pool, "vizier"))
        for _ in range(ticks):
            await asyncio.sleep(0)
        await pool.close()
        await start
        with pytest.raises(PoolClosed):
            await request_task
        assert not pids(pool)

    run(WorkerPool(1), play)


@pytest.mark.parametrize("level", ["nobody", "vizier@9ms", "cmd:true", "greedy\ngreedy"])
def test_only_registered_levels_are_accepted(run: Run, level: str) -> None:
    async def play(pool: WorkerPool) -> None:
        with pytest.raises(NoSuchPlayer):
            await request_move(pool, level)

    run(WorkerPool(1), play)


SERVER = """
import asyncio, random, uvloop
from jaipur.rules import Deal, new_round
from jaipur.server.workers.messages import WorkerRequest, encode_request, read_request
from jaipur.server.workers.pool import WorkerPool

async def serve():
    position = new_round(Deal.shuffled(random.Random(1)))
    turn = position.view(position.turn), position.legal_moves()
    pool = WorkerPool(4, seconds=600)
    await pool.choose("greedy", *turn)
    requests = [asyncio.create_task(pool.choose("vizier", *turn)) for _ in range(3)]
    while sum(worker._answer is not None for worker in pool._alive) < 3:
        await asyncio.sleep(0.005)
    print("busy", flush=True)
    await asyncio.gather(*requests)

asyncio.Runner(loop_factory={loop}.new_event_loop).run(serve())
"""


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_busy_workers_end_when_the_server_is_killed(loop: str) -> None:
    command = [sys.executable, "-c", SERVER.format(loop=loop)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert server.stdout is not None
    assert server.stdout.readline() == b"busy\n"
    server.kill()
    # The workers write to the same standard error, so it ends only when the last of them has.
    assert server.communicate(timeout=LIMIT) == (b"", b"")


def test_a_worker_imports_no_server_library() -> None:
    command = [WORKER[0], "-X", "importtime", *WORKER[1:]]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=True)
    loaded = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "jaipur" in loaded
    assert not loaded & {"litestar", "sqlalchemy", "uvicorn", "numpy", "rich"}
    assert "asyncio" not in loaded


@pytest.mark.parametrize("herds", ["open", "hidden"])
def test_a_request_survives_encoding(herds: Herds) -> None:
    rng = Random(3)
    position = new_round(Deal.shuffled(rng))
    while moves := position.legal_moves():
        view = position.view(position.turn, herds, (1, 0))
        codes = [move.code for move in moves]
        request = WorkerRequest("vizier", view, codes, Budget(0.5, 7), 2**63 - 1)
        assert read_request(BytesIO(encode_request(request))) == request
        assert [Move.from_code(code) for code in codes] == moves
        position.play(rng.choice(moves))


def test_a_request_cut_off_anywhere_is_the_end() -> None:
    view, moves = some_turn()
    request = WorkerRequest("greedy", view, [move.code for move in moves], Budget(), 1)
    encoded = encode_request(request)
    for length in range(len(encoded)):
        assert read_request(BytesIO(encoded[:length])) is None
