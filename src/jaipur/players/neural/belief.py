"""Belief about the opponent's hidden cards: the network's estimate, constrained by card counting."""

import numpy as np
from numpy.typing import NDArray

from jaipur.rules import View
from jaipur.rules.cards import GOODS, count, size


def expected_hidden(view: View, estimate: NDArray[np.floating]) -> tuple[float, ...]:
    """The expected hidden cards of each good: at most its unseen cards, and in total the hidden cards of the hand."""
    unseen = view.unseen()
    limits = np.array([count(unseen, good) for good in GOODS], np.float64)
    hidden = view.other.hand - size(view.other.shown)
    cards = np.clip(estimate, 0.01, None) * (limits > 0)
    for _ in range(8):
        if cards.sum() > 0:
            cards = np.minimum(cards * hidden / cards.sum(), limits)
    return tuple(cards.tolist())
