"""The API's own document: it is there, it tells everything, and the server keeps to it whatever is sent."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from server.serving import (
    OPENAPI_PATH,
    Client,
    Json,
    ThreadedServer,
    open_table,
    play_game,
    run_in_thread,
    two_players,
)

KEPT = [not_a_server_error, status_code_conformance, content_type_conformance]
"""What every answer keeps to, whatever was asked."""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("host")) as host:
        yield host


@pytest.fixture(scope="module")
def document(host: ThreadedServer) -> Json:
    told: Json = host.http.get(OPENAPI_PATH).raise_for_status().json()
    return told


@pytest.fixture(scope="module")
def traders(host: ThreadedServer) -> list[Client]:
    """People at tables of every kind and age."""
    http, rng = host.http, Random(9)
    finished, waiting, screen = (
        two_players(http),
        open_table(http, "friend")[0],
        open_table(http, "one_screen"),
    )
    play_game([screen[0], screen[0]], rng, max_moves=10)
    finished[0].post("/resign").raise_for_status()
    computer = open_table(http, "computer", level="random")[0]
    clock = {"clock": {"kind": "live", "seconds": 10_000}, "herds": "hidden"}
    anybody = Client(http, screen[0].table, "nobody-has-this-secret-here", None)
    return [*finished, waiting, screen[0], computer, *two_players(http, options=clock), anybody]


def test_the_document_is_valid(document: Json) -> None:
    assert document["openapi"].startswith("3.1")
    schema = schemathesis.openapi.from_dict(document)
    schema.validate()
    assert len(document["paths"]) >= 14
    names = [spec["operationId"] for path in document["paths"].values() for spec in path.values()]
    assert len(names) == len(set(names))


def test_whatever_a_table_tells_has_a_type(document: Json) -> None:
    types = document["components"]["schemas"]
    for name in ("Message", "TableView", "ViewData", "PublicView", "TraderData", "TableOptions"):
        assert types[name]["properties"]
    for name in ("Took", "Gave", "Refilled", "Sold", "TookBonus", "RoundEnded"):
        assert "what" in types[name]["required"], "how they are told apart"
    for path, kind in (("events", "text/event-stream"), ("events.ndjson", "application/x-ndjson")):
        told = document["paths"][f"/api/tables/{{table_id}}/{path}"]["get"]["responses"]["200"]
        assert told["content"][kind]["schema"] == {"$ref": "#/components/schemas/Message"}
    assert "Dealt" not in types, "what is kept is not told"
    assert "Chair" not in types


def test_the_document_holds_no_secret_and_needs_none(
    host: ThreadedServer, traders: list[Client]
) -> None:
    text = host.http.get(OPENAPI_PATH).text
    assert not any(trader.secret in text or trader.table in text for trader in traders)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_whatever_is_sent_is_answered_as_the_document_says(
    host: ThreadedServer, document: Json, traders: list[Client], mode: GenerationMode
) -> None:
    schema = schemathesis.openapi.from_dict(document)
    with requests.Session() as session:
        for found in schema.get_all_operations():
            assert isinstance(found, Ok), found
            _try(found.ok(), host, traders, mode, session)


def _try(
    operation: schemathesis.APIOperation[Any, Any, Any, Any],
    host: ThreadedServer,
    traders: list[Client],
    mode: GenerationMode,
    session: requests.Session,
) -> None:
    @settings(
        max_examples=15,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode), st.sampled_from([None, *traders]))
    def asked(case: schemathesis.Case[Any], trader: Client | None) -> None:
        headers = {}
        if trader is not None and "table_id" in case.path_parameters:
            case.path_parameters["table_id"] = trader.table
            headers = trader.headers
        if "/events" in operation.path:
            case.query = {**(case.query or {}), "follow": "false"}
        answer = case.call(host.address, session, headers, timeout=5)
        # What a data field of a server-sent event holds is a message; the event around it is not.
        told = [] if operation.path.endswith("/events") else [response_schema_conformance]
        case.validate_response(answer, checks=[*KEPT, *told])

    with suppress(Unsatisfiable):  # where nothing can be asked wrongly
        asked()
