"""Compares the speed of two checkouts: python benchmarks/compare.py OLD NEW [--only NAME] [--rounds N] [--seconds S]

Each checkout needs its own .venv (run ./check or benchmarks/run in it once). For every measurement, each checkout runs
a process. The processes take turns, so that other load on the machine affects both in the same way. The rates are per
CPU second. The ratio is the median of NEW divided by OLD over all turns. If it is below 1, NEW is slower.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

# A snippet defines the function `work`, which returns the number of units of work that it has done. A snippet may also
# define its own `clock`. If a name has moved between versions, the snippet tries both places.
CODE_DOOR = """
from random import Random
from jaipur.rules import Deal, new_round
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.turn import carry_out
rng, codes = Random(1), [0] * MOST_MOVES

def work():
    position = new_round(Deal.shuffled(rng))
    while legal := list_moves(position, codes):
        carry_out(position, codes[int(rng.random() * legal)])
    return position.moves_played
"""

PUBLIC_DOOR = """
from random import Random
from jaipur.rules import Deal, Position, new_round
rng = Random(1)
try:
    legal_moves, play = Position.legal_moves, Position.play
except AttributeError:
    from jaipur.rules import legal_moves, play

def work():
    position = new_round(Deal.shuffled(rng))
    while moves := legal_moves(position):
        play(position, moves[int(rng.random() * len(moves))])
    return position.moves_played
"""

COMPILED_LOOP = """
try:
    from jaipur.simulation import Batch
except ImportError:
    from jaipur.lab import Batch
batch = Batch(256, seed=1)

def work():
    batch.play_randomly(4)
    return 256 * 4
"""

PETTINGZOO = """
from random import Random
try:
    from jaipur.envs.pettingzoo import env
except ImportError:
    from jaipur.lab.pettingzoo import env
rng, table = Random(1), env()
table.reset(seed=1)

def work():
    steps = 0
    table.reset()
    for _ in table.agent_iter():
        _, _, ended, truncated, info = table.last()
        if ended or truncated:
            table.step(None)
        else:
            legal = info["actions"]
            table.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
    return steps
"""

HTTP = """
import atexit, http.client, json, pathlib, random, subprocess, sys, tempfile
rng, folder = random.Random(1), tempfile.TemporaryDirectory()
server = subprocess.Popen(
    [sys.executable, "-m", "jaipur", "serve", "--port", "0", "--limit", "0", "--tables", "0", "--thinkers", "1",
     "--database", f"sqlite:///{folder.name}/tables.sqlite"], stdout=subprocess.PIPE, text=True)
atexit.register(folder.cleanup)
atexit.register(server.wait)
atexit.register(server.terminate)
address = server.stdout.readline().split()[4]
connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=20)

def clock():
    # Return the CPU seconds of the server, summed over all its threads.
    tasks = pathlib.Path(f"/proc/{server.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

def request(method, path, body=None, secret=""):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    connection.request(method, path, body and json.dumps(body), headers)
    response = connection.getresponse()
    data = json.loads(response.read())
    assert response.status < 400, data
    return data

def open_table():
    first = request("POST", "/api/tables", {"against": "friend", "seat": 0})
    path = f"/api/tables/{first['id']}"
    second = request("POST", f"{path}/seat", {"invitation": first["invitation"]})
    return path, [first["secret"], second["secret"]]

path, secrets = open_table()

def work():
    # Each player reads the table. The player to move plays a random move.
    global path, secrets
    moves = 0
    while moves < 20:
        for secret in secrets:
            table = request("GET", path, secret=secret)
            if table["over"]:
                path, secrets = open_table()
                break
            if table["moves"]:
                move = table["moves"][int(rng.random() * len(table["moves"]))]
                request("POST", f"{path}/play", {"move": move, "version": table["version"]}, secret)
                moves += 1
    return moves
"""

ROLLOUTS = """
import threading
from random import Random
from jaipur import Deal, Game
from jaipur.players import Budget, player_named
player, rng, budget = player_named("grand-maharaja"), Random(1), Budget(None, 256)

def position(seed):
    game, rng = Game(), Random(seed)
    game.start(Deal.shuffled(rng))
    for _ in range(8):
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game

games = [position(seed) for seed in range(4)]

def work():
    # Each choice makes at most 256 rollouts. The search is deterministic, so both versions make the same number.
    for game in games:
        player.choose(game.view(game.rounds[-1].position.turn), game.legal_moves(), Random(1), budget)
    return 256 * len(games)

work()
for thread in threading.enumerate():  # the compiled rollouts replace the plain ones when they are ready
    if thread is not threading.main_thread():
        thread.join()
"""

HARNESS = """
import os, sys, time
os.environ["OPENBLAS_NUM_THREADS"] = "1"
from time import process_time as clock
exec(sys.argv[1])
work()
print("ready", flush=True)
for seconds in map(float, sys.stdin):
    units, began = 0, clock()
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline or clock() == began:
        units += work()
    print(units / (clock() - began), flush=True)
"""

MEASUREMENTS = {
    "code door": ("moves", CODE_DOOR),
    "public door": ("moves", PUBLIC_DOOR),
    "compiled loop": ("rounds", COMPILED_LOOP),
    "PettingZoo": ("steps", PETTINGZOO),
    "HTTP": ("moves", HTTP),
    "grand-maharaja": ("rollouts", ROLLOUTS),
}


class Side:
    """A measurement that runs in one checkout."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        assert self._read() == "ready"

    def rate(self, seconds: float) -> float:
        """Run for this many seconds, and return the units of work per CPU second."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        return float(self._read())

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            sys.exit(f"compare: a measurement failed in {self._process.args!r}"[:200])
        return line


@contextmanager
def running(checkout: Path, snippet: str) -> Iterator[Side]:
    python = checkout / ".venv" / "bin" / "python"
    with subprocess.Popen(
        [python, "-W", "ignore", "-c", HARNESS, snippet],
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Side(process)


def compare(old: Path, new: Path, snippet: str, rounds: int, seconds: float) -> list[list[float]]:
    """Measure both checkouts in alternating order. Return pairs of rates: old, new."""
    rates = []
    with running(old, snippet) as before, running(new, snippet) as after:
        for number in range(rounds):
            sides = (before, after) if number % 2 == 0 else (after, before)
            pair = [side.rate(seconds) for side in sides]
            rates.append(pair if number % 2 == 0 else pair[::-1])
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("old", type=Path, metavar="OLD", help="a checkout with its .venv")
    parser.add_argument("new", type=Path, metavar="NEW", help="another checkout with its .venv")
    parser.add_argument("--only", choices=MEASUREMENTS, help="one measurement (default: all)")
    parser.add_argument("--rounds", type=int, default=9, help="turns of each side (default: 9)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a turn (default: 1)")
    options = parser.parse_args()
    print("| measurement | per CPU second | old | new | new / old | lowest | highest |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, (unit, snippet) in MEASUREMENTS.items():
        if options.only in (None, name):
            rates = compare(
                options.old.resolve(),
                options.new.resolve(),
                snippet,
                options.rounds,
                options.seconds,
            )
            ratios = [new / old for old, new in rates]
            old, new = (median(column) for column in zip(*rates, strict=True))
            print(
                f"| {name} | {unit} | {old:,.0f} | {new:,.0f} | {median(ratios):.3f} | {min(ratios):.3f} "
                f"| {max(ratios):.3f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
