"""A number for every move that some position might allow: 0 to 25,498, and the same ones for ever.

First the goods to take, then the camels, the exchanges by size, the sales. `python -m jaipur.envs.actions` prints all.
"""

from collections.abc import MutableSequence, Sequence
from functools import cache

import numpy as np

from jaipur.rules import Move, conceivable_moves
from jaipur.rules.moves import MoveCode
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.layout import Array

Action = int

ACTIONS = 25_499
"""How many there are."""


@cache
def all_moves() -> tuple[Move, ...]:
    """Every move, at the place of its number."""
    return tuple(conceivable_moves())


@cache
def codes() -> Array:
    """The code of every move, at the place of its number."""
    return np.array([move.code for move in all_moves()], np.int32)


@cache
def by_code() -> tuple[Array, Array]:
    """All codes in ascending order, and beside each the number of its move."""
    numbers = np.argsort(codes()).astype(np.int32)
    return codes()[numbers], numbers


def move_of(action: Action) -> Move:
    """The move with this number."""
    if not 0 <= action < ACTIONS:
        raise SimulationError(
            f"Actions are numbered 0 to {ACTIONS - 1}; there is no action {action}."
        )
    return all_moves()[action]


def action_of(move: Move) -> Action:
    """The number of a move."""
    ordered, numbers = by_code()
    place = int(np.searchsorted(ordered, move.code))
    if place == ACTIONS or ordered[place] != move.code:
        raise SimulationError(f"No position allows the move {move}, so it has no number.")
    return int(numbers[place])


def find(ordered: Sequence[MoveCode], code: MoveCode) -> int:
    """Where a code lies among all of them."""
    low, high = 0, ACTIONS - 1
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


def number_moves(
    listed: Sequence[MoveCode],
    moves: int,
    ordered: Sequence[MoveCode],
    numbers: Sequence[Action],
    actions: MutableSequence[Action],
) -> None:
    """Write the numbers of listed moves."""
    for move in range(moves):
        actions[move] = numbers[find(ordered, listed[move])]


if __name__ == "__main__":
    for action, move in enumerate(all_moves()):
        print(action, move)
