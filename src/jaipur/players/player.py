"""The interface of computer players.

A player gets the view of its seat, the legal moves, a random number generator and a budget, and returns a move. It
never gets a position.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Protocol

from jaipur.rules import Move, View

DEFAULT_SECONDS = 1.0
"""The budget of a search if the caller sets neither seconds nor iterations."""
_FIXED_BUDGET = re.compile(r"([1-9]\d{0,6})(ms)?")


@dataclass(frozen=True, slots=True)
class Budget:
    """The limit for one move, in wall-clock seconds or in iterations.

    With a limit in iterations, the same seed gives the same move on every machine.
    """

    seconds: float | None = None
    iterations: int | None = None


NO_BUDGET = Budget()
"""No limit is set. A search then uses `DEFAULT_SECONDS`."""


class BudgetMeter:
    """Measures how much of a budget is used. If the budget sets iterations, they count. Otherwise time counts."""

    def __init__(self, budget: Budget) -> None:
        self._iterations = budget.iterations
        self._done = 0
        self._seconds = DEFAULT_SECONDS if budget.seconds is None else budget.seconds
        self._started = perf_counter() if budget.iterations is None else 0.0

    def step(self, iterations: int = 1) -> None:
        self._done += iterations

    def used(self) -> float:
        """Return the used fraction of the budget. A search stops at 1."""
        if self._iterations is not None:
            return self._done / self._iterations if self._iterations > 0 else 1.0
        return (perf_counter() - self._started) / self._seconds if self._seconds > 0 else 1.0


class Player(Protocol):
    """Chooses the moves of one seat."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        """Return one of `moves`. With a budget in iterations, the same view and the same `rng` give the same move."""
        ...

    def close(self) -> None:
        """Release the resources of the player. The caller does not call `choose` afterwards."""
        return


class FixedBudget(Player):
    """A player whose fixed budget replaces the budget of the caller. Examples: `vizier@300ms`, `vizier@500`.

    An arena can thus compare the same player with several budgets.
    """

    def __init__(self, player: Player, budget: str) -> None:
        """Parse a budget in milliseconds (`300ms`) or iterations (`500`). Raise `ValueError` for any other text."""
        match = _FIXED_BUDGET.fullmatch(budget)
        if match is None:
            raise ValueError(
                "A budget follows “@”: milliseconds like 300ms, or iterations like 500."
            )
        number = int(match[1])
        self._player = player
        self._budget = Budget(seconds=number / 1000) if match[2] else Budget(iterations=number)

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return self._player.choose(view, moves, rng, self._budget)

    def close(self) -> None:
        self._player.close()
