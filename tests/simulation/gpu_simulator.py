"""Run by a test in a process of its own: a batch on Numba's CUDA simulator beside the same one on the CPU.

The simulator is chosen by an environment variable when Numba is imported, and then for the whole process; compiled
functions of the CPU are not touched by it.
"""

import numpy as np

from jaipur.simulation import STATE_DTYPE, Batch
from jaipur.simulation.layout import Array

LANES, STEPS = 6, 30


def host(batch: Batch, array: object) -> Array:
    return batch.device.to_host(array)


def same(batches: list[Batch]) -> None:
    """Compare all fields, lists and features of two batches."""
    cpu, gpu = batches
    for name in STATE_DTYPE.names or ():
        assert (host(cpu, cpu.field(name)) == host(gpu, gpu.field(name))).all(), name
    looks = [[*batch.moves(), batch.features(), batch.afterstate_features()] for batch in batches]
    for ours, theirs in zip(*looks, strict=True):
        assert np.allclose(host(cpu, ours), host(gpu, theirs), atol=1e-6)


def main() -> None:
    batches = [Batch(LANES, plays="games", seed=3, device=device) for device in ("cpu", "gpu")]
    draws = np.random.default_rng(5)
    same(batches)
    for _ in range(STEPS):
        moves = batches[0].moves()
        chosen = moves.codes[moves.sample(draws.random(LANES))]
        for batch in batches:
            batch.step(chosen)
    same(batches)
    positions = [batches[0].position(lane) for lane in range(LANES)]
    for batch in batches:
        batch.play_randomly(1)
    same(batches)
    for batch in batches:
        batch.set_positions(positions)
    same(batches)
    for batch in batches:
        batch.load_states(batch.states()[[3, 3, 0, 1, 5, 2]])
        batch.reshuffle(range(LANES))
    same(batches)
    print("the same")


if __name__ == "__main__":
    main()
