"""The interface of a computer player: a view in, a move out.

A player never sees a position. It gets the view of its seat, the legal moves, a random number generator and a budget.
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from jaipur.players.budget import Budget
from jaipur.rules import Move, View


class Player(Protocol):
    """Chooses the moves of one seat."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        """Return one of `moves`. The same view, random numbers and iterations always give the same move."""
        ...

    def close(self) -> None:
        """Release resources. `choose` is not called afterwards."""
        ...
