"""The player `random`: every legal move is as likely as any other."""

from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget
from jaipur.rules import Move, View


class Uniform:
    """Picks evenly among the legal moves, with `rng.random` alone."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return moves[int(rng.random() * len(moves))]

    def close(self) -> None:
        pass
