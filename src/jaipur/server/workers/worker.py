"""The program of a worker process. It reads requests from its input and writes the chosen moves to its output.

The program imports the players but no other part of the server, and it gets only views. It exits when its input ends,
even during a computation.
"""

import os
import signal
import sys
from functools import cache
from queue import SimpleQueue
from random import Random
from threading import Thread

from jaipur.players import LEVELS, Level, Player
from jaipur.rules import Move
from jaipur.server.log_format import print_error
from jaipur.server.workers.messages import ANSWER, WorkerRequest, read_request

NICENESS = 5
"""This number is added to the niceness of the process, so that the server has priority over its workers."""


def main() -> None:
    # Ignore Ctrl-C in the terminal. The server handles it and stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.excepthook = print_error  # the message of an error may contain cards of the computer's hand
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    requests: SimpleQueue[WorkerRequest] = SimpleQueue()
    Thread(target=_receive, args=(requests,), daemon=True).start()
    levels = {level.name: level for level in LEVELS}
    while True:
        request = requests.get()
        player = _player(levels[request.level])
        moves = [Move.from_code(code) for code in request.moves]
        move = player.choose(request.view, moves, Random(request.seed), request.budget)
        os.write(sys.stdout.fileno(), ANSWER.pack(request.seed, move.code))


@cache
def _player(level: Level) -> Player:
    """Return the player of a level. It is created on first use, because some players load large files."""
    return level.make()


def _receive(requests: "SimpleQueue[WorkerRequest]") -> None:
    # Use a separate stream, because the interpreter cannot shut down while a thread reads from sys.stdin.
    with open(sys.stdin.fileno(), "rb", closefd=False) as stream:
        while (request := read_request(stream)) is not None:
            requests.put(request)
    os._exit(0)


if __name__ == "__main__":
    main()
