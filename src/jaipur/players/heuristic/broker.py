"""The player `broker`: has the merchant's eye, and now and then no patience for it."""

from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget
from jaipur.players.heuristic.greedy import Greedy
from jaipur.players.heuristic.merchant import Merchant
from jaipur.rules import Move, View

HASTY = 0.4
"""How often it grabs what looks richest instead of weighing."""


class Broker:
    """Plays as the merchant would, but in haste as the greedy one."""

    def __init__(self) -> None:
        self._patient = Merchant()
        self._hasty = Greedy()

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        player = self._hasty if rng.random() < HASTY else self._patient
        return player.choose(view, moves, rng, budget)

    def close(self) -> None:
        pass
