"""Confidence intervals by the Bayesian bootstrap over pairs.

Each replicate draws one exponential weight per pair (Rubin 1981) and recomputes the statistic with these weights. The
usual bootstrap resamples pairs instead. A resample could contain no lost pair, and then a ratio would be infinite.
Pairs with the same number have the same deal in all matches, so they also get the same weight.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

REPLICATES = 2000
_LOW, _HIGH = 0.025, 0.975
_CHUNK = 2_000_000
"""At most this many weights are drawn at a time, to limit memory use."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


def weighted_sums(columns: Numbers, seed: int, replicates: int = REPLICATES) -> Numbers:
    """Return the weighted sums of the columns for each replicate, one row per replicate.

    `columns` has one row per pair.
    """
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
    """Like `estimate`, for a share. If all pairs have the same result, the number of pairs determines the interval."""
    found = estimate(value, replicates)
    if found.high - found.low > 1e-9:
        return found
    # Suppose that the true share of pairs with another result is p. Then all pairs have the same result with a
    # probability of (1 - p) ** pairs. This is less than 2.5 % if p > 1 - bound.
    bound = _LOW ** (1 / pairs)
    return Estimate(value, value * bound, 1 - (1 - value) * bound)
