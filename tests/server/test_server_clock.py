"""The time of a server: it follows the system clock, but a step of that clock cannot end games."""

from collections.abc import AsyncIterator

import pytest

from jaipur.server.live.scheduler import Scheduler
from jaipur.server.live.server_clock import LONG_OUTAGE, MILLI, ServerClock
from jaipur.server.live.sweep import UNJOINED_FOR, Sweep
from jaipur.server.live.tables import TableService, no_command
from jaipur.server.store.event_store import EventStore, open_event_store
from jaipur.server.workers.pool import ChosenMove
from jaipur.table.clock import NO_OUTAGE, Outage
from jaipur.table.events import Abandoned, AnyEvent, Chair, Flagged, Opened
from jaipur.table.options import DAY, SECOND, Daily, Live, TableOptions
from jaipur.table.table import Table

NOW = 1_900_000_000_000
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND
MONTH = 31 * DAY
TABLE = "0123456789abcdef"
ANN, BO = (Chair("person", name, name) for name in ("Ann", "Bo"))


class Machine:
    """A machine with a system clock that can step and a steady clock that cannot."""

    def __init__(self) -> None:
        self.system = NOW
        self.steady = 5_000 * MILLI

    def start(self, last_event: int | None = None) -> ServerClock:
        return ServerClock(last_event, system=lambda: self.system, steady=lambda: self.steady)

    def wait(self, millis: int) -> None:
        self.system += millis
        self.steady += millis * MILLI


def readings(machine: Machine, clock: ServerClock, seconds: int) -> list[int]:
    """One reading per second."""
    times = []
    for _ in range(seconds):
        machine.wait(SECOND)
        times.append(clock.now())
    return times


def test_without_steps_the_time_is_the_system_time() -> None:
    machine = Machine()
    clock = machine.start()
    assert clock.now() == NOW
    assert readings(machine, clock, 3) == [NOW + SECOND, NOW + 2 * SECOND, NOW + 3 * SECOND]


@pytest.mark.parametrize("step", [-MONTH, -HOUR, -SECOND, SECOND, HOUR, MONTH])
def test_a_step_of_the_system_clock_is_followed_slowly(step: int) -> None:
    machine = Machine()
    clock = machine.start()
    machine.system += step
    before = clock.now()
    for now in readings(machine, clock, 100):
        passed = now - before
        assert SECOND // 2 <= passed <= SECOND + SECOND // 10, "never back, and never a jump"
        before = now
    assert abs(machine.system - before) < abs(step)
    assert abs(step) > SECOND or before == machine.system
    assert clock.outage == NO_OUTAGE


def test_after_a_restart_the_time_does_not_go_back() -> None:
    machine = Machine()
    clock = machine.start(last_event=NOW + HOUR)
    assert clock.now() == NOW + HOUR
    (later,) = readings(machine, clock, 1)
    assert later == NOW + HOUR + SECOND // 2
    assert clock.outage == NO_OUTAGE


@pytest.mark.parametrize(
    ("last_event", "outage"),
    [
        (None, NO_OUTAGE),
        (NOW - LONG_OUTAGE, NO_OUTAGE),
        (NOW - MONTH, Outage(NOW - MONTH, NOW)),
        (NOW + DAY, NO_OUTAGE),
        (NOW + MONTH, Outage(NOW, NOW + MONTH)),
    ],
)
def test_a_long_time_since_the_last_event_is_an_outage(
    last_event: int | None, outage: Outage
) -> None:
    clock = Machine().start(last_event)
    assert clock.outage == outage
    assert clock.now() == max(NOW, last_event or 0)


def test_a_machine_that_slept_had_an_outage() -> None:
    machine = Machine()
    clock = machine.start()
    machine.wait(8 * HOUR)
    assert clock.now() == NOW + 8 * HOUR
    assert clock.outage == Outage(NOW, NOW + 8 * HOUR)


def test_only_the_part_of_an_outage_after_a_time_counts() -> None:
    outage = Outage(100, 150)
    assert [outage.after(time) for time in (0, 100, 120, 150, 200)] == [50, 50, 30, 0, 0]


def first_move(table: Table) -> list[AnyEvent]:
    assert table.turn is not None
    return table.play(table.turn, table.game.legal_moves()[0], table.version)


class Restarts:
    """A store on a machine, and servers that are started on it one after the other."""

    def __init__(self, store: EventStore) -> None:
        self.machine = Machine()
        self.store = store

    async def start(self) -> TableService:
        return TableService(self.store, clock=self.machine.start(await self.store.last_event()))

    def run(self, tables: TableService, millis: int) -> None:
        """Let a server run for some time. It reads its clock often."""
        for _ in range(millis // MINUTE):
            self.machine.wait(MINUTE)
            tables.now()

    async def play(self, clock: Live | Daily | None) -> None:
        """A table where both players have moved, so that the clock runs."""
        tables = await self.start()
        await tables.open(TABLE, Opened((ANN, BO), TableOptions(clock=clock)))
        for _ in range(2):
            self.machine.wait(20 * SECOND)
            await tables.act(TABLE, first_move)

    async def sweep(self, tables: TableService) -> list[AnyEvent]:
        """The new events of a sweep over the due tables."""
        before = (await self.store.read(TABLE))[-1].version
        scheduler = Scheduler(tables, choose_move)
        await scheduler._sweep.visit_due()
        await scheduler.close()
        return [entry.event for entry in await self.store.read(TABLE, before)]


async def choose_move(*_arguments: object) -> ChosenMove:
    raise AssertionError("no computer plays here")


@pytest.fixture
async def restarts(sqlite_url: str) -> AsyncIterator[Restarts]:
    store = await open_event_store(sqlite_url)
    yield Restarts(store)
    await store.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("clock", "time", "end"),
    [(Live(600), 600 * SECOND, Flagged), (Daily(1), DAY, Flagged), (None, 30 * DAY, Abandoned)],
)
async def test_a_restart_a_month_later_ends_no_game_at_once(
    restarts: Restarts, clock: Live | Daily | None, time: int, end: type[AnyEvent]
) -> None:
    """The server was off, or its clock is wrong: the players get the time that they had before."""
    await restarts.play(clock)
    restarts.machine.system += MONTH
    tables = await restarts.start()
    assert await restarts.sweep(tables) == []
    assert (await tables.act(TABLE, no_command)).table.over is None
    restarts.run(tables, time - MINUTE)
    assert await restarts.sweep(tables) == []
    restarts.run(tables, MINUTE)
    assert [type(event) for event in await restarts.sweep(tables)] == [end]


@pytest.mark.anyio
async def test_a_restart_an_hour_back_does_not_freeze_clocks(restarts: Restarts) -> None:
    await restarts.play(Live(60))
    restarts.machine.system -= HOUR
    tables = await restarts.start()
    assert await restarts.sweep(tables) == []
    # While the server waits for the system clock, its time passes at half speed.
    restarts.run(tables, 2 * MINUTE)
    assert [type(event) for event in await restarts.sweep(tables)] == [Flagged]


@pytest.mark.anyio
async def test_a_table_opened_after_an_outage_has_its_usual_time(restarts: Restarts) -> None:
    await restarts.play(Daily(1))
    restarts.machine.system += MONTH
    tables = await restarts.start()
    await tables.act(TABLE, first_move)
    restarts.run(tables, DAY)
    assert [type(event) for event in await restarts.sweep(tables)] == [Flagged]


@pytest.mark.anyio
async def test_a_restart_a_month_later_deletes_no_table_at_once(restarts: Restarts) -> None:
    tables = await restarts.start()
    await tables.open(TABLE, Opened((ANN, Chair()), TableOptions()))
    restarts.machine.system += MONTH
    tables = await restarts.start()
    sweep = Sweep(tables, no_visit)
    await sweep.delete_unjoined()
    assert await restarts.store.read(TABLE)
    restarts.run(tables, UNJOINED_FOR + MINUTE)
    await sweep.delete_unjoined()
    assert await restarts.store.read(TABLE) == []


async def no_visit(_table_id: str) -> bool:
    raise AssertionError("no table is due")
