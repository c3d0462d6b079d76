"""The players `maharaja` and `raja`: a network looks at what each move would leave and says the chance to win.

Only where a move ends the round it is not asked: that is counted. The maharaja plays the best chance; the raja cannot
tell chances apart that lie close together.
"""

from collections.abc import Sequence
from functools import cache
from math import log
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from jaipur.players.neural.endgame import ending_after
from jaipur.players.neural.network import LEAD, LEAD_SCALE, WIN, Network
from jaipur.players.player import Budget
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.moves import Code
from jaipur.rules.position import Position
from jaipur.simulation.features import FEATURES, WIDTH, observe_afterstate

Answers = NDArray[np.float32]

KEPT = Path(__file__).parent / "networks"
BLUR = 0.17
"""What the raja cannot tell apart, in logits: 46 % from 50 %, and 94.1 % from 95 %."""
SURE = 30.0
"""What is sure, in logits: no network says so much."""
_RUNNING = FEATURES.index("round: is running")


class Maharaja:
    """Plays by a network."""

    def __init__(self, network: Network, blur: float = 0.0, counts: bool = True) -> None:
        self._network = network
        self._blur = blur
        self._answers = answers_after if counts else guesses_after

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        prospects = self._answers(self._network, view, [move.code for move in moves])[:, WIN]
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


def answers_after(network: Network, view: View, codes: Sequence[Code]) -> Answers:
    """A network's answers about each move, a row each; where the move ends the round, what was counted instead."""
    rows = rows_after(view, codes)
    answers = network(rows)
    for place in np.flatnonzero(rows[:, _RUNNING] == 0).tolist():
        ending = ending_after(view, codes[place])
        answers[place, WIN] = _logit(ending.win)
        answers[place, LEAD] = ending.lead / LEAD_SCALE
    return answers


def guesses_after(network: Network, view: View, codes: Sequence[Code]) -> Answers:
    """The answers as the network alone gives them."""
    return network(rows_after(view, codes))


def _logit(chance: float) -> float:
    if chance in (0.0, 1.0):
        return SURE if chance else -SURE
    return log(chance / (1 - chance))


def rows_after(view: View, codes: Sequence[Code]) -> NDArray[np.float32]:
    """What the seat would know after each move, a row each."""
    # Some position with this view; all of them give the same rows.
    position, copy = deal_unseen(view, Random(0)), Position()
    rows = []
    for code in codes:
        row = [0.0] * WIDTH
        observe_afterstate(position, (view.own.seals, view.other.seals), code, copy, row)
        rows.append(row)
    return np.array(rows, np.float32)
