"""The pages about the HTTP API and hosting: the curl session runs as written, the tables match the server."""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from jaipur.cli import serve
from jaipur.server.http.openapi import openapi_document
from jaipur.server.http.problems import STATUSES
from jaipur.server.http.wire import OpenTableRequest, OpenTableResponse
from jaipur.table.message_types import EventKind, Message, TableView
from jaipur.table.options import TableOptions
from jaipur.table.refusals import RefusalCode
from jaipur.words import texts_of
from programs import needed
from server.serving import run_in_thread, run_server

DOCS = Path(__file__).parents[2] / "docs"
API_PAGE = (DOCS / "reference" / "http-api.md").read_text("utf-8")
HOSTING_PAGE = (DOCS / "how-to" / "hosting.md").read_text("utf-8")
ADDRESS = "http://127.0.0.1:8080"


def table_rows(page: str, header: str) -> list[list[str]]:
    """The cells of the Markdown table with this header."""
    (body,) = re.findall(
        rf"^\| {re.escape(header)} .*\n\| ---.*\n((?:\|.*\n)+)", page, re.MULTILINE
    )
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in body.splitlines()]


def codes_in(*cells: str) -> set[str]:
    return {word for cell in cells for word in re.findall(r"`(\w+)`", cell)}


def first_column(page: str, header: str) -> set[str]:
    return codes_in(*(row[0] for row in table_rows(page, header)))


def documented_errors() -> dict[str, str]:
    return {code.strip("`"): status for code, status, _ in table_rows(API_PAGE, "code | status")}


def test_the_curl_session_runs_as_written(tmp_path: Path) -> None:
    for program in ("bash", "curl"):
        needed(program)
    blocks = re.findall(r"```sh\n(.*?)```", API_PAGE, re.DOTALL)
    script = "\n".join(["set -eu", *blocks, "echo THE END"])
    assert ADDRESS in script
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    with run_server(tmp_path) as server:
        session = subprocess.run(
            ["bash"],
            input=script.replace(ADDRESS, server.address),
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    assert session.returncode == 0, (session.stdout, session.stderr)
    assert session.stdout.endswith("THE END\n")
    expected = ["'by': 'seals'", '"code":"stale"', '"rule":"not_in_market"', "All right."]
    expected.append("Round 2: the server could not choose the deal.")
    assert [text for text in expected if text not in session.stdout] == []


def test_the_example_table_and_message_have_every_field() -> None:
    examples = [
        json.loads(block)
        for block in re.findall(r"```json\n(\{[^`]*?\})\n```", API_PAGE)
        if "…" in block
    ]
    fields = [list(TableView.__struct_fields__), list(Message.__struct_fields__)]
    assert [list(example) for example in examples] == fields


def test_the_fields_of_open_table_and_the_event_kinds_are_listed() -> None:
    section = API_PAGE.split("### openTable\n")[1].split("\n### ")[0]
    assert first_column(section, "request field") == set(OpenTableRequest.__struct_fields__)
    assert first_column(section, "response field") == set(OpenTableResponse.__struct_fields__)
    assert first_column(section, "option") == set(TableOptions.__struct_fields__)
    assert first_column(API_PAGE, "`kind`") == set(get_args(EventKind))


def test_every_operation_is_listed_with_its_path_and_its_errors() -> None:
    listed = {
        name: codes_in(*re.findall(r"^Errors:.*?\.\n", section, re.MULTILINE | re.DOTALL))
        for name, section in re.findall(
            r"^### (\w+)\n(.*?)(?=^##)", API_PAGE, re.MULTILINE | re.DOTALL
        )
    }
    for path, methods in json.loads(openapi_document())["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            assert f"`{method.upper()} {path}`" in API_PAGE, name
            if path.startswith("/api/"):
                errors = operation["responses"].items()
                codes = codes_in(*(each["description"] for status, each in errors if status > "3"))
                assert listed[name] == codes, name


def test_every_error_code_is_listed_with_its_status() -> None:
    documented = documented_errors()
    sentences = {key for key in texts_of("en") if key.startswith("refused.")}
    assert {f"refused.{code}" for code in documented} == sentences | {"refused.illegal"}
    assert {code: int(status.split(",")[0]) for code, status in documented.items()} == STATUSES


def test_errors_without_a_table_have_the_documented_status(tmp_path: Path) -> None:
    documented = documented_errors()
    body = {"against": "friend"}
    with run_in_thread(tmp_path, tables_a_minute=20) as host:
        http = host.http
        responses = [
            http.post("/api/tables", json={"against": "nobody"}),
            http.post("/api/tables", content=b"{}", headers={"content-type": "text/plain"}),
            http.post("/api/tables", json={"against": "computer", "level": "nobody"}),
            http.post("/api/tables", json=body | {"name": "x" * 25}),
            http.post("/api/tables", json=body, headers={"authorization": "Bearer short"}),
            http.post("/api/tables", json=body, headers={"origin": "https://elsewhere.example"}),
            http.get("/api/nothing"),
            http.put("/api/tables"),
            http.post("/api/tables", json=body | {"name": "x" * 20_000}),
            http.get("/api/levels", headers={"x-large": "x" * 40_000}),
            http.get("/api/levels", headers={"host": "elsewhere.example"}),
        ]
        tables = (http.post("/api/tables", json=body) for _ in range(21))
        responses.append(next(response for response in tables if response.is_error))
    seen: dict[str, list[str]] = {}
    for response in responses:
        seen.setdefault(response.json()["code"], []).append(str(response.status_code))
    assert {code: ", ".join(statuses) for code, statuses in seen.items()} == {
        code: documented[code] for code in seen
    }
    assert set(documented) - set(seen) - set(RefusalCode) == {
        *("failed", "damaged", "unavailable", "too_many_tables")
    }
    assert responses[-1].headers["ratelimit-reset"].isdecimal()


def test_the_hosting_page_lists_every_metric(tmp_path: Path) -> None:
    with run_in_thread(tmp_path) as host:
        names = re.findall(r"^# TYPE (\w+)", host.metrics(), re.MULTILINE)
    metrics = {name for name in names if not name.endswith("_created")}
    assert set(re.findall(r"^\| `(jaipur_\w+)`", HOSTING_PAGE, re.MULTILINE)) == metrics


def test_the_hosting_page_lists_every_option_with_its_default() -> None:
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    defaults = vars(parser.parse_args([]))
    options = {
        row[0].split()[0].strip("`-").replace("-", "_"): row[1].strip("`")
        for row in table_rows(HOSTING_PAGE, "option | default")
    }
    assert set(options) == set(defaults)
    for name, documented in options.items():
        if documented.isdecimal() or name == "host":
            assert documented == str(defaults[name])
        else:
            assert defaults[name] in (None, "")
