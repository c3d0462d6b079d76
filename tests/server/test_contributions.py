"""Contributions over HTTP: one more request before the first move, no seat can block, and no secret leaves early."""

import json
import re
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest

from command import jaipur
from jaipur.table import state
from server.serving import (
    TIMEOUT,
    Client,
    Json,
    ThreadedServer,
    decode,
    open_table,
    play_game,
    run_in_thread,
    run_server,
    spectator,
    two_players,
    wait_for,
)

AWHILE = 3_600_000
"""Longer than the tests, so that a deal waits until the last contribution."""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("host")) as host:
        yield host


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "CONTRIBUTION_TIME", AWHILE)


def contribute(client: Client, number: int, value: str) -> httpx.Response:
    return client.post("/contribution", {"round": number, "value": value})


def two_contributors(http: httpx.Client) -> list[Client]:
    first, response = open_table(http, "friend", contributes=True)
    body = {"invitation": response["invitation"], "contributes": True}
    taken = http.post(f"{first.path}/seat", json=body).raise_for_status().json()
    second = Client(http, first.table, taken["secret"], taken["seat"])
    return sorted([first, second], key=lambda client: client.seat or 0)


def stored_salts(database: Path, table: str) -> list[str]:
    """Every salt of a table, from the event log."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT event FROM entries WHERE table_id = ?", (table,))
        events = [json.loads(event) for (event,) in rows]
    names = ("salt", "next_salt")
    return [event[name] for event in events for name in names if event.get(name)]


def sent_to_everyone(clients: list[Client]) -> str:
    """All messages, views and records of a table, for both players and the spectators."""
    audiences = [*clients, spectator(clients[0])]
    messages = [message for client in audiences for message in client.messages()]
    bodies = [client.get(path).text for client in audiences for path in ("", "/record")]
    return b"\n".join(messages).decode() + "\n".join(bodies)


@pytest.mark.usefixtures("patient")
def test_a_contribution_costs_one_request_before_the_first_move(host: ThreadedServer) -> None:
    """The response of openTable has the commitment, and the response of the contribution comes after the deal."""
    client, opened = open_table(host.http, "computer", level="random", contributes=True)
    assert opened["upcoming"]["awaits"] == [client.seat]
    value = secrets.token_hex(32)
    contribute(client, 1, value).raise_for_status()
    (played,) = client.get_table()["rounds"]
    assert played["commitment"] == opened["upcoming"]["commitment"]
    assert played["contributions"][client.seat or 0] == value
    assert played["contributions"][1 - (client.seat or 0)] is None


def test_a_client_that_does_not_contribute_gets_its_deal_with_the_table(
    host: ThreadedServer,
) -> None:
    client, opened = open_table(host.http, "computer", level="random")
    assert opened["upcoming"]["round"] == 2
    assert client.get_table()["rounds"][0]["contributions"] == [None, None]


@pytest.mark.usefixtures("patient")
def test_both_players_contribute_and_the_record_proves_it(
    host: ThreadedServer, tmp_path: Path
) -> None:
    clients = two_contributors(host.http)
    commitments, contributions = list[str](), list[str]()
    rng, table = Random(3), clients[0].get_table()
    while not table["over"]:
        if table["upcoming"]["awaits"]:
            commitments.append(table["upcoming"]["commitment"])
            for client in clients:
                contributions.append(secrets.token_hex(32))
                number = table["upcoming"]["round"]
                contribute(client, number, contributions[-1]).raise_for_status()
        play_game(clients, rng, max_moves=10)
        table = clients[0].get_table()
    rounds = len(table["rounds"])
    file = tmp_path / "game.jsonl"
    file.write_text(clients[0].get("/record").text)
    noted = ["--commitment", *commitments[:rounds], "--contribution", *contributions[: 2 * rounds]]
    done = jaipur("verify", str(file), *noted)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("the server could not choose the deal.") == rounds


@pytest.mark.usefixtures("patient")
def test_no_salt_leaves_before_the_round_ends_and_no_contribution_before_the_deal(
    host: ThreadedServer,
) -> None:
    clients = two_contributors(host.http)
    values = [secrets.token_hex(32) for _ in clients]
    contribute(clients[0], 1, values[0]).raise_for_status()
    (first,) = stored_salts(host.database, clients[0].table)
    sent = sent_to_everyone(clients)
    assert first not in sent
    assert values[0] not in sent
    contribute(clients[1], 1, values[1]).raise_for_status()
    play_game(clients, Random(1), max_moves=4)
    *_, following = stored_salts(host.database, clients[0].table)
    assert following != first
    sent = sent_to_everyone(clients)
    assert first not in sent
    assert all(value in sent for value in values), "public from the deal on"
    clients[0].post("/resign").raise_for_status()
    sent = sent_to_everyone(clients)
    assert first in sent
    assert following not in sent


def test_a_seat_that_never_contributes_does_not_block_the_game(
    host: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody sends a request: the scheduler deals when the time for contributions is over."""
    monkeypatch.setattr(state, "CONTRIBUTION_TIME", 500)
    client, _ = open_table(host.http, "computer", level="random", contributes=True)
    with client.stream(after=0) as messages:
        assert [decode(next(messages))["kind"] for _ in range(2)] == ["opened", "dealt"]


def test_a_table_that_waits_for_a_contribution_is_dealt_after_a_crash(tmp_path: Path) -> None:
    with run_server(tmp_path) as server:
        with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
            client, _ = open_table(http, "computer", level="random", contributes=True)
        server.kill()
        server.start()
        with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
            restarted = Client(http, client.table, client.secret, client.seat)
            assert wait_for(lambda: restarted.get_table()["rounds"])


def test_a_late_contribution_is_refused_and_a_repeated_one_is_not(host: ThreadedServer) -> None:
    clients = two_players(host.http)
    late = contribute(clients[0], 1, "a" * 64)
    assert (late.status_code, late.json()["code"]) == (409, "already_dealt")
    for _ in range(2):
        contribute(clients[0], 2, "a" * 64).raise_for_status()
    other = contribute(clients[0], 2, "b" * 64)
    assert (other.status_code, other.json()["code"]) == (409, "already_contributed")
    early = contribute(clients[0], 3, "a" * 64)
    assert (early.status_code, early.json()["code"]) == (409, "no_commitment")


@pytest.mark.parametrize(
    "value", ["", "a" * 63, "a" * 65, "A" * 64, "g" * 64, "a" * 64 + "\n", "٣" * 64]
)
def test_a_malformed_contribution_is_refused(host: ThreadedServer, value: str) -> None:
    client, _ = open_table(host.http, "friend")
    response = contribute(client, 1, value)
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")


@pytest.mark.usefixtures("patient")
def test_one_contribution_is_enough_on_one_screen(host: ThreadedServer) -> None:
    client, opened = open_table(host.http, "one_screen", seat=1, contributes=True)
    assert opened["upcoming"]["awaits"] == [1]
    contribute(client, 1, "a" * 64).raise_for_status()
    table: Json = client.get(seat=0).json()
    assert table["rounds"][0]["contributions"] == [None, "a" * 64]


@pytest.mark.usefixtures("patient")
def test_a_rematch_awaits_a_new_contribution(host: ThreadedServer) -> None:
    client, opened = open_table(host.http, "computer", level="random", contributes=True)
    contribute(client, 1, "a" * 64).raise_for_status()
    client.post("/resign").raise_for_status()
    following = client.post("/rematch").raise_for_status().json()["next"]
    rematch = Client(host.http, following, client.secret, 1 - (client.seat or 0))
    upcoming = rematch.get_table()["upcoming"]
    assert upcoming["awaits"] == [rematch.seat]
    assert upcoming["commitment"] != opened["upcoming"]["commitment"]
    assert re.fullmatch("[0-9a-f]{64}", upcoming["commitment"])
