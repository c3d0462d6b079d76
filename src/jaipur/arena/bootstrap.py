"""Confidence intervals by the Bayesian bootstrap over pairs.

Each replicate draws one exponential weight per pair (Rubin 1981) and recomputes the statistic. The usual bootstrap
resamples pairs. It could drop all lost pairs and make a ratio infinite. Pairs with the same number have the same deal
in all matches, so they also have the same weight.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

REPLICATES = 2000
_LOW, _HIGH = 0.025, 0.975
_CHUNK = 2_000_000
"""The number of weights drawn at a time. It limits memory use."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


def weighted_sums(columns: Numbers, seed: int, replicates: int = REPLICATES) -> Numbers:
    """Weighted sums of columns that have one row per pair. The result has one row per replicate."""
    pairs = len(columns)
    rng = np.random.Generator(np.random.PCG64(seed))
    rows = max(1, _CHUNK // max(1, pairs))
    return np.concatenate(
        [
            rng.standard_exponential((min(rows, replicates - first), pairs)) @ columns
            for first in range(0, replicates, rows)
        ]
    )


def estimate(value: float, replicates: Numbers) -> Estimate:
    low, high = np.quantile(replicates, (_LOW, _HIGH))
    return Estimate(value, float(low), float(high))


def share_estimate(value: float, replicates: Numbers, pairs: int) -> Estimate:
    """Like `estimate`, for a share. If all pairs have the same result, the interval depends on their number."""
    found = estimate(value, replicates)
    if found.high - found.low > 1e-9:
        return found
    # If a share of more than 1 - bound of all pairs had another result, n equal results would be rarer than 1 in 40.
    bound = _LOW ** (1 / pairs)
    return Estimate(value, value * bound, 1 - (1 - value) * bound)
