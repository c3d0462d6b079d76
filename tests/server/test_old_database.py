"""A database written by version 0.1.0 opens, shows every table as before, and its games continue."""

import asyncio
import json
import sqlite3
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from jaipur.server.live.server_clock import system_time
from jaipur.server.live.subscribers import encode_latest
from jaipur.server.store.event_store import open_event_store
from jaipur.table.table import Table
from server.serving import Client, ThreadedServer, choose_move, play_game, run_in_thread, wait_for

FIXTURE = Path(__file__).parents[1] / "fixtures" / "server-0.1"
ABOUT: dict[str, Any] = json.loads((FIXTURE / "tables.json").read_text())
TABLES: dict[str, str] = ABOUT["tables"]
SECRETS: list[str] = ABOUT["secrets"]
NEWER_FIELDS = ("exchanges_left", "market_places", "upcoming")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "tables.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript((FIXTURE / "tables.sql").read_text())
    connection.close()
    return path


def make_recent(database: Path) -> None:
    """Shift all times to now: a game counts as abandoned after a month."""
    with sqlite3.connect(database) as connection:
        (newest,) = connection.execute("SELECT max(at) FROM entries").fetchone()
        shift = (system_time() - newest,)
        connection.execute("UPDATE entries SET at = at + ?", shift)
        for column in ("opened_at", "touched_at", "due"):
            connection.execute(f"UPDATE tables SET {column} = {column} + ?", shift)
    connection.close()


def players(host: ThreadedServer, name: str) -> list[Client]:
    return [Client(host.http, TABLES[name], secret, seat) for seat, secret in enumerate(SECRETS)]


def without_newer_fields(message: bytes) -> bytes:
    """The message without the fields of a table that version 0.1.0 did not have."""
    decoded = msgspec.json.decode(message)
    for field in NEWER_FIELDS:
        del decoded["table"][field]
    for played in decoded["table"]["rounds"]:
        del played["contributions"]
    return msgspec.json.encode(decoded)


@pytest.mark.parametrize("name", TABLES)
def test_the_messages_of_a_table_have_the_same_bytes(database: Path, name: str) -> None:
    async def stream() -> bytes:
        store = await open_event_store(f"sqlite:///{database}")
        table, lines = Table(TABLES[name]), []
        for entry in await store.read(table.id):
            table.apply(entry)
            seat = min(table.seats_of(SECRETS[0]))
            lines.append(without_newer_fields(encode_latest(table, seat).body) + b"\n")
        await store.close()
        return b"".join(lines)

    assert sha256(asyncio.run(stream())).hexdigest() == ABOUT["streams"][name]


def test_every_table_is_found_in_its_phase(database: Path, tmp_path: Path) -> None:
    make_recent(database)
    with run_in_thread(tmp_path) as host:
        phases = {name: players(host, name)[0].get().json()["phase"] for name in TABLES}
    assert phases == {
        "finished": "over",
        "running": "running",
        "hidden_with_clock": "running",
        "resigned": "over",
        "computer": "running",
        "invitation": "open",
        "one_screen": "running",
    }


@pytest.mark.parametrize("name", ["running", "hidden_with_clock"])
def test_a_running_game_continues_to_its_end(database: Path, tmp_path: Path, name: str) -> None:
    make_recent(database)
    with run_in_thread(tmp_path) as host:
        clients = players(host, name)
        play_game(clients, Random(1))
        assert clients[0].get().json()["over"]["by"] == "seals"


def test_a_game_against_a_computer_continues(database: Path, tmp_path: Path) -> None:
    make_recent(database)
    with run_in_thread(tmp_path) as host:
        client = players(host, "computer")[0]
        table = client.get().json()
        client.play(choose_move(table["moves"], Random(1)), table["version"]).raise_for_status()
        wait_for(lambda: client.get().json()["version"] >= table["version"] + 2)


def test_an_invitation_is_still_valid(database: Path, tmp_path: Path) -> None:
    make_recent(database)
    with run_in_thread(tmp_path) as host:
        guest = players(host, "invitation")[1]
        guest.post("/seat", {"invitation": ABOUT["invitation"]}).raise_for_status()
        assert guest.get().json()["phase"] == "running"


def test_an_offered_rematch_is_agreed(database: Path, tmp_path: Path) -> None:
    make_recent(database)
    with run_in_thread(tmp_path) as host:
        rematch = players(host, "finished")[1].post("/rematch").raise_for_status().json()["next"]
        table = Client(host.http, rematch, SECRETS[0], None).get().json()
        assert (table["previous"], table["you"]) == (TABLES["finished"], 1)
