"""examples/table_bot.py plays real games on a real server."""

import json
import re
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
def run_bot(server: Server, *arguments: str) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, str(BOT), server.address, *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as bot:
        try:
            yield bot
        finally:
            bot.kill()


def stored_events(server: Server) -> int:
    """The number of events of the server's only table."""
    with closing(sqlite3.connect(server.database)) as database:
        (version,) = database.execute("SELECT max(version) FROM entries").fetchone()
        return version or 0


def test_the_bot_plays_a_whole_game_against_a_level(server: Server) -> None:
    with run_bot(server, "--level", "apprentice") as bot:
        output, errors = bot.communicate(timeout=2 * TIMEOUT)
    assert (bot.returncode, errors) == (0, "")
    table = output.split("at table ")[1].split(".")[0]
    assert "Over by seals: the winner is seat " in output
    record = json.loads(httpx.get(f"{server.address}/api/tables/{table}/record").text)
    seat = record["seats"].index("person")
    assert "bot" in record["players"]
    noted = re.findall(r"--commitment (\w+) --contribution (\w+)", output)
    played = [played["fair"] for played in record["rounds"]]
    assert [(fair["commitment"], fair["contributions"][seat]) for fair in played] == noted[
        : len(played)
    ]


def test_the_bot_joins_a_table_with_an_invitation(server: Server) -> None:
    rng = Random(1)
    with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
        client, opened = open_table(http, "friend")
        with (
            run_bot(server, "--join", client.table, opened["invitation"]) as bot,
            client.stream() as messages,
        ):
            for table in (decode(message)["table"] for message in messages):
                if table["over"]:
                    break
                if table["moves"]:
                    move = choose_move(table["moves"], rng)
                    client.play(move, table["version"]).raise_for_status()
            output, _ = bot.communicate(timeout=2 * TIMEOUT)
    assert f"the winner is seat {table['over']['winner']}" in output


def test_the_bot_continues_after_the_server_was_killed_and_restarted(tmp_path: Path) -> None:
    with run_server(tmp_path) as server, run_bot(server, "--level", "greedy") as bot:
        wait_for(lambda: stored_events(server) > 10)
        server.kill()
        server.start()
        output, errors = bot.communicate(timeout=2 * TIMEOUT)
    assert bot.returncode == 0
    assert "Over by seals" in output
    assert "retrying" in errors


def test_the_bot_prints_the_sentence_of_an_error(server: Server) -> None:
    with run_bot(server, "--level", "nobody") as bot:
        output, errors = bot.communicate(timeout=2 * TIMEOUT)
    assert (bot.returncode, output) == (1, "")
    assert errors == "There is no computer player of this name.\n"
