"""The OpenAPI document lists for every operation exactly the errors that requests can provoke."""

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
import pytest

from jaipur.server.http.limits import MAX_BODY_BYTES
from jaipur.server.http.problems import STATUSES
from jaipur.server.store.schema import StoreError
from server.serving import (
    OPENAPI_PATH,
    UNKNOWN_SECRET,
    Client,
    Json,
    ThreadedServer,
    open_table,
    run_in_thread,
    spectator,
    store_game,
    wait_for,
)
from tables import dealt

PACK = "DDLCC GGSPM LP"
OPERATIONS = (
    "openTable", "takeSeat", "getTable", "contribute", "playMove", "explainMove", "resign", "leaveTable",
    "offerRematch", "getRecord", "streamEvents", "streamEventLines", "listLevels", "createVisitor",
)  # fmt: skip
NOT_OF_AN_OPERATION = {"no_such_page", "wrong_host", "failed"}
"""A path without an operation, a request for another server, and a bug."""

BODIES: dict[str, Json] = {
    "openTable": {"against": "friend"},
    "takeSeat": {"invitation": "wrong"},
    "contribute": {"round": 2, "value": "a" * 64},
    "playMove": {"move": "+M", "version": 2},
}
QUERIES: dict[str, dict[str, str]] = {
    "explainMove": {"move": "+M"},
    "streamEvents": {"follow": "false"},
    "streamEventLines": {"follow": "false"},
}
OTHER_BODIES: dict[str, list[Json]] = {
    "openTable": [{"against": "computer", "level": "nobody"}, {"against": "friend", "name": "\n"}],
    "takeSeat": [{"invitation": "wrong", "name": "\n"}],
    "contribute": [{"round": 1, "value": "a" * 64}, {"round": 1, "value": "b" * 64}],
    "playMove": [
        {"move": "?", "version": 2},
        {"move": "+D", "version": 2},
        {"move": "+M", "version": 1},
        {"move": "+M", "version": 9},
    ],
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("host")) as host:
        yield host


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("limited"), requests_a_second=1) as host:
        yield host


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("crowded"), unfinished_tables=1) as host:
        yield host


@pytest.fixture(scope="module")
def document(host: ThreadedServer) -> Json:
    response: Json = host.http.get(OPENAPI_PATH).raise_for_status().json()
    return response


@dataclass
class Operation:
    """An operation of the document, and the errors it has answered with."""

    name: str
    method: str
    path: str
    errors: set[tuple[int, str]] = field(default_factory=set)

    def send(self, trader: Client, **changes: Any) -> httpx.Response:  # noqa: ANN401  # arguments of httpx
        """Send a valid request of a trader, with changes."""
        arguments = {
            "headers": trader.headers,
            "params": QUERIES.get(self.name),
            "json": BODIES.get(self.name),
            **changes,
        }
        url = self.path.replace("{table_id}", trader.table)
        response = trader.http.request(self.method, url, **arguments)
        if response.is_error:
            self.errors.add((response.status_code, response.json()["code"]))
        return response


def operation(document: Json, name: str) -> tuple[Operation, set[tuple[int, str]]]:
    """An operation by its id, and the errors that the document lists for it."""
    for path, methods in document["paths"].items():
        for method, spec in methods.items():
            if spec["operationId"] == name:
                documented = {
                    (int(status), code)
                    for status, response in spec["responses"].items()
                    for code in re.findall(r"`(\w+)`", response["description"])
                    if int(status) >= 400
                }
                return Operation(name, method, path), documented
    raise AssertionError(f"no operation {name}")


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_documented_errors_are_those_that_occur(
    host: ThreadedServer,
    limited: ThreadedServer,
    crowded: ThreadedServer,
    document: Json,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried, documented = operation(document, name)
    send_malformed(tried, host)
    send_in_every_situation(tried, host)
    send_with_too_many_tables(tried, crowded)
    wait_for(lambda: tried.send(unknown_table(limited.http)).status_code == 429)
    send_to_a_damaged_table(tried, host)
    send_without_a_store(tried, host, monkeypatch)
    assert tried.errors == documented


def unknown_table(http: httpx.Client) -> Client:
    return Client(http, "0" * 16, UNKNOWN_SECRET, None)


def players(host: ThreadedServer, name: str, watch: bool = True) -> list[Client]:
    """Two players at a new table; seat 0 is to move at version 2."""
    table = f"{Random(name).getrandbits(64):016x}"
    return store_game(host.database, host.http, dealt(PACK), table=table, watch=watch)


def send_malformed(tried: Operation, host: ThreadedServer) -> None:
    first = players(host, f"malformed {tried.name}")[0]
    bearer, json_type = first.headers, {"content-type": "application/json"}
    large = b" " * MAX_BODY_BYTES + b"{}"
    tried.send(first, headers=bearer | {"origin": "https://other.example"})
    tried.send(first, headers=bearer | {"content-type": "text/plain"}, json=None, content=b"{}")
    tried.send(first, headers={"authorization": "Bearer short"})
    tried.send(first, params=QUERIES.get(tried.name, {}) | {"seat": "7"})
    if tried.method == "post":
        tried.send(first, headers=bearer | json_type, json=None, content=b"{")
        tried.send(first, headers=bearer | json_type, json=None, content=large)


def send_in_every_situation(tried: Operation, host: ThreadedServer) -> None:
    waiting, _ = open_table(host.http, "friend")
    private = players(host, f"private {tried.name}", watch=False)[0]
    over = players(host, f"over {tried.name}")
    over[0].post("/resign").raise_for_status()
    first, second = players(host, f"running {tried.name}")
    tried.send(spectator(first))
    tried.send(spectator(private))
    tried.send(unknown_table(host.http))
    for body in OTHER_BODIES.get(tried.name, []):
        tried.send(first, json=body)
        tried.send(waiting, json=body)
    tried.send(second)
    tried.send(first, params=QUERIES.get(tried.name, {}) | {"seat": "1"})
    tried.send(waiting)
    tried.send(spectator(waiting))
    tried.send(over[1])
    tried.send(first)


def send_to_a_damaged_table(tried: Operation, host: ThreadedServer) -> None:
    first = players(host, f"damaged {tried.name}")[0]
    with sqlite3.connect(host.database) as connection:
        sql = "UPDATE entries SET event = '{' WHERE version = 2 AND table_id = ?"
        assert connection.execute(sql, (first.table,)).rowcount == 1
    connection.close()
    tried.send(first)


def send_with_too_many_tables(tried: Operation, crowded: ThreadedServer) -> None:
    first, _ = open_table(crowded.http, "computer")
    first.post("/resign").raise_for_status()
    body = {"against": "friend"}
    crowded.http.post("/api/tables", json=body, headers=first.headers).raise_for_status()
    tried.send(first)


def send_without_a_store(
    tried: Operation, host: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = players(host, f"no store {tried.name}")[0]

    async def fail(*_arguments: object) -> None:
        raise StoreError("the database is down")

    monkeypatch.setattr(host.tables.store, "read", fail)
    monkeypatch.setattr(host.tables.store, "append", fail)
    tried.send(first)


def test_every_operation_of_the_api_is_tried(document: Json) -> None:
    names = {
        spec["operationId"]: path
        for path, methods in document["paths"].items()
        for spec in methods.values()
    }
    assert set(names) == {*OPERATIONS, "getHealth", "getReadiness"}


def test_every_code_belongs_to_an_operation(document: Json) -> None:
    codes = {code for name in OPERATIONS for _, code in operation(document, name)[1]}
    assert codes == set(STATUSES) - NOT_OF_AN_OPERATION


def test_every_error_of_the_api_is_a_problem(document: Json) -> None:
    for path, methods in document["paths"].items():
        for spec in methods.values():
            for status, response in spec["responses"].items():
                if status >= "400":
                    schema = response["content"]["application/json"]["schema"]["$ref"]
                    wanted = "Problem" if path.startswith("/api") else "Health"
                    assert schema == f"#/components/schemas/{wanted}", (path, status)
