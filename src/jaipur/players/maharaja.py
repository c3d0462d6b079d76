"""The player `maharaja`: a network looks at what each move would leave, and the best chance to win is played."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from jaipur.players.features import WIDTH, observe_after
from jaipur.players.network import WIN, Network
from jaipur.players.player import Budget
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.moves import Code
from jaipur.rules.position import Position

KEPT = Path(__file__).parent / "networks"


class Maharaja:
    """Plays by a network alone."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        position = deal_unseen(view, rng)
        answers = self._network(rows_after(position, [move.code for move in moves]))
        return moves[int(answers[:, WIN].argmax())]

    def close(self) -> None:
        pass


def rows_after(position: Position, codes: Sequence[Code]) -> NDArray[np.float32]:
    """What would be known after each move, a row each; the same for all positions with the same view."""
    copy = Position()
    rows = []
    for code in codes:
        row = [0.0] * WIDTH
        observe_after(position, (0, 0), code, copy, row)
        rows.append(row)
    return np.array(rows, np.float32)


@cache
def kept(name: str) -> Network:
    """A network of the package."""
    return Network.load(KEPT / f"{name}.npz")
