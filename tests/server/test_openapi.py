"""The OpenAPI document is valid and complete, and generated requests get documented responses."""

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
    spectator,
    two_players,
)

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]
"""For every response to every request."""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("host")) as host:
        yield host


@pytest.fixture(scope="module")
def document(host: ThreadedServer) -> Json:
    response: Json = host.http.get(OPENAPI_PATH).raise_for_status().json()
    return response


@pytest.fixture(scope="module")
def clients(host: ThreadedServer) -> list[Client]:
    """Clients at tables of every kind and in every phase."""
    http, rng = host.http, Random(9)
    finished = two_players(http)
    finished[0].post("/resign").raise_for_status()
    waiting, _ = open_table(http, "friend")
    screen, _ = open_table(http, "one_screen")
    play_game([screen, screen], rng, max_moves=10)
    computer, _ = open_table(http, "computer", level="random")
    clock = {"clock": {"kind": "live", "seconds": 10_000}, "herds": "hidden"}
    timed = two_players(http, options=clock)
    return [*finished, waiting, screen, computer, *timed, spectator(screen)]


def test_the_document_is_valid(document: Json) -> None:
    assert document["openapi"].startswith("3.1")
    schema = schemathesis.openapi.from_dict(document)
    schema.validate()
    assert len(document["paths"]) >= 14
    names = [spec["operationId"] for path in document["paths"].values() for spec in path.values()]
    assert len(names) == len(set(names))


def test_everything_that_is_sent_has_a_schema(document: Json) -> None:
    types = document["components"]["schemas"]
    for name in ("Message", "TableView", "ViewData", "PublicView", "TraderData", "TableOptions"):
        assert types[name]["properties"]
    for name in ("Took", "Gave", "Refilled", "Sold", "TookBonus", "RoundEnded"):
        assert "what" in types[name]["required"], "the tag of the union"
    for path, kind in (("events", "text/event-stream"), ("events.ndjson", "application/x-ndjson")):
        response = document["paths"][f"/api/tables/{{table_id}}/{path}"]["get"]["responses"]["200"]
        assert response["content"][kind]["schema"] == {"$ref": "#/components/schemas/Message"}
    assert "Dealt" not in types, "stored events are not part of the API"
    assert "Chair" not in types


def test_the_document_is_public_and_contains_no_secret(
    host: ThreadedServer, clients: list[Client]
) -> None:
    text = host.http.get(OPENAPI_PATH).text
    assert not any(client.secret in text or client.table in text for client in clients)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_generated_requests_get_documented_responses(
    host: ThreadedServer, document: Json, clients: list[Client], mode: GenerationMode
) -> None:
    schema = schemathesis.openapi.from_dict(document)
    with requests.Session() as session:
        for result in schema.get_all_operations():
            assert isinstance(result, Ok), result
            _check_operation(result.ok(), host, clients, mode, session)


def _check_operation(
    operation: schemathesis.APIOperation[Any, Any, Any, Any],
    host: ThreadedServer,
    clients: list[Client],
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
    @given(operation.as_strategy(generation_mode=mode), st.sampled_from([None, *clients]))
    def send(case: schemathesis.Case[Any], client: Client | None) -> None:
        headers = {}
        if client is not None and "table_id" in case.path_parameters:
            case.path_parameters["table_id"] = client.table
            headers = client.headers
        if "/events" in operation.path:
            case.query = {**(case.query or {}), "follow": "false"}
        response = case.call(host.address, session, headers, timeout=5)
        # The schema describes the data of a server-sent event, not its framing.
        schema_check = [] if operation.path.endswith("/events") else [response_schema_conformance]
        case.validate_response(response, checks=[*CHECKS, *schema_check])

    with suppress(Unsatisfiable):  # operations without invalid requests
        send()
