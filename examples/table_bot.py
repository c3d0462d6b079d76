"""A bot that plays over HTTP. It needs only the standard library. See docs/reference/http-api.md.

python examples/table_bot.py http://127.0.0.1:8080 --level greedy            # open a table
python examples/table_bot.py http://127.0.0.1:8080 --join TABLE INVITATION   # join a friend's table
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
TIMEOUT = 40  # seconds; a stream sends a keep-alive every 15 seconds


def choose(moves: list[str]) -> str:
    """Put your own ideas here. This bot makes the largest possible sale, or a random move if it cannot sell."""
    sales = [move for move in moves if move.startswith("-")]
    return max(sales, key=len) if sales else random.choice(moves)


def send(url: str, body: object = None) -> Any:  # noqa: ANN401  # the response of urlopen
    """Send a request until the server answers. If a move is sent twice, the server plays it only once."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            return urlopen(Request(url, data, HEADERS), timeout=TIMEOUT)
        except (OSError, HTTPException) as error:
            if isinstance(error, HTTPError) and error.code < 500 and error.code != 429:
                raise
            print(f"{error}; retrying", file=sys.stderr)
        time.sleep(1)


def messages(table: str) -> Iterator[dict[str, Any]]:
    """Yield the current state of the table, then every event. If the stream breaks, open it again."""
    query = ""
    while True:
        try:
            with send(f"{table}/events.ndjson{query}") as stream:
                for line in stream:
                    if line.endswith(b"}\n"):  # neither a keep-alive nor a partial message
                        message = json.loads(line)
                        query = f"?after={message['version']}"
                        yield message
        except (TimeoutError, ConnectionError, HTTPException) as error:
            print(f"{error}; retrying", file=sys.stderr)


def send_unless_refused(url: str, body: object) -> None:
    """Send a command. If the table has changed (409), the next message of the stream tells how."""
    try:
        send(url, body).close()
    except HTTPError as error:
        if error.code != 409:
            raise


def contribute(table: str, upcoming: dict[str, Any]) -> None:
    """Add a random number to the next deal, so that the server cannot choose the deal alone. This is optional."""
    number, value = upcoming["round"], secrets.token_hex(32)
    noted = f"--commitment {upcoming['commitment']} --contribution {value}"
    print(f"For jaipur verify, round {number}: {noted}", flush=True)
    send_unless_refused(f"{table}/contribution", {"round": number, "value": value})


def play(table: str) -> None:
    """Play until the game is over."""
    contributed = 0  # the last round with a contribution of this bot
    for message in messages(table):
        state = message["table"]
        upcoming = state["upcoming"]
        if upcoming and state["you"] in upcoming["awaits"] and upcoming["round"] > contributed:
            contributed = upcoming["round"]
            contribute(table, upcoming)
        if state["over"]:
            print(f"Over by {state['over']['by']}: the winner is seat {state['over']['winner']}.")
            return
        if state["moves"]:
            move = {"move": choose(state["moves"]), "version": state["version"]}
            send_unless_refused(f"{table}/play", move)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play a game at a table of a server.")
    parser.add_argument("server", help="its URL, such as http://127.0.0.1:8080")
    parser.add_argument("--level", default="greedy", help="the computer player to play against")
    parser.add_argument("--join", nargs=2, metavar=("TABLE", "INVITATION"), help="a friend's table")
    arguments = parser.parse_args()
    tables = f"{arguments.server.rstrip('/')}/api/tables"
    try:
        if arguments.join:
            name, invitation = arguments.join
            request = {"invitation": invitation, "name": "bot", "contributes": True}
            send(f"{tables}/{name}/seat", request).close()
        else:
            request = {"against": "computer", "level": arguments.level, "name": "bot"}
            name = json.load(send(tables, request | {"contributes": True}))["id"]
        print(f"The bot plays at table {name}.", flush=True)
        play(f"{tables}/{name}")
    except HTTPError as error:
        sys.exit(json.load(error)["sentence"])
