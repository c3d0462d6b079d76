"""Intervals by the Bayesian bootstrap over pairs: each pair gets a random weight, and the figures are taken again.

The weights are exponential (Rubin 1981). Unlike drawing pairs again, they lose no pair for good, so ratios stay finite.
All matches play the same deal in the pair of a number, so it has the same weight in all of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

REPLICATES = 2000
_LOW, _HIGH = 0.025, 0.975
_AT_ONCE = 2_000_000
"""Weights made at a time, to keep memory small."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


def sums(columns: Numbers, seed: int, replicates: int = REPLICATES) -> Numbers:
    """The weighted sums of columns with a row a pair; a row a replicate."""
    return np.concatenate(
        [weights @ columns for weights in _weights(len(columns), seed, replicates)]
    )


def _weights(pairs: int, seed: int, replicates: int) -> Iterator[Numbers]:
    rng = np.random.Generator(np.random.PCG64(seed))
    at_once = max(1, _AT_ONCE // max(1, pairs))
    for first in range(0, replicates, at_once):
        yield rng.standard_exponential((min(at_once, replicates - first), pairs))


def estimate(value: float, replicates: Numbers) -> Estimate:
    low, high = np.quantile(replicates, (_LOW, _HIGH))
    return Estimate(value, float(low), float(high))


def share_estimate(value: float, replicates: Numbers, pairs: int) -> Estimate:
    """As `estimate`, for a share: where all pairs are alike, weights say nothing and their number must."""
    found = estimate(value, replicates)
    if found.high - found.low > 1e-9:
        return found
    # If more than 1 - certain of all pairs were different, n of n alike would be rarer than 1 in 40.
    certain = _LOW ** (1 / pairs)
    return Estimate(value, value * certain, 1 - (1 - value) * certain)
