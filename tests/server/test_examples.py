"""The bot of the examples plays real games on a real server."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import httpx
import pytest

from server.serving import TIMEOUT, Server, choose_move, decode, open_table, run_server, wait_for

BOT = Path(__file__).parents[2] / "examples" / "table_bot.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@contextmanager
def bot(server: Server, *arguments: str) -> "Iterator[subprocess.Popen[str]]":
    """The bot at work; its first line says at which table."""
    command = [sys.executable, str(BOT), server.address, *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def versions(server: Server) -> int:
    """How much has happened on the server's only table."""
    with closing(sqlite3.connect(server.database)) as database:
        (last,) = database.execute("SELECT max(version) FROM entries").fetchone()
        return last or 0


def test_it_plays_a_whole_game_against_a_level(server: Server) -> None:
    with bot(server, "--level", "apprentice") as running:
        said, troubles = running.communicate(timeout=60)
    assert (running.returncode, troubles) == (0, "")
    table = said.split("at table ")[1].split(".")[0]
    assert "Over by seals: the winner is seat " in said
    record = json.loads(httpx.get(f"{server.address}/api/tables/{table}/record").text)
    assert "bot" in record["players"]


def test_it_sits_down_with_an_invitation(server: Server) -> None:
    rng = Random(1)
    with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
        ann, answer = open_table(http, "friend")
        with (
            bot(server, "--join", ann.table, answer["invitation"]) as running,
            ann.stream() as messages,
        ):
            for seen in (decode(message)["table"] for message in messages):
                if seen["over"]:
                    break
                if seen["moves"]:
                    ann.play(choose_move(seen["moves"], rng), seen["version"]).raise_for_status()
            said, _ = running.communicate(timeout=30)
    assert f"the winner is seat {seen['over']['winner']}" in said


def test_it_plays_on_when_the_server_is_killed_and_started_again(tmp_path: Path) -> None:
    with run_server(tmp_path) as server, bot(server, "--level", "greedy") as running:
        wait_for(lambda: versions(server) > 10)
        server.kill()
        server.start()
        said, troubles = running.communicate(timeout=90)
    assert running.returncode == 0
    assert "Over by seals" in said
    assert "once more" in troubles


def test_what_it_is_refused_it_says_in_one_sentence(server: Server) -> None:
    with bot(server, "--level", "nobody") as running:
        said, troubles = running.communicate(timeout=30)
    assert (running.returncode, said) == (1, "")
    assert troubles == "There is no computer player of this name.\n"
