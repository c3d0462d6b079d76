"""Kernels that read training data from a batch. See `simulation.kernels`."""

from collections.abc import Sequence

from jaipur.rules.cards import GOODS_MASK, NOBODY
from jaipur.simulation.kernels import first_index, stride
from jaipur.simulation.layout import Buffer, Numbers, States

TURN, HIDDEN = 0, 1
"""The columns of `read_before`: the seat to move, then six columns with the opponent's hidden cards by good."""
BEFORE = 7  # the number of columns
ENDED, WON, LEAD = range(3)
"""The columns of `read_after`: whether the round ended, the result of seat 0 (2 for a win, 1 for a draw, 0 for a loss),
and the lead of seat 0 in rupees."""
AFTER = 3  # the number of columns


def read_before(start: int, stop: int, states: States, rows: Sequence[Buffer]) -> None:
    """Before a move, read the seat to move and the opponent's hidden cards."""
    for i in range(first_index(start), stop, stride()):
        state, row = states[i], rows[i]
        other = 1 - state.turn
        hidden = (state.holdings[other] & GOODS_MASK) - state.shown[other]
        row[TURN] = state.turn
        for good in range(6):
            row[HIDDEN + good] = hidden >> 4 * good & 15


def read_after(start: int, stop: int, states: States, rows: Sequence[Buffer]) -> None:
    """After a move, read the result of the round."""
    for i in range(first_index(start), stop, stride()):
        state, row = states[i], rows[i]
        row[ENDED] = state.round_ended
        row[WON] = 1 if state.winner == NOBODY else 2 - 2 * state.winner
        row[LEAD] = state.score[0] - state.score[1]


def pick(start: int, stop: int, codes: Numbers, indices: Numbers, chosen: Buffer) -> None:
    """For each entry, look up the code of the chosen move. If an entry has ended, its index may be out of range."""
    for i in range(first_index(start), stop, stride()):
        if indices[i] < len(codes):
            chosen[i] = codes[indices[i]]
