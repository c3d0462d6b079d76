"""A network's first layer over many moves, compiled: only what differs from one move to the next is added.

Moves of one position leave much the same, so this takes a tenth of what the whole product takes. The weights are whole
numbers, and so are the sums: adding and taking away again leaves no trace.
"""

from collections.abc import MutableSequence, Sequence

from jaipur.rules.moves import Code
from jaipur.simulation.features import WIDTH, observe_after
from jaipur.simulation.kernels import first_lane, stride
from jaipur.simulation.layout import Lane


def read_moves(
    first: int,
    last: int,
    lanes: Sequence[Lane],
    copies: Sequence[Lane],
    owners: Sequence[int],
    codes: Sequence[Code],
    places: Sequence[int],
    starts: Sequence[int],
    thresholds: Sequence[float],
    weights: Sequence[Sequence[int]],
    biases: Sequence[float],
    row: MutableSequence[float],
    before: MutableSequence[float],
    levels: MutableSequence[int],
    sums: MutableSequence[int],
    units: Sequence[MutableSequence[float]],
) -> None:
    """Write the first layer's units after each of the moves at some places.

    The inputs of a feature are those from its number in `starts` up to the next one's; `levels` says how many of them
    are reached in `sums`, which is of the row `before`. A thread needs these and `row` of its own.
    """
    for number in range(first_lane(first), last, stride()):
        move, copy = places[number], copies[first_lane(first)]
        lane = lanes[owners[move]]
        observe_after(lane, lane.seals, codes[move], copy, row)
        for feature in range(WIDTH):
            if row[feature] == before[feature]:
                continue
            before[feature] = row[feature]
            start, end = starts[feature], starts[feature + 1]
            level = start + levels[feature]
            while level < end and row[feature] >= thresholds[level]:
                add(sums, weights[level])
                level += 1
            while level > start and row[feature] < thresholds[level - 1]:
                level -= 1
                take_away(sums, weights[level])
            levels[feature] = level - start
        rectify(sums, biases, units[number - first])


def add(sums: MutableSequence[int], weights: Sequence[int]) -> None:
    for unit in range(len(sums)):
        sums[unit] += weights[unit]


def take_away(sums: MutableSequence[int], weights: Sequence[int]) -> None:
    for unit in range(len(sums)):
        sums[unit] -= weights[unit]


def rectify(sums: Sequence[int], biases: Sequence[float], units: MutableSequence[float]) -> None:
    """Nothing below zero."""
    for unit in range(len(sums)):
        units[unit] = max(sums[unit] + biases[unit], 0)
