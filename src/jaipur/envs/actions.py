"""Action numbers. Every move that is legal in at least one position has a number from 0 to 25,498.

The numbers never change. Their order is: take one good, take the camels, exchanges by number of cards, sales. The
command `python -m jaipur.envs.actions` prints all actions.
"""

from functools import cache

import numpy as np

from jaipur.rules import Move
from jaipur.rules.moves import MoveCode, conceivable_moves
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.layout import Array, Buffer, Numbers

Action = int

ACTIONS = 25_499


@cache
def all_moves() -> tuple[Move, ...]:
    """Return all moves, indexed by action."""
    return tuple(conceivable_moves())


@cache
def codes() -> Array:
    """Return the move codes, indexed by action."""
    return np.array([move.code for move in all_moves()], np.int32)


@cache
def by_code() -> tuple[Array, Array]:
    """Return all move codes in ascending order, and the action number of each code."""
    actions = np.argsort(codes()).astype(np.int32)
    return codes()[actions], actions


def move_of(action: Action) -> Move:
    if not 0 <= action < ACTIONS:
        raise SimulationError(f"Actions go from 0 to {ACTIONS - 1}; there is no action {action}.")
    return all_moves()[action]


def action_of(move: Move) -> Action:
    sorted_codes, actions = by_code()
    index = int(np.searchsorted(sorted_codes, move.code))
    if index == ACTIONS or sorted_codes[index] != move.code:
        raise SimulationError(f"No position allows the move {move}, so it has no action number.")
    return int(actions[index])


def find(sorted_codes: Numbers, code: MoveCode) -> int:
    """Find the index of a code by binary search. Numba compiles this function."""
    low, high = 0, ACTIONS - 1
    while low < high:
        middle = (low + high) // 2
        if sorted_codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


def write_actions(
    listed: Numbers, moves: int, sorted_codes: Numbers, sorted_actions: Numbers, actions: Buffer
) -> None:
    """Write the action numbers of the first `moves` codes in `listed` to `actions`. Numba compiles this function."""
    for move in range(moves):
        actions[move] = sorted_actions[find(sorted_codes, listed[move])]


if __name__ == "__main__":
    for action, move in enumerate(all_moves()):
        print(action, move)
