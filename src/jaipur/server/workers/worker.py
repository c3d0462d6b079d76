"""The program of one worker: a level and a request come in on a line, the move goes out on another.

`thinkers` runs it as a process. It knows the players and nothing of the server, sees views alone, and ends with its
input, in the middle of a thought too.
"""

import os
import signal
import sys
from functools import cache
from queue import SimpleQueue
from random import Random
from threading import Thread

from jaipur.players import LEVELS, Level, Player
from jaipur.players.external.protocol import read_request

POLITENESS = 5
"""Added to the niceness of the process: thinking gives way to serving."""


def main() -> None:
    # An interrupt at the terminal is for the server, which then ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(lines,), daemon=True).start()
    levels = {level.name: level for level in LEVELS}
    while True:
        name, _, text = lines.get().partition(" ")
        request = read_request(text)
        player = _made(levels[name])
        move = player.choose(request.view, request.moves, Random(request.seed), request.budget)
        # The seed says which question this answers.
        print(request.seed, move, flush=True)


@cache
def _made(level: Level) -> Player:
    """A player when it is first asked for: what some of them load, others do without."""
    return level.make()


def _listen(lines: "SimpleQueue[str]") -> None:
    # A stream of its own: the interpreter cannot shut down while a thread reads from sys.stdin.
    with open(sys.stdin.fileno(), encoding="utf-8", closefd=False) as questions:
        for line in questions:
            lines.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
