"""Perft: the number of move sequences of a given length. The counts detect unintended changes of the rules."""

from .listing import MOST_MOVES, list_moves
from .moves import MOVES, Move
from .position import Position
from .turn import carry_out


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of exactly this length. Rounds that end sooner are not counted."""
    if depth == 0:
        return 1
    codes = [0] * MOST_MOVES
    moves = list_moves(position, codes)
    if depth == 1:
        return moves
    total = 0
    for code in codes[:moves]:
        after = position.copy()
        carry_out(after, code)
        total += perft(after, depth - 1)
    return total


def divide(position: Position, depth: int) -> dict[Move, int]:
    """The perft count of each first move."""
    codes = [0] * MOST_MOVES
    division = {}
    for code in codes[: list_moves(position, codes)]:
        after = position.copy()
        carry_out(after, code)
        division[MOVES[code]] = perft(after, depth - 1)
    return division
