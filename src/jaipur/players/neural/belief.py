"""Belief about the opponent's hidden cards: the network's estimate, constrained by card counting."""

import numpy as np
from numpy.typing import NDArray

from jaipur.rules import View
from jaipur.rules.cards import GOODS, count, size


def expected_hidden(view: View, guessed: NDArray[np.floating]) -> tuple[float, ...]:
    """Expected number of hidden cards by good, at most the unseen ones of each; they add up to the hidden cards."""
    unseen = view.unseen()
    most = np.array([count(unseen, good) for good in GOODS], np.float64)
    hidden = view.other.hand - size(view.other.shown)
    cards = np.clip(guessed, 0.01, None) * (most > 0)
    for _ in range(8):
        if cards.sum() > 0:
            cards = np.minimum(cards * hidden / cards.sum(), most)
    return tuple(cards.tolist())
