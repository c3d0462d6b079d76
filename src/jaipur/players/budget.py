"""The budget of a move, and a meter that measures how much of it a search has spent."""

from dataclasses import dataclass
from time import perf_counter

DEFAULT_SECONDS = 1.0
"""Budget of a search when the caller sets neither seconds nor iterations."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limit for one move: wall-clock seconds or iterations. Iterations give the same move on every machine."""

    seconds: float | None = None
    iterations: int | None = None


NO_BUDGET = Budget()
"""No limit is set. A search then uses `DEFAULT_SECONDS`."""


class BudgetMeter:
    """Counts iterations if the budget sets them, and measures time otherwise."""

    def __init__(self, budget: Budget) -> None:
        self._iterations = budget.iterations
        self._done = 0
        self._seconds = DEFAULT_SECONDS if budget.seconds is None else budget.seconds
        self._started = perf_counter() if budget.iterations is None else 0.0

    def step(self, iterations: int = 1) -> None:
        self._done += iterations

    def used(self) -> float:
        """The fraction of the budget that is spent. The search stops at 1."""
        if self._iterations is not None:
            return self._done / self._iterations if self._iterations > 0 else 1.0
        return (perf_counter() - self._started) / self._seconds if self._seconds > 0 else 1.0
