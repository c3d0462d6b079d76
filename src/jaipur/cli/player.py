"""`jaipur player NAME`: any of our players as a bot on standard input and output (docs/reference/bot-protocol.md)."""

import argparse
import sys
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "player",
        help="be a bot: requests in, moves out",
        description="Answer each line of JSON on standard input with a move, as docs/reference/bot-protocol.md tells.",
    )
    parser.add_argument("name", metavar="NAME", help="the player that answers")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from jaipur.notation import NotationError, within
    from jaipur.players import player_named
    from jaipur.players.external.protocol import LONGEST_REQUEST, read_request

    player = player_named(arguments.name)
    number = 0
    try:
        while line := sys.stdin.buffer.readline(LONGEST_REQUEST + 1):
            number += 1
            with within(f"line {number}"):
                if len(line) > LONGEST_REQUEST:
                    raise NotationError(f"A request has at most {LONGEST_REQUEST} bytes")
                request = read_request(_text(line))
            # Without a seed, chance is really chance.
            rng = Random(request.seed)
            move = player.choose(request.view, request.moves, rng, request.budget)
            print(move, flush=True)
    finally:
        player.close()
    return 0


def _text(line: bytes) -> str:
    from jaipur.notation import NotationError

    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise NotationError(f"This is not text: byte {error.start + 1} is not UTF-8") from None
