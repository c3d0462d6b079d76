"""`jaipur doctor` on databases with damaged tables: it finds every damage, and repairs what follows from the log."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from jaipur.cli import doctor as cli_doctor
from jaipur.cli import main
from jaipur.server.live.tables import TableService
from jaipur.server.store import doctor
from jaipur.server.store.database import open_database
from jaipur.server.store.event_store import EventStore, open_event_store
from jaipur.table.events import AnyEvent, Chair, LogEntry, Opened
from jaipur.table.options import Live, TableOptions
from jaipur.table.snapshot import take_snapshot
from jaipur.table.table import Table

pytestmark = pytest.mark.anyio

TABLE, OTHER = "0123456789abcdef", "fedcba9876543210"
ANN, BO = (Chair("person", name, name) for name in ("Ann", "Bo"))


def first_move(table: Table) -> list[AnyEvent]:
    assert table.turn is not None
    return table.play(table.turn, table.game.legal_moves()[0], table.version)


@pytest.fixture
async def url(database_url: str) -> str:
    """A database with two tables. One of them has six events and a snapshot."""
    store = await open_event_store(database_url)
    tables = TableService(store)
    for name in (TABLE, OTHER):
        await tables.open(name, Opened((ANN, BO), TableOptions(clock=Live(600))))
        for _ in range(4):
            await tables.act(name, first_move)
    await store.write_snapshot(TABLE, take_snapshot(tables.loaded[TABLE].table))
    await tables.close()
    await store.close()
    return database_url


async def run_sql(url: str, *statements: str) -> None:
    database = await open_database(url)

    def run(connection: object) -> None:
        for sql in statements:
            connection.exec_driver_sql(sql)  # type: ignore[attr-defined]

    await database.write(run)
    await database.close()


async def diagnose(
    url: str, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, list[str]]:
    """The exit status and the lines of the output."""
    capsys.readouterr()
    status = await cli_doctor._examine(url, repair="--repair" in options)
    return status, capsys.readouterr().out.splitlines()


async def row(url: str) -> object:
    database = await open_database(url)
    sql = f"SELECT * FROM tables WHERE id = '{TABLE}'"
    found = await database.read(lambda connection: connection.exec_driver_sql(sql).one_or_none())
    await database.close()
    return found


async def test_a_healthy_database_has_no_problems(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = "Tables: 2. Problems repaired: 0. Problems left: 0."
    assert await diagnose(url, capsys) == (0, [summary])
    assert await diagnose(url, capsys, "--repair") == (0, [summary])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("version = 7", "Its row says version 7, its event log says 6."),
        ("version = 5", "Its row says version 5, its event log says 6."),
        ("phase = 'over'", "Its row says phase over, its event log says running."),
        ("computer = NOT computer", "Its row says computer True, its event log says False."),
        ("due = NULL", "Its row says due None, its event log says "),
        ("due = due + 1", "Its row says due "),
        ("opened_at = 0", "Its row says opened_at 0, its event log says "),
        ("touched_at = 0", "Its row says touched_at 0, its event log says "),
    ],
)
async def test_a_wrong_row_is_found_and_repaired(
    url: str, capsys: pytest.CaptureFixture[str], change: str, problem: str
) -> None:
    before = await row(url)
    await run_sql(url, f"UPDATE tables SET {change} WHERE id = '{TABLE}'")
    changed = await row(url)
    status, (line, summary) = await diagnose(url, capsys)
    assert status == 1
    assert line.startswith(f"Table {TABLE}: {problem}")
    assert line.endswith("--repair repairs this.")
    assert summary == "Tables: 2. Problems repaired: 0. Problems left: 1."
    assert await row(url) == changed, "without --repair nothing changes"
    status, (line, summary) = await diagnose(url, capsys, "--repair")
    assert (status, line.endswith(" Repaired.")) == (0, True)
    assert await row(url) == before


async def test_a_game_goes_on_after_the_repair(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await run_sql(url, f"UPDATE tables SET version = 9 WHERE id = '{TABLE}'")
    await diagnose(url, capsys, "--repair")
    store = await open_event_store(url)
    assert (await TableService(store).act(TABLE, first_move)).version == 7
    await store.close()


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        (
            "UPDATE entries SET event = '{{' WHERE {which} AND version = 3",
            "version 3 cannot be read",
        ),
        ("DELETE FROM entries WHERE {which} AND version = 3", "it has no version 3"),
        (
            """UPDATE entries SET event = '{{"kind":"played","seat":0,"move":"-DDDDDD"}}'
            WHERE {which} AND version = 3""",
            "version 3 cannot be applied",
        ),
        ("DELETE FROM entries WHERE {which}", "Its event log is empty."),
    ],
)
async def test_a_damaged_log_is_reported_and_left_alone(
    url: str, capsys: pytest.CaptureFixture[str], sql: str, problem: str
) -> None:
    await run_sql(url, sql.format(which=f"table_id = '{TABLE}'"))
    before = await row(url)
    status, (line, summary) = await diagnose(url, capsys, "--repair")
    assert status == 1
    assert line.startswith(f"Table {TABLE}: ")
    assert problem in line
    assert line.endswith("This cannot be repaired.")
    assert summary == "Tables: 2. Problems repaired: 0. Problems left: 1."
    assert await row(url) == before


async def test_a_finished_game_whose_log_lost_its_end_is_not_reopened(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store = await open_event_store(url)
    await TableService(store).act(TABLE, lambda table: table.resign(0))
    await store.close()
    await run_sql(url, f"DELETE FROM entries WHERE table_id = '{TABLE}' AND version = 7")
    before = await row(url)
    status, lines = await diagnose(url, capsys, "--repair")
    assert status == 1
    assert (
        f"Table {TABLE}: Its row says version 7, its event log says 6. This cannot be repaired."
        in lines
    )
    assert await row(url) == before


async def test_a_wrong_snapshot_is_deleted(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    await run_sql(url, "UPDATE snapshots SET state = replace(state, 'Ann', 'Eve')")
    line = f"Table {TABLE}: Its snapshot of version 6 is wrong."
    assert (await diagnose(url, capsys))[1][0] == f"{line} --repair repairs this."
    assert (await diagnose(url, capsys, "--repair"))[1][0] == f"{line} Repaired."
    assert (await diagnose(url, capsys))[0] == 0


async def test_a_missing_row_is_written_again(
    sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store = await open_event_store(sqlite_url)
    await TableService(store).open(TABLE, Opened((ANN, BO), TableOptions()))
    await store.close()
    before = await row(sqlite_url)
    # Other programs do not check foreign keys.
    path = sqlite_url.removeprefix("sqlite:///")
    await asyncio.to_thread(_delete_row, path)
    status, lines = await diagnose(sqlite_url, capsys, "--repair")
    assert (status, lines[0]) == (0, f"Table {TABLE}: Its row is missing. Repaired.")
    assert await row(sqlite_url) == before


def _delete_row(path: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM tables")
    connection.commit()
    connection.close()


async def test_tables_and_logs_are_read_in_pages(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PAGE", 1)
    await run_sql(url, "UPDATE tables SET version = 9")
    _, lines = await diagnose(url, capsys, "--repair")
    assert lines[-1] == "Tables: 2. Problems repaired: 2. Problems left: 0."


async def test_a_repair_waits_for_a_move(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first check sees a wrong row, then the server corrects it: nothing is left to repair."""
    store: EventStore = await open_event_store(url)
    await run_sql(url, f"UPDATE tables SET due = NULL WHERE id = '{TABLE}'")
    database = await open_database(url)
    check = database.read_one_state

    async def check_and_play(work: object) -> object:
        found: object = await check(work)  # type: ignore[arg-type]
        if found:
            await TableService(store).act(TABLE, first_move)
        return found

    monkeypatch.setattr(database, "read_one_state", check_and_play)
    found = [each async for each in doctor.examine(database, repair=True, advance=lambda _: None)]
    assert [each.findings for each in found] == [[], [], []]
    assert [type(entry) for entry in await store.read(TABLE, 6)] == [LogEntry]
    await database.close()
    await store.close()


def test_a_file_that_does_not_exist_is_not_created(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.sqlite"
    assert main(["doctor", "--database", f"sqlite:///{file}"]) == 2
    assert capsys.readouterr().err == f"jaipur: There is no database {file}.\n"
    assert not file.exists()
