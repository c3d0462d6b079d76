"""The player `broker`: plays like the merchant, and on some turns like the greedy player."""

from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget
from jaipur.players.heuristic.greedy import Greedy
from jaipur.players.heuristic.merchant import Merchant
from jaipur.rules import Move, View

GREEDY_RATE = 0.4


class Broker:
    """A random mixture of two players."""

    def __init__(self) -> None:
        self._merchant = Merchant()
        self._greedy = Greedy()

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        player = self._greedy if rng.random() < GREEDY_RATE else self._merchant
        return player.choose(view, moves, rng, budget)

    def close(self) -> None:
        pass
