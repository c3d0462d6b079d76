"""Kernels that extract training data from a batch; see `simulation.kernels`."""

from collections.abc import Sequence

from jaipur.rules.cards import GOODS_MASK, NOBODY
from jaipur.simulation.kernels import first_index, stride
from jaipur.simulation.layout import Buffer, Numbers, States

TURN, HIDDEN = 0, 1
"""Columns of `read_before`: the seat to move, then the opponent's hidden cards by good."""
BEFORE = 7
ENDED, WON, LEAD = range(3)
"""Columns of `read_after`: whether the round ended, the result of seat 0 (2 won, 1 draw, 0 lost), its lead."""
AFTER = 3


def read_before(start: int, stop: int, states: States, rows: Sequence[Buffer]) -> None:
    """Read the seat to move and the hidden cards, before a move."""
    for i in range(first_index(start), stop, stride()):
        state, row = states[i], rows[i]
        other = 1 - state.turn
        hidden = (state.holdings[other] & GOODS_MASK) - state.shown[other]
        row[TURN] = state.turn
        for good in range(6):
            row[HIDDEN + good] = hidden >> 4 * good & 15


def read_after(start: int, stop: int, states: States, rows: Sequence[Buffer]) -> None:
    """Read the result of the round, after a move."""
    for i in range(first_index(start), stop, stride()):
        state, row = states[i], rows[i]
        row[ENDED] = state.round_ended
        row[WON] = 1 if state.winner == NOBODY else 2 - 2 * state.winner
        row[LEAD] = state.score[0] - state.score[1]


def pick(start: int, stop: int, codes: Numbers, indices: Numbers, chosen: Buffer) -> None:
    """Look up codes by index. The index of an entry that has ended may be out of range."""
    for i in range(first_index(start), stop, stride()):
        if indices[i] < len(codes):
            chosen[i] = codes[indices[i]]
