"""The log of a server contains no hidden card, salt or digest, whatever is wrong in the database."""

import logging
import sqlite3
from pathlib import Path

import httpx

from jaipur.server.log_format import SafeFormatter
from jaipur.server.store.event_store import StoreError
from server.serving import Server, run_server, two_players, wait_for

DEAL, SALT, DIGEST = "PLANTEDdeal", "PLANTEDsalt", "PLANTEDdigest"
CORRUPT = {
    "a deal that is no deal": f"json_set(event, '$.deal', '{DEAL}', '$.salt', '{SALT}')",
    "a kind that does not exist": f"json_set(event, '$.kind', '{DEAL}', '$.salt', '{SALT}')",
    "a wrong type": f"json_set(event, '$.starts', '{DEAL}', '$.salt', '{SALT}')",
    "a wrong next salt": f"json_set(event, '$.next_salt', json_array('{SALT}'))",
    "no JSON": f"'{DEAL}' || event",
}


def change(server: Server, *sql: str) -> None:
    connection = sqlite3.connect(server.database)
    for each in sql:
        connection.execute(each)
    connection.commit()
    connection.close()


def test_a_corrupt_entry_is_named_but_not_printed(tmp_path: Path) -> None:
    with run_server(tmp_path) as server, httpx.Client(base_url=server.address) as http:
        tables = {event: two_players(http)[0] for event in CORRUPT.values()}
        deals = value(server, "SELECT group_concat(event ->> '$.deal') FROM entries")
        server.kill()
        for event, client in tables.items():
            change(
                server,
                f"UPDATE entries SET event = {event} WHERE version = 3 AND table_id = '{client.table}'",
            )
        # Due at once, so that background jobs read the tables too.
        change(
            server,
            f"UPDATE entries SET event = json_set(event, '$.secret', '{DIGEST}') WHERE version = 2",
            "UPDATE tables SET due = 1",
        )
        server.start()
        for client in tables.values():
            for path in ("", "/record", "/events.ndjson?follow=false", "/why?move=%2BD"):
                response = http.get(client.path + path, headers=client.headers)
                assert response.json()["code"] == "damaged"
            assert client.play("+D", 3).status_code == 503
        visited = [f"{client.table} cannot be visited" for client in tables.values()]
        wait_for(lambda: all(line in server.log() for line in visited))
        assert server.stop() == 0
    log = server.log()
    assert "PLANTED" not in log
    for deal in deals.split(","):
        assert len(deal) > 50
        assert deal not in log


def test_a_failed_statement_is_named_but_its_values_are_not_printed(tmp_path: Path) -> None:
    with run_server(tmp_path) as server, httpx.Client(base_url=server.address) as http:
        client = two_players(http)[0]
        change(
            server,
            "CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        )
        assert client.post("/resign").status_code == 503
        assert http.post("/api/tables", json={"against": "computer"}).status_code == 503
        stored = value(server, "SELECT group_concat(event) FROM entries")
        assert server.stop() == 0
    assert "disk full" in server.log()
    secrets = [text for text in (client.secret, *stored.split('"')) if len(text) > 20]
    assert len(secrets) > 4
    for secret in secrets:
        assert secret not in server.log()


def value(server: Server, sql: str) -> str:
    connection = sqlite3.connect(server.database)
    (found,) = connection.execute(sql).fetchone()
    connection.close()
    return str(found)


def test_a_traceback_has_only_the_messages_that_may_be_logged() -> None:
    try:
        try:
            raise KeyError(SALT)
        except KeyError as error:
            raise ExceptionGroup(
                DEAL, [ValueError(DIGEST), StoreError("The disk is full.")]
            ) from error
    except ExceptionGroup as error:
        exc_info = (type(error), error, error.__traceback__)
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "failed", (), exc_info)
    text = SafeFormatter("%(message)s").format(record)
    assert "PLANTED" not in text.replace("raise KeyError(SALT)", "")
    assert text.startswith("failed\n")
    for part in (
        "KeyError",
        "ExceptionGroup",
        "ValueError",
        "StoreError: The disk is full.",
        "line ",
    ):
        assert part in text
