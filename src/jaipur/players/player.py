"""What a computer player is: a view in, a move out.

A player never sees a position. It gets what its seat may know, the legal moves, a random generator and a budget.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from jaipur.rules import Move, View


@dataclass(frozen=True, slots=True)
class Budget:
    """How much thinking a move may cost: seconds of the clock, or iterations, which are the same on any machine."""

    seconds: float | None = None
    iterations: int | None = None


NO_BUDGET = Budget()
"""Players that search take what they need by default."""


class Player(Protocol):
    """Whoever decides for a seat."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        """One of the legal moves; the same for the same view, random numbers and iterations."""
        ...

    def close(self) -> None:
        """Let go of what the player holds; it is not asked again."""
        ...
