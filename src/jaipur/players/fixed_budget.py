"""A player with a fixed budget, which overrides the budget of the caller: `vizier@300ms`, `vizier@500`.

With it, one arena can compare the same player at several budgets.
"""

import re
from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget
from jaipur.players.player import Player
from jaipur.rules import Move, View

_BUDGET = re.compile(r"([1-9]\d{0,6})(ms)?")


class FixedBudget:
    """Wraps a player and passes it a fixed budget."""

    def __init__(self, player: Player, budget: str) -> None:
        """Parse milliseconds (`300ms`) or iterations (`500`). Raises `ValueError` for any other text."""
        match = _BUDGET.fullmatch(budget)
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
