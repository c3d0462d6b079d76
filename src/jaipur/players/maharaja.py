"""The players `maharaja` and `raja`: a network looks at what each move would leave and says the chance to win.

The maharaja plays the best chance. The raja cannot tell chances apart that lie close together.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from jaipur.compiled.features import WIDTH, observe_after
from jaipur.players.network import WIN, Network
from jaipur.players.player import Budget
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.moves import Code
from jaipur.rules.position import Position

KEPT = Path(__file__).parent / "networks"
BLUR = 0.08
"""What the raja cannot tell apart, in logits: 48 % from 50 %, and 94.6 % from 95 %."""


class Maharaja:
    """Plays by a network alone."""

    def __init__(self, network: Network, blur: float = 0.0) -> None:
        self._network = network
        self._blur = blur

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        prospects = self._network(rows_after(view, [move.code for move in moves]))[:, WIN]
        if not self._blur:
            return moves[int(prospects.argmax())]
        good = np.flatnonzero(prospects >= prospects.max() - self._blur)
        return moves[int(good[int(rng.random() * len(good))])]

    def close(self) -> None:
        pass


@cache
def kept(name: str) -> Network:
    """A network of the package."""
    return Network.load(KEPT / f"{name}.npz")


def rows_after(view: View, codes: Sequence[Code]) -> NDArray[np.float32]:
    """What the seat would know after each move, a row each."""
    # Some position with this view; all of them give the same rows.
    position, copy = deal_unseen(view, Random(0)), Position()
    rows = []
    for code in codes:
        row = [0.0] * WIDTH
        observe_after(position, (view.own.seals, view.other.seals), code, copy, row)
        rows.append(row)
    return np.array(rows, np.float32)
