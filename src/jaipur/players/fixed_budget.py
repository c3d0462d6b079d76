"""A player that always thinks as long as its name says, whatever budget it is given: `vizier@300ms`, `vizier@500`.

So that one arena can hold the same player at several paces.
"""

import re
from collections.abc import Sequence
from random import Random

from jaipur.players.player import Budget, Player
from jaipur.rules import Move, View

_PACE = re.compile(r"([1-9]\d{0,6})(ms)?")


class Paced:
    """Another player with a budget of its own."""

    def __init__(self, player: Player, pace: str) -> None:
        """A pace is milliseconds (`300ms`) or iterations (`500`); ValueError where it is neither."""
        read = _PACE.fullmatch(pace)
        if read is None:
            raise ValueError("A pace follows “@”: milliseconds like 300ms, or iterations like 500.")
        number = int(read[1])
        self._player = player
        self._budget = Budget(seconds=number / 1000) if read[2] else Budget(iterations=number)

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return self._player.choose(view, moves, rng, self._budget)

    def close(self) -> None:
        self._player.close()
