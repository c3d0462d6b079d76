"""The player `random`: every legal move is equally likely."""

from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget
from jaipur.rules import Move, View


class Uniform:
    """Picks a move with a single call of `rng.random`."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return moves[int(rng.random() * len(moves))]

    def close(self) -> None:
        pass
