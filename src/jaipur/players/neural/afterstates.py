"""Afterstates of a view: their features, and the outputs of a network for them.

An afterstate is the state after a move, before any card is drawn. `expected_hidden` converts a network output into an
estimate of the opponent's hidden cards.
"""

from collections.abc import Sequence
from math import log
from random import Random

import numpy as np
from numpy.typing import NDArray

from jaipur.players.neural.endgame import endgame_value
from jaipur.players.neural.network import LEAD, LEAD_SCALE, WIN, Network, Outputs
from jaipur.rules import View, deal_unseen
from jaipur.rules.cards import GOODS, count, size
from jaipur.rules.moves import MoveCode
from jaipur.rules.position import Position
from jaipur.simulation.features import FEATURES, WIDTH, observe_afterstate

CERTAIN_LOGIT = 30.0
"""The logit that stands for a certain win. Logits of networks are much smaller."""
_RUNNING = FEATURES.index("round: is running")


def afterstate_features(view: View, codes: Sequence[MoveCode]) -> NDArray[np.float32]:
    """Return the features of the afterstates, one row per move. They contain only what the seat knows."""
    # The seed does not matter, because all positions with this view give the same features.
    position, scratch = deal_unseen(view, Random(0)), Position()
    rows = []
    for code in codes:
        row = [0.0] * WIDTH
        observe_afterstate(position, (view.own.seals, view.other.seals), code, scratch, row)
        rows.append(row)
    return np.array(rows, np.float32)


def network_outputs(network: Network, view: View, codes: Sequence[MoveCode]) -> Outputs:
    """Return the network's outputs for each afterstate, one row per move."""
    return network(afterstate_features(view, codes))


def exact_outputs(network: Network, view: View, codes: Sequence[MoveCode]) -> Outputs:
    """Like `network_outputs`, but with exact win logits and leads for moves that end the round."""
    features = afterstate_features(view, codes)
    outputs = network(features)
    for move in np.flatnonzero(features[:, _RUNNING] == 0).tolist():
        value = endgame_value(view, codes[move])
        outputs[move, WIN] = _logit(value.win_probability)
        outputs[move, LEAD] = value.expected_lead / LEAD_SCALE
    return outputs


def expected_hidden(view: View, estimate: NDArray[np.floating]) -> tuple[float, ...]:
    """Scale the network's estimate of the opponent's hidden cards, so that the numbers are possible.

    The sum is the number of hidden cards. No number exceeds the number of unseen cards of the good.
    """
    unseen = view.unseen()
    limits = np.array([count(unseen, good) for good in GOODS], np.float64)
    hidden = view.other.hand - size(view.other.shown)
    cards = np.clip(estimate, 0.01, None) * (limits > 0)
    for _ in range(8):
        if cards.sum() > 0:
            cards = np.minimum(cards * hidden / cards.sum(), limits)
    return tuple(cards.tolist())


def _logit(probability: float) -> float:
    if probability in (0.0, 1.0):
        return CERTAIN_LOGIT if probability else -CERTAIN_LOGIT
    return log(probability / (1 - probability))
