"""Compares a batch on Numba's CUDA simulator with the same batch on the CPU; test_gpu.py runs it as a process.

An environment variable selects the simulator for the whole process when Numba is imported; CPU kernels are not
affected.
"""

import sys

import numpy as np

from jaipur.simulation import STATE_DTYPE, Batch
from jaipur.simulation.layout import Array

SIZE, STEPS = 6, 30


def host(batch: Batch, array: object) -> Array:
    return batch.device.to_host(array)


def assert_same(batches: list[Batch]) -> None:
    """Compare all fields, move lists and features of two batches."""
    cpu, gpu = batches
    for name in STATE_DTYPE.names or ():
        assert (host(cpu, cpu.field(name)) == host(gpu, gpu.field(name))).all(), name
    arrays = [[*batch.moves(), batch.features(), batch.afterstate_features()] for batch in batches]
    for ours, theirs in zip(*arrays, strict=True):
        assert np.allclose(host(cpu, ours), host(gpu, theirs), atol=1e-6)


def main() -> None:
    # The simulator runs one thread per GPU thread, and its threads must not interrupt each other: each of them replaces
    # the module `cuda` of a function during a call.
    sys.setswitchinterval(60.0)
    batches = [Batch(SIZE, plays="games", seed=3, device=device) for device in ("cpu", "gpu")]
    rng = np.random.default_rng(5)
    assert_same(batches)
    for _ in range(STEPS):
        moves = batches[0].moves()
        chosen = moves.codes[moves.sample(rng.random(SIZE))]
        for batch in batches:
            batch.step(chosen)
    assert_same(batches)
    positions = [batches[0].position(index) for index in range(SIZE)]
    for batch in batches:
        batch.play_randomly(1)
    assert_same(batches)
    for batch in batches:
        batch.set_positions(positions)
    assert_same(batches)
    for batch in batches:
        batch.load_states(batch.states()[[3, 3, 0, 1, 5, 2]])
        batch.reshuffle(range(SIZE))
    assert_same(batches)
    print("the same")


if __name__ == "__main__":
    main()
