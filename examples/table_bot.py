"""A bot that plays over HTTP with the standard library alone. See docs/reference/http-api.md.

python examples/table_bot.py http://127.0.0.1:8080 --level greedy            # opens a table
python examples/table_bot.py http://127.0.0.1:8080 --join TABLE INVITATION   # sits down with a friend
"""

import argparse
import json
import random
import secrets
import sys
import time
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SECRET = secrets.token_urlsafe(24)
HEADERS = {"Authorization": f"Bearer {SECRET}", "Content-Type": "application/json"}
SILENCE = (
    40  # seconds after which a connection counts as broken; a stream gives a sign of life every 15
)


def choose(moves: list[str]) -> str:
    """Your ideas go here. This one sells as much as there is to sell, and else does anything."""
    sales = [move for move in moves if move.startswith("-")]
    return max(sales, key=len) if sales else random.choice(moves)


def ask(address: str, body: object = None) -> Any:  # noqa: ANN401  # what urlopen gives
    """Ask until there is an answer. A move that is sent twice is played once."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            return urlopen(Request(address, data, HEADERS), timeout=SILENCE)
        except (OSError, HTTPException) as trouble:
            if isinstance(trouble, HTTPError) and trouble.code < 500 and trouble.code != 429:
                raise
            print(f"{trouble}; once more", file=sys.stderr)
        time.sleep(1)


def messages(table: str) -> Iterator[dict[str, Any]]:
    """How the table stands, then all that happens; a new stream goes on where the last one broke."""
    resume = ""
    while True:
        try:
            with ask(f"{table}/events.ndjson{resume}") as stream:
                for line in stream:
                    if line.endswith(b"}\n"):  # neither a sign of life nor half a message
                        message = json.loads(line)
                        resume = f"?after={message['version']}"
                        yield message
        except (TimeoutError, ConnectionError, HTTPException) as trouble:
            print(f"{trouble}; once more", file=sys.stderr)


def play(table: str) -> None:
    """Play a game to its end."""
    for message in messages(table):
        seen = message["table"]
        if seen["over"]:
            print(f"Over by {seen['over']['by']}: the winner is seat {seen['over']['winner']}.")
            return
        if seen["moves"]:
            move = {"move": choose(seen["moves"]), "version": seen["version"]}
            try:
                ask(f"{table}/play", move).close()
            except HTTPError as refused:
                if refused.code != 409:  # the table has moved on, and the stream tells how
                    raise


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play a game at a table of a server.")
    parser.add_argument("server", help="its address, such as http://127.0.0.1:8080")
    parser.add_argument("--level", default="greedy", help="the computer to play against")
    parser.add_argument("--join", nargs=2, metavar=("TABLE", "INVITATION"), help="a friend's table")
    given = parser.parse_args()
    tables = f"{given.server.rstrip('/')}/api/tables"
    try:
        if given.join:
            name, invitation = given.join
            ask(f"{tables}/{name}/seat", {"invitation": invitation, "name": "bot"}).close()
        else:
            wish = {"against": "computer", "level": given.level, "name": "bot"}
            name = json.load(ask(tables, wish))["id"]
        print(f"The bot plays at table {name}.", flush=True)
        play(f"{tables}/{name}")
    except HTTPError as refused:
        sys.exit(json.load(refused)["sentence"])
