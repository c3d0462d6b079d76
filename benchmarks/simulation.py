"""Measures the speed of the compiled rules, and compares their results with those of the plain rules.

    simulation.py cpu [SECONDS]   measure random play that lists all moves: CPython, one core, two cores
    simulation.py gpu             measure the same on a GPU, and compare a million rounds with the CPU
    simulation.py equal [MOVES]   compare plain, compiled and naive rules (default: a million moves)

The benchmark needs NumPy and Numba, and numba-cuda for a GPU. Instead of installing the package, you can set
PYTHONPATH=src.
"""

import hashlib
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Literal

import numba
import numpy as np

from jaipur.rules import Deal, Move, new_round
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.scoring import camel_token, round_winner, rupees
from jaipur.rules.turn import carry_out
from jaipur.simulation import Batch, Moves
from jaipur.simulation.compiler import cpu_function
from jaipur.simulation.layout import Array, position_of, record_of

REPEATS = 5
SIZE = 256
"""The number of rounds in a batch. They fit into the cache of a core."""
DEVICES: tuple[Literal["gpu", "cpu"], ...] = ("gpu", "cpu")
CHECKED_SIZE, CHECKED_ROUNDS = 131_072, 8


def cpython(rng: Random) -> Callable[[], int]:
    """Play rounds with the plain rules, as in `benchmarks/random_play.py`."""
    codes = [0] * MOST_MOVES

    def play() -> int:
        position = new_round(Deal.shuffled(rng))
        while legal := list_moves(position, codes):
            carry_out(position, codes[int(rng.random() * legal)])
        return position.moves_played

    return play


def compiled(threads: int, rounds: int = 40) -> Callable[[], int]:
    """Play rounds with the compiled rules, in one compiled loop."""
    batch = Batch(SIZE * threads, threads=threads)

    def play() -> int:
        before = int(batch.field("moves").sum())
        batch.play_randomly(rounds)
        return int(batch.field("moves").sum()) - before

    return play


def stepped(observe: Callable[[Batch], object]) -> Callable[[], int]:
    """Play step by step from Python: list the moves, observe, choose with NumPy, step with the legality check."""
    batch, rng = Batch(4096), np.random.default_rng(1)

    def play() -> int:
        observe(batch)
        moves = batch.moves()
        batch.step(moves.codes[moves.sample(rng.random(len(batch)))])
        return len(batch)

    return play


def speed(play: Callable[[], int], seconds: float) -> float:
    start = perf_counter()
    moves = 0
    while perf_counter() - start < seconds:
        moves += play()
    return moves / (perf_counter() - start)


def on_the_cpu(seconds: float) -> None:
    ways = {
        "CPython": cpython(Random(1)),
        "compiled, one core": compiled(1),
        "compiled, two cores": compiled(2),
        "steps of a batch of 4,096": stepped(lambda _: None),
        "with features": stepped(lambda batch: batch.features()),
        "with features of all afterstates": stepped(lambda batch: batch.afterstate_features()),
    }
    speeds: dict[str, list[float]] = {name: [] for name in ways}
    for play in ways.values():
        play()
    for _ in range(REPEATS):
        for name, play in ways.items():
            speeds[name].append(speed(play, seconds))
    print(f"{versions()}, median of {REPEATS} runs of {seconds:g} s, one core unless stated\n")
    print("| random play | moves per second | times CPython | times one core |")
    print("| --- | ---: | ---: | ---: |")
    for name, rates in speeds.items():
        ratios = [
            median(ours / theirs for ours, theirs in zip(rates, speeds[base], strict=True))
            for base in ("CPython", "compiled, one core")
        ]
        print(f"| {name} | {median(rates):,.0f} | {ratios[0]:.1f} × | {ratios[1]:.2f} × |")


def on_the_gpu() -> None:
    print(f"{versions()}, random play that lists all moves\n")
    print("| batch size | rounds each | moves | seconds | moves per second |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for size in (16_384, 65_536, 131_072, 262_144, 1_048_576):
        batch = Batch(size, device="gpu")
        batch.play_randomly(1)
        batch.device.synchronize()
        for rounds in (4, 16):
            before = moves_of(batch)
            start = perf_counter()
            batch.play_randomly(rounds)
            batch.device.synchronize()
            seconds = perf_counter() - start
            moves = moves_of(batch) - before
            row = f"{size:,} | {rounds} | {moves:,} | {seconds:.3f} | {moves / seconds:,.0f}"
            print(f"| {row} |", flush=True)
    digests = {device: play_million(device) for device in DEVICES}
    if digests["gpu"] != digests["cpu"]:
        sys.exit("GPU and CPU play different rounds.")
    arrays = {device: arrays_after_steps(device) for device in DEVICES}
    if not all(np.allclose(a, b, atol=1e-5) for a, b in zip(*arrays.values(), strict=True)):
        sys.exit("GPU and CPU have different moves or features.")
    print("\nGPU and CPU agree in rounds, moves and features.")


def play_million(device: Literal["gpu", "cpu"]) -> str:
    """Play a million rounds from fixed seeds, and return a digest of them."""
    batch = Batch(CHECKED_SIZE, device=device, seed=1_000_000, threads=os.cpu_count() or 1)
    batch.play_randomly(CHECKED_ROUNDS)
    digest = digest_of(batch)
    rounds, moves = CHECKED_SIZE * CHECKED_ROUNDS, moves_of(batch)
    print(f"\n{device}: {rounds:,} rounds, {moves:,} moves, checksum {digest}", flush=True)
    return digest


def arrays_after_steps(device: Literal["gpu", "cpu"]) -> list[Array]:
    """Play some steps, and return the moves, features and results of the batch."""
    batch, rng = Batch(4096, device=device, plays="games"), np.random.default_rng(1)
    for _ in range(40):
        moves = Moves(*map(batch.device.to_host, batch.moves()))
        batch.step(moves.codes[moves.sample(rng.random(len(batch)))])
    arrays = [*batch.moves(), batch.features(), batch.afterstate_features(), *batch.results()]
    return [batch.device.to_host(array) for array in arrays]


def moves_of(batch: Batch) -> int:
    return int(batch.device.to_host(batch.field("moves")).sum())


def digest_of(batch: Batch) -> str:
    """Return a digest of all moves and scores of a batch."""
    digest = hashlib.sha256()
    for field in ("checksum", "moves", "rounds", "score", "winner", "holdings"):
        digest.update(batch.device.to_host(batch.field(field)).astype(np.int64).tobytes())
    return digest.hexdigest()


def equal(moves: int) -> None:
    """Play the same rounds with the plain rules, the compiled rules and the naive rules. Compare after every move."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from naive import NaiveRound  # noqa: PLC0415  # a module of the tests
    from test_naive import naive_deal, naive_table_of, table_of  # noqa: PLC0415

    rng, codes, others = Random(1), [0] * MOST_MOVES, np.zeros(MOST_MOVES, np.int32)
    scoring = (camel_token, round_winner)
    compared = rounds = 0
    while compared < moves:
        deal = Deal.shuffled(rng)
        position, naive = new_round(deal), NaiveRound(*naive_deal(deal))
        record = record_of(position)
        rounds += 1
        while True:
            legal = list_moves(position, codes)
            assert cpu_function(list_moves)(record, others) == legal
            assert others[:legal].tolist() == codes[:legal]
            assert {str(Move.from_code(code)) for code in codes[:legal]} == naive.legal_moves()
            assert position_of(record) == position
            assert table_of(position) == naive_table_of(naive)
            assert all(cpu_function(score)(record) == score(position) for score in scoring)
            assert all(cpu_function(rupees)(record, s) == rupees(position, s) for s in (0, 1))
            if not legal:
                break
            code = codes[int(rng.random() * legal)]
            carry_out(position, code)
            cpu_function(carry_out)(record, code)
            naive.make(str(Move.from_code(code)))
            compared += 1
    print(f"{compared:,} moves in {rounds:,} rounds: plain, compiled and naive rules agree.")


def versions() -> str:
    return f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}"


def main() -> None:
    part, *rest = sys.argv[1:] or [""]
    if part == "cpu":
        on_the_cpu(float(rest[0]) if rest else 2.0)
    elif part == "gpu":
        on_the_gpu()
    elif part == "equal":
        equal(int(rest[0]) if rest else 1_000_000)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
