"""Perft, the number of move sequences of a given length. A changed count reveals a changed rule."""

from collections.abc import Iterator

from .listing import MOST_MOVES, list_moves
from .moves import MOVES, Move, MoveCode
from .position import Position
from .turn import carry_out


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` moves. Sequences that end the round earlier do not count."""
    if depth == 0:
        return 1
    if depth == 1:
        return list_moves(position, [0] * MOST_MOVES)
    return sum(perft(after, depth - 1) for _, after in _successors(position))


def divide(position: Position, depth: int) -> dict[Move, int]:
    """Return the perft count of each first move."""
    return {MOVES[code]: perft(after, depth - 1) for code, after in _successors(position)}


def _successors(position: Position) -> Iterator[tuple[MoveCode, Position]]:
    codes = [0] * MOST_MOVES
    for code in codes[: list_moves(position, codes)]:
        after = position.copy()
        carry_out(after, code)
        yield code, after
