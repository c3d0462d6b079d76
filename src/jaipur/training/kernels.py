"""What training notes of every lane, as loops that the lab compiles for its device."""

from collections.abc import MutableSequence, Sequence

from jaipur.rules.cards import GOODS_MASK, NOBODY
from jaipur.simulation.kernels import first_index, stride
from jaipur.simulation.layout import EnvState

TURN, HIDDEN = 0, 1
"""Columns of what is noted before a move: the seat to move, and what the other hides, by good."""
BEFORE = 7
ENDED, WON, LEAD = range(3)
"""Columns of what is noted after it: whether the round ended, who won (2 for seat 0, 0 for seat 1), seat 0's lead."""
AFTER = 3


def note_before(
    first: int, last: int, lanes: Sequence[EnvState], notes: Sequence[MutableSequence[int]]
) -> None:
    """Note what is known only behind the scenes."""
    for i in range(first_index(first), last, stride()):
        lane, note = lanes[i], notes[i]
        other = 1 - lane.turn
        hidden = (lane.holdings[other] & GOODS_MASK) - lane.shown[other]
        note[TURN] = lane.turn
        for good in range(6):
            note[HIDDEN + good] = hidden >> 4 * good & 15


def note_after(
    first: int, last: int, lanes: Sequence[EnvState], notes: Sequence[MutableSequence[int]]
) -> None:
    """Note how the round ended, where it did."""
    for i in range(first_index(first), last, stride()):
        lane, note = lanes[i], notes[i]
        note[ENDED] = lane.round_ended
        note[WON] = 1 if lane.winner == NOBODY else 2 - 2 * lane.winner
        note[LEAD] = lane.score[0] - lane.score[1]


def pick(
    first: int,
    last: int,
    codes: Sequence[int],
    places: Sequence[int],
    chosen: MutableSequence[int],
) -> None:
    """Look up the codes at places; whoever has no moves left may point behind them."""
    for i in range(first_index(first), last, stride()):
        if places[i] < len(codes):
            chosen[i] = codes[places[i]]
