"""`jaipur player NAME`: runs a built-in player as a bot (docs/reference/bot-protocol.md).

The bot reads requests from standard input and writes its moves to standard output.
"""

import argparse
import sys
from functools import partial
from random import Random

HELP = "run a built-in player as a bot"
DESCRIPTION = (
    "Answer each JSON request on standard input with a move on standard output. The protocol is in "
    "docs/reference/bot-protocol.md."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the player")


def run(arguments: argparse.Namespace) -> int:
    from jaipur.players import player_named
    from jaipur.players.external.protocol import MAX_REQUEST_BYTES, read_request
    from jaipur.rules import NotationError
    from jaipur.rules.input_errors import within

    player = player_named(arguments.name)
    lines = iter(partial(sys.stdin.buffer.readline, MAX_REQUEST_BYTES + 1), b"")
    try:
        for number, line in enumerate(lines, 1):
            with within(f"line {number}"):
                if len(line) > MAX_REQUEST_BYTES:
                    raise NotationError(f"A request has at most {MAX_REQUEST_BYTES} bytes")
                try:
                    request = read_request(line.decode())
                except UnicodeDecodeError as error:
                    message = f"This is not text: byte {error.start + 1} is not UTF-8"
                    raise NotationError(message) from None
            # If the request has no seed, the operating system seeds the generator.
            rng = Random(request.seed)
            print(player.choose(request.view, request.moves, rng, request.budget), flush=True)
    finally:
        player.close()
    return 0
