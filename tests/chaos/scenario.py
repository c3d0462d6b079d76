"""Runs one attack or fault against a server while other people play.

The people have addresses of their own. The figures are their waiting times before, during and after the attack, the
memory of the server, and the acknowledged moves that are missing after a SIGKILL and a restart.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from chaos import attacks, faults
from chaos.comparison import Comparison, verify
from chaos.machine import FOLDER, UNLIMITED, World, clock_shim, small_disk
from chaos.process import ServerProcess
from chaos.referee import Referee
from chaos.target import Counts, Target

FRIENDS = 12
GREEDY = 3
EVERY = 0.25
"""Mean seconds between two moves of a game."""


@dataclass(frozen=True)
class Scenario:
    """An attack or a fault, and what its server needs."""

    attack: Callable[[Target], Awaitable[Counts]]
    arguments: tuple[str, ...] = ()
    descriptors: int | None = None
    small_disk: bool = False
    clock: bool = False
    seconds: float | None = None
    """The length of the attack if it must be longer than the others."""

    @property
    def sent(self) -> str:
        return (self.attack.__doc__ or "").strip()


SCENARIOS = {
    "no attack": Scenario(attacks.nothing),
    "chunked trailers": Scenario(attacks.chunked_trailers),
    "replays of a long log": Scenario(attacks.replay_long),
    "replays of a finished game": Scenario(attacks.replay_finished),
    "unread streams": Scenario(attacks.unread_streams, seconds=20),
    "strong computers": Scenario(attacks.strong_computers),
    "slow connections": Scenario(attacks.slow_connections, descriptors=400, seconds=16),
    "rematches": Scenario(attacks.rematches),
    "raced spectators": Scenario(attacks.raced_spectators),
    "large bodies": Scenario(attacks.large_bodies),
    "one IPv6 network": Scenario(attacks.one_network, arguments=("--proxy", "127.0.0.1")),
    "foreign Host header": Scenario(attacks.foreign_host),
    "wrong version": Scenario(faults.wrong_version),
    "full disk": Scenario(faults.full_disk, small_disk=True),
    "deleted database": Scenario(faults.deleted_database),
    "second server": Scenario(faults.second_server),
    "clock an hour back": Scenario(faults.clock_back, clock=True, seconds=30),
    "clock a month forward": Scenario(faults.clock_forward, clock=True),
}


@dataclass
class Phase:
    """The waiting times of the people in one phase, in milliseconds."""

    moves: list[float] = field(default_factory=list)
    replies: list[float] = field(default_factory=list)
    seconds: float = 0.0


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values) or [float("nan")]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass
class Result:
    """The figures of one run. Memory is in megabytes: before, highest, after."""

    counts: Counts
    phases: dict[str, Phase]
    server_memory: tuple[float, float, float]
    tree_memory: tuple[float, float, float]
    processor: float
    """Processor time of the server process during the attack, as a share of a core."""
    comparison: Comparison
    lost_responses: int
    kinds: dict[str, int]


def run(
    name: str, world: World, folder: Path, python: str = sys.executable, seconds: float = 8.0
) -> Result:
    """One run in an empty folder."""
    scenario = SCENARIOS[name]
    if scenario.small_disk:
        with small_disk(folder):
            return _run(name, world, folder, python, seconds)
    return _run(name, world, folder, python, seconds)


def _run(name: str, world: World, folder: Path, python: str, seconds: float) -> Result:
    scenario = SCENARIOS[name]
    url = world.copy_to(folder)
    server = ServerProcess(
        folder / "log",
        url,
        *scenario.arguments,
        python=python,
        descriptors=scenario.descriptors,
        environment=clock_shim(folder) if scenario.clock else None,
    )
    length = scenario.seconds or seconds
    target = Target(
        server.port, server.pid, python, url, str(folder), length, world.long, world.finished
    )
    try:
        return asyncio.run(_Run(name, server, target, seconds / 2).run())
    finally:
        server.kill()


class _Run:
    """The people, the attacker and the samples of one run."""

    def __init__(self, name: str, server: ServerProcess, target: Target, quiet: float) -> None:
        self._name = name
        self._server = server
        self._target = target
        self._quiet = quiet
        """Seconds of the phases before and after the attack."""
        self._memory: list[tuple[float, float]] = []

    async def run(self) -> Result:
        referee = Referee(self._server.port, Random(1))
        for number in range(FRIENDS):
            referee.play(f"127.0.1.{number + 1}", EVERY)
        for number in range(GREEDY):
            referee.play(f"127.0.2.{number + 1}", 2 * EVERY, "greedy")
        await referee.until(lambda: referee.moves > 2 * (FRIENDS + GREEDY))
        sampling = asyncio.create_task(self._sample_memory())
        times = [time.monotonic()]
        await asyncio.sleep(self._quiet)
        times.append(time.monotonic())
        before = self._memory[-1]
        processor = self._server.processor_seconds()
        counts = await self._attack()
        processor = self._server.processor_seconds() - processor
        times.append(time.monotonic())
        await asyncio.sleep(self._quiet)
        times.append(time.monotonic())
        await self._last_responses(referee)
        sampling.cancel()
        await referee.close()
        comparison = await self._verify(referee, counts)
        highest = [max(each) for each in zip(*self._memory, strict=True)]
        return Result(
            counts,
            _phases(referee, times),
            (before[0], highest[0], self._memory[-1][0]),
            (before[1], highest[1], self._memory[-1][1]),
            processor / (times[2] - times[1]),
            comparison,
            sum(referee.lost_responses.values()),
            dict(referee.kinds),
        )

    async def _attack(self) -> Counts:
        """Run the attacker in a process of its own, so that it does not delay the people's clients."""
        command = [sys.executable, "-m", "chaos.scenario", self._name, self._target.to_json()]
        environment = os.environ | {"PYTHONPATH": str(FOLDER.parent)}
        process = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=subprocess.PIPE
        )
        output, _ = await process.communicate()
        assert process.returncode == 0, f"the attack {self._name} failed"
        counts: Counts = json.loads(output)
        return counts

    async def _sample_memory(self) -> None:
        while True:
            self._memory.append(self._server.memory())
            await asyncio.sleep(0.1)

    async def _last_responses(self, referee: Referee) -> None:
        """Wait for the responses to moves that were sent during the attack. Some attacks stop the server for ever."""
        with suppress(AssertionError):
            await referee.until(lambda: all(table.pending is None for table in referee.tables), 10)

    async def _verify(self, referee: Referee, counts: Counts) -> Comparison:
        self._server.kill()
        if "deleted at" in counts:
            # The deletion itself loses everything before it.
            late = [
                each
                for table in referee.tables
                for each in table.acknowledged
                if each.at > float(counts["deleted at"]) + 0.5
            ]
            return Comparison(acknowledged=referee.moves, lost=len(late))
        self._server.arguments += UNLIMITED
        self._server.start()
        return await verify(referee)


def _phases(referee: Referee, times: list[float]) -> dict[str, Phase]:
    phases = {name: Phase() for name in ("before", "during", "after")}
    for phase, start, end in zip(phases.values(), times[:-1], times[1:], strict=True):
        phase.seconds = end - start
        for sample in referee.samples:
            if start <= sample.sent < end:
                kept = phase.moves if sample.what == "move" else phase.replies
                kept.append(1e3 * sample.seconds)
    return phases


if __name__ == "__main__":  # the attacker: python -m chaos.scenario NAME TARGET
    attack = SCENARIOS[sys.argv[1]].attack(Target.from_json(sys.argv[2]))
    print(json.dumps(asyncio.run(attack)))  # type: ignore[arg-type]
