"""How much of a budget is used."""

from time import perf_counter

from jaipur.players.player import Budget

SECONDS = 1.0
"""What players that search take where the budget says nothing."""


class Meter:
    """Counts iterations where they are given, else looks at the clock."""

    def __init__(self, budget: Budget) -> None:
        self._iterations = budget.iterations
        self._done = 0
        self._seconds = SECONDS if budget.seconds is None else budget.seconds
        self._started = perf_counter() if budget.iterations is None else 0.0

    def step(self, iterations: int = 1) -> None:
        self._done += iterations

    def used(self) -> float:
        """The share of the budget that is spent; all of it from 1 on."""
        if self._iterations is not None:
            return self._done / self._iterations if self._iterations > 0 else 1.0
        return (perf_counter() - self._started) / self._seconds if self._seconds > 0 else 1.0
