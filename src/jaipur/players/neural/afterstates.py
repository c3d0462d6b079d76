"""Afterstates of a view: the features after each move, before chance, and a network's outputs for them."""

from collections.abc import Sequence
from math import log
from random import Random

import numpy as np
from numpy.typing import NDArray

from jaipur.players.neural.endgame import endgame_value
from jaipur.players.neural.network import LEAD, LEAD_SCALE, WIN, Network, Outputs
from jaipur.rules import View, deal_unseen
from jaipur.rules.moves import MoveCode
from jaipur.rules.position import Position
from jaipur.simulation.features import FEATURES, WIDTH, observe_afterstate

CERTAIN_LOGIT = 30.0
"""The logit of a certain result. The outputs of networks are much smaller."""
_RUNNING = FEATURES.index("round: is running")


def afterstate_features(view: View, codes: Sequence[MoveCode]) -> NDArray[np.float32]:
    """The features of what the seat knows after each move, one row per move."""
    # All positions with this view give the same rows.
    position, scratch = deal_unseen(view, Random(0)), Position()
    rows = []
    for code in codes:
        row = [0.0] * WIDTH
        observe_afterstate(position, (view.own.seals, view.other.seals), code, scratch, row)
        rows.append(row)
    return np.array(rows, np.float32)


def network_outputs(network: Network, view: View, codes: Sequence[MoveCode]) -> Outputs:
    """The network's outputs for each afterstate, one row per move."""
    return network(afterstate_features(view, codes))


def exact_outputs(network: Network, view: View, codes: Sequence[MoveCode]) -> Outputs:
    """`network_outputs`, with the exact win logit and lead for moves that end the round."""
    features = afterstate_features(view, codes)
    outputs = network(features)
    for move in np.flatnonzero(features[:, _RUNNING] == 0).tolist():
        value = endgame_value(view, codes[move])
        outputs[move, WIN] = _logit(value.win_probability)
        outputs[move, LEAD] = value.expected_lead / LEAD_SCALE
    return outputs


def _logit(probability: float) -> float:
    if probability in (0.0, 1.0):
        return CERTAIN_LOGIT if probability else -CERTAIN_LOGIT
    return log(probability / (1 - probability))
