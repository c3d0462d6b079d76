"""The HTTP API page: its curl session runs as written, and its tables match the server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from jaipur.server.http.problems import STATUSES
from jaipur.server.http.wire import OpenTableRequest
from jaipur.table.message_types import EventKind, Message, TableView
from jaipur.table.refusals import RefusalCode
from jaipur.words import texts_of
from programs import needed
from server.serving import hosted, serving

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "http-api.md"
TEXT = PAGE.read_text("utf-8")
ADDRESS = "http://127.0.0.1:8080"


def rows(heading: str) -> list[list[str]]:
    """The cells of the table that begins with a heading."""
    (found,) = re.findall(
        rf"^\| {re.escape(heading)} .*\n\| ---.*\n((?:\|.*\n)+)", TEXT, re.MULTILINE
    )
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in found.splitlines()]


def words_in(cells: list[str]) -> set[str]:
    """What stands between backquotes."""
    return {word for cell in cells for word in re.findall(r"`(\w+)`", cell)}


def test_the_game_told_with_curl_is_played_as_it_is_written(tmp_path: Path) -> None:
    for program in ("bash", "curl"):
        needed(program)
    blocks = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    script = "\n".join(["set -eu", *blocks, "echo THE END"])
    assert ADDRESS in script
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    with serving(tmp_path) as server:
        done = subprocess.run(
            ["bash"],
            input=script.replace(ADDRESS, server.address),
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert done.stdout.endswith("THE END\n")
    told = ["'by': 'seals'", '"code":"stale"', '"rule":"not_in_market"', "All right.", "1 of"]
    assert [what for what in told if what not in done.stdout] == []


def test_the_table_and_the_message_it_shows_have_every_field() -> None:
    examples = [
        json.loads(block)
        for block in re.findall(r"```json\n(\{[^`]*?\})\n```", TEXT)
        if "…" in block
    ]
    fields = [list(TableView.__struct_fields__), list(Message.__struct_fields__)]
    assert [list(example) for example in examples] == fields


def test_it_tells_every_wish_and_every_kind_of_event() -> None:
    wishes = words_in([row[0] for row in rows("field | what one may wish for")])
    assert wishes == set(OpenTableRequest.__struct_fields__)
    assert words_in([row[0] for row in rows("`kind`")]) == set(get_args(EventKind))


def test_it_tells_every_refusal_with_its_status() -> None:
    told = {code.strip("`"): status for code, status, _ in rows("code | status")}
    texts = {key for key in texts_of("en") if key.startswith("refused.")}
    assert {f"refused.{code}" for code in told} == texts | {"refused.illegal"}
    assert {code: told[code] for code in RefusalCode} == {
        code: str(STATUSES[code]) for code in RefusalCode
    }


def test_what_is_refused_before_a_table_is_asked_has_the_status_it_tells(tmp_path: Path) -> None:
    told = {code.strip("`"): status for code, status, _ in rows("code | status")}
    wish = {"against": "friend"}
    with hosted(tmp_path, tables_a_minute=20) as host:
        http = host.http
        answers = [
            http.post("/api/tables", json={"against": "nobody"}),
            http.post("/api/tables", content=b"{}", headers={"content-type": "text/plain"}),
            http.post("/api/tables", json={"against": "computer", "level": "nobody"}),
            http.post("/api/tables", json=wish, headers={"authorization": "Bearer short"}),
            http.post("/api/tables", json=wish, headers={"origin": "https://elsewhere.example"}),
            http.get("/api/nothing"),
            http.put("/api/tables"),
            http.post("/api/tables", json=wish | {"name": "x" * 20_000}),
        ]
        opened = (http.post("/api/tables", json=wish) for _ in range(21))
        answers.append(next(answer for answer in opened if answer.is_error))
    seen: dict[str, list[str]] = {}
    for answer in answers:
        seen.setdefault(answer.json()["code"], []).append(str(answer.status_code))
    assert {code: ", ".join(statuses) for code, statuses in seen.items()} == {
        code: told[code] for code in seen
    }
    assert set(told) - set(seen) - set(RefusalCode) == {"failed", "unavailable"}
    assert answers[-1].headers["ratelimit-reset"].isdecimal()


def test_the_hosting_page_names_the_figures_there_are(tmp_path: Path) -> None:
    page = (PAGE.parents[1] / "how-to" / "hosting.md").read_text("utf-8")
    with hosted(tmp_path) as host:
        figures = re.findall(r"^# TYPE (\w+)", host.http.get("/metrics").text, re.MULTILINE)
    there = {name for name in figures if not name.endswith("_created")}
    assert set(re.findall(r"^\| `(jaipur_\w+)`", page, re.MULTILINE)) == there
