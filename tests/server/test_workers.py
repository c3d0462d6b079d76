"""Computers think in processes of their own: a move always comes, and no process is left. Each on both event loops."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from random import Random

import pytest
import uvloop

from jaipur.players import LEVELS, NoSuchPlayer
from jaipur.rules import Deal, Move, View, new_round
from jaipur.server.workers.pool import ATTEMPTS, WORKER, Stopped, WorkerPool
from jaipur.server.workers.worker import POLITENESS

LONG = 600.0
"""Seconds of thinking that no test waits for."""
PATIENCE = 60.0

Play = Callable[[WorkerPool], Coroutine[None, None, None]]
Run = Callable[[WorkerPool, Play], None]


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    """Plays with thinkers, closes them, and sees that they are gone."""
    with asyncio.Runner(loop_factory=request.param) as runner:
        yield lambda thinkers, play: runner.run(_all_of(thinkers, play))


async def _all_of(thinkers: WorkerPool, play: Play) -> None:
    async with asyncio.timeout(PATIENCE):
        await thinkers.start()
        await play(thinkers)
        left = pids(thinkers)
        await thinkers.close()
    assert not any(map(running, left))
    assert not pids(thinkers)


def a_turn(number: int = 1) -> tuple[View, list[Move]]:
    position = new_round(Deal.shuffled(Random(number)))
    return position.view(position.turn), position.legal_moves()


async def answered(thinkers: WorkerPool, level: str, number: int = 1) -> None:
    view, moves = a_turn(number)
    assert await thinkers.choose(level, view, moves) in moves


def pids(thinkers: WorkerPool) -> list[int]:
    return [worker._transport.get_pid() for worker in thinkers._alive]


def running(pid: int) -> bool:
    """Whether there is such a child, dead and not yet reaped ones included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def thinking(thinkers: WorkerPool) -> int:
    """How many workers have a question."""
    return sum(worker._answer is not None for worker in thinkers._alive)


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.005)


async def asked(thinkers: WorkerPool, level: str) -> "asyncio.Task[None]":
    """A task whose question has reached the only worker."""
    task = asyncio.create_task(answered(thinkers, level))
    await until(lambda: thinking(thinkers) == 1)
    return task


def test_every_level_answers_and_the_thought_is_observed(run: Run) -> None:
    seen: list[tuple[str, float]] = []

    async def play(thinkers: WorkerPool) -> None:
        for level in LEVELS:
            await answered(thinkers, level.name)
        assert len(pids(thinkers)) == 1

    def observe(level: str, seconds: float) -> None:
        seen.append((level, seconds))

    run(WorkerPool(2, seconds=0.05, margin=PATIENCE, observe=observe), play)
    assert [level for level, _ in seen] == [level.name for level in LEVELS]
    assert dict(seen)["vizier"] >= 0.05


def test_many_questions_wait_for_two_workers_without_harm(run: Run) -> None:
    async def play(thinkers: WorkerPool) -> None:
        await asyncio.gather(*(answered(thinkers, "greedy", number) for number in range(300)))
        assert len(pids(thinkers)) == 2
        assert thinkers.restarts == 0

    run(WorkerPool(2, margin=PATIENCE), play)


def test_first_come_is_first_served(run: Run) -> None:
    served: list[int] = []

    async def play(thinkers: WorkerPool) -> None:
        async def one(number: int) -> None:
            await answered(thinkers, "random", number)
            served.append(number)

        await asyncio.gather(*map(one, range(30)))

    run(WorkerPool(1), play)
    assert served == list(range(30))


def test_a_worker_that_is_killed_while_it_thinks_is_replaced(run: Run) -> None:
    async def play(thinkers: WorkerPool) -> None:
        await answered(thinkers, "greedy")
        [pid] = pids(thinkers)
        os.kill(pid, signal.SIGSTOP)  # so that it is not done too soon
        task = await asked(thinkers, "vizier")
        os.kill(pid, signal.SIGKILL)
        await task
        assert thinkers.restarts == 1
        assert pids(thinkers) != [pid]

    run(WorkerPool(1, seconds=0.05, margin=PATIENCE), play)


def test_a_worker_that_dies_in_its_sleep_is_replaced_without_ado(run: Run) -> None:
    async def play(thinkers: WorkerPool) -> None:
        [pid] = pids(thinkers)
        os.kill(pid, signal.SIGKILL)
        await until(lambda: not pids(thinkers))
        await answered(thinkers, "greedy")
        assert thinkers.restarts == 0

    run(WorkerPool(1, margin=PATIENCE), play)


def test_a_worker_that_hangs_is_replaced(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    async def play(thinkers: WorkerPool) -> None:
        await answered(thinkers, "greedy")
        [pid] = pids(thinkers)
        os.kill(pid, signal.SIGSTOP)
        await answered(thinkers, "merchant")
        assert thinkers.restarts >= 1
        await until(lambda: not running(pid))

    run(WorkerPool(1, seconds=0.0, margin=0.5), play)
    assert "A thinker fails as merchant: no answer in 0.5 s" in told(caplog)


def test_a_worker_that_is_interrupted_at_the_terminal_stays(run: Run) -> None:
    async def play(thinkers: WorkerPool) -> None:
        await answered(thinkers, "greedy")
        [pid] = pids(thinkers)
        assert os.getsid(pid) == pid
        os.kill(pid, signal.SIGINT)
        await answered(thinkers, "greedy")
        assert pids(thinkers) == [pid]
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(own + POLITENESS, 19)

    run(WorkerPool(1, margin=PATIENCE), play)


USELESS = {
    "ends at once": "raise SystemExit(3)",
    "ends when asked": "input(); raise SystemExit(3)",
    "talks nonsense": "input(); print('nonsense', flush=True); input()",
    "talks without end": "input(); print('9' * 100_000, end='', flush=True); input()",
    "speaks no text": "input(); os.write(1, bytes([255, 10])); input()",
    "speaks unasked": "print('nonsense', flush=True); input()",
    "answers no question": "ask(); print('7', moves[0], flush=True); input()",
    "plays an illegal move": "ask(); print(seed, '+DD', flush=True); input()",
}
BEFORE = """
import json, os
def ask():
    global level, seed, moves
    level, text = input().split(' ', 1)
    seed, moves = json.loads(text)['seed'], json.loads(text)['moves']
"""


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.name.startswith("jaipur")]


@pytest.mark.parametrize("program", [*USELESS.values(), None], ids=[*USELESS, "is no program"])
def test_a_move_comes_though_every_worker_fails(
    run: Run, caplog: pytest.LogCaptureFixture, program: str | None
) -> None:
    async def play(thinkers: WorkerPool) -> None:
        await answered(thinkers, "vizier")
        assert thinkers.restarts == ATTEMPTS + 1

    run(WorkerPool(1, command=program_of(program) if program else ["/no/such/program"]), play)
    *_, third, fourth, last = told(caplog)
    assert third.startswith("A thinker fails as vizier: ")
    assert fourth.startswith("A thinker fails as merchant: ")
    assert last == "No thinker answers as vizier: greedy moves instead"


def test_a_level_that_keeps_failing_is_replaced_by_the_merchant(run: Run) -> None:
    seen: list[str] = []
    program = "while True: ask(); print(seed, moves[0] if level == 'merchant' else '', flush=True)"

    async def play(thinkers: WorkerPool) -> None:
        await answered(thinkers, "vizier")

    command = program_of(program)
    run(WorkerPool(1, command=command, observe=lambda level, _: seen.append(level)), play)
    assert seen == ["merchant"]


def program_of(text: str) -> list[str]:
    # Isolated, so that it starts quickly.
    return [sys.executable, "-I", "-S", "-c", BEFORE + text]


def test_a_cancelled_question_frees_its_worker(run: Run) -> None:
    async def play(thinkers: WorkerPool) -> None:
        await answered(thinkers, "greedy")
        [pid] = pids(thinkers)
        task = await asked(thinkers, "vizier")
        waiting = asyncio.create_task(answered(thinkers, "vizier"))
        after = asyncio.create_task(answered(thinkers, "greedy", 2))
        await asyncio.sleep(0)
        waiting.cancel()
        task.cancel()
        await after
        assert task.cancelled()
        assert waiting.cancelled()
        await until(lambda: not running(pid))
        assert thinkers.restarts == 0

    run(WorkerPool(1, seconds=LONG), play)


def test_a_question_may_be_cancelled_at_any_moment(run: Run) -> None:
    async def play(thinkers: WorkerPool) -> None:
        for ticks in range(12):
            task = asyncio.create_task(answered(thinkers, "greedy"))
            for _ in range(ticks):
                await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await answered(thinkers, "greedy")
        await until(lambda: len(pids(thinkers)) == 1)

    run(WorkerPool(1), play)


def test_closing_stops_every_question(run: Run) -> None:
    async def play(thinkers: WorkerPool) -> None:
        questions = [asyncio.create_task(answered(thinkers, "vizier")) for _ in range(1000)]
        await until(lambda: thinking(thinkers) == 2)
        await thinkers.close()
        ends = await asyncio.gather(*questions, return_exceptions=True)
        assert {type(end) for end in ends} == {Stopped}
        with pytest.raises(Stopped):
            await answered(thinkers, "greedy")
        await thinkers.close()

    run(WorkerPool(2, seconds=LONG), play)


@pytest.mark.parametrize("ticks", range(12))
def test_closing_stops_a_worker_that_is_just_starting(run: Run, ticks: int) -> None:
    async def play(_another: WorkerPool) -> None:
        thinkers = WorkerPool(2, seconds=LONG)
        start = asyncio.create_task(thinkers.start())
        question = asyncio.create_task(answered(thinkers, "vizier"))
        for _ in range(ticks):
            await asyncio.sleep(0)
        await thinkers.close()
        await start
        with pytest.raises(Stopped):
            await question
        assert not pids(thinkers)

    run(WorkerPool(1), play)


@pytest.mark.parametrize("level", ["nobody", "vizier@9ms", "cmd:true", "greedy\ngreedy"])
def test_only_a_level_thinks_for_a_server(run: Run, level: str) -> None:
    async def play(thinkers: WorkerPool) -> None:
        with pytest.raises(NoSuchPlayer):
            await answered(thinkers, level)

    run(WorkerPool(1), play)


SERVER = """
import asyncio, random, uvloop
from jaipur.rules import Deal, new_round
from jaipur.server.workers.pool import WorkerPool

async def serve():
    position = new_round(Deal.shuffled(random.Random(1)))
    turn = position.view(position.turn), position.legal_moves()
    thinkers = WorkerPool(3, seconds=600)
    await thinkers.choose("greedy", *turn)
    questions = [asyncio.create_task(thinkers.choose("vizier", *turn)) for _ in range(3)]
    while sum(worker._answer is not None for worker in thinkers._alive) < 3:
        await asyncio.sleep(0.005)
    print("thinking", flush=True)
    await asyncio.gather(*questions)

asyncio.Runner(loop_factory={loop}.new_event_loop).run(serve())
"""


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_workers_end_in_mid_thought_with_a_server_that_is_killed(loop: str) -> None:
    command = [sys.executable, "-c", SERVER.format(loop=loop)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert server.stdout is not None
    assert server.stdout.readline() == b"thinking\n"
    server.kill()
    # The workers write to the same standard error, so it ends only when the last of them has.
    assert server.communicate(timeout=PATIENCE) == (b"", b"")


def test_a_worker_loads_players_and_nothing_of_the_server() -> None:
    command = [WORKER[0], "-X", "importtime", *WORKER[1:]]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=True)
    loaded = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "jaipur" in loaded
    assert not loaded & {"litestar", "sqlalchemy", "msgspec", "alembic", "uvicorn", "numpy", "rich"}
    assert "asyncio" not in loaded
