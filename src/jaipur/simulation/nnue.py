"""NNUE-style accumulator: the first layer of a network over many moves, updated incrementally.

Afterstates of one position differ in few inputs, so an update of the sums takes about a tenth of the time of a full
matrix product. Weights and sums are integers, so adding and then subtracting a row leaves no rounding error.
"""

from collections.abc import MutableSequence, Sequence

from jaipur.simulation.features import WIDTH, observe_afterstate
from jaipur.simulation.kernels import first_index, stride
from jaipur.simulation.layout import Buffer, Numbers, Rows, States


def first_layer(
    start: int,
    stop: int,
    states: States,
    scratch: States,
    owners: Numbers,
    codes: Numbers,
    moves: Numbers,
    input_starts: Numbers,
    thresholds: Sequence[float],
    weights: Sequence[Numbers],
    biases: Sequence[float],
    row: MutableSequence[float],
    previous: MutableSequence[float],
    levels: Buffer,
    sums: Buffer,
    activations: Rows,
) -> None:
    """Write the first layer's activations for the afterstates of `moves[start:stop]` to the rows from 0.

    The inputs of feature f are `input_starts[f]` to `input_starts[f + 1]`; `levels[f]` of them are active in `sums`,
    which belongs to the feature row `previous`. These buffers and `row` must not be shared between threads.
    """
    for number in range(first_index(start), stop, stride()):
        move, copy = moves[number], scratch[first_index(start)]
        state = states[owners[move]]
        observe_afterstate(state, state.seals, codes[move], copy, row)
        for feature in range(WIDTH):
            if row[feature] == previous[feature]:
                continue
            previous[feature] = row[feature]
            first, end = input_starts[feature], input_starts[feature + 1]
            level = first + levels[feature]
            while level < end and row[feature] >= thresholds[level]:
                add(sums, weights[level])
                level += 1
            while level > first and row[feature] < thresholds[level - 1]:
                level -= 1
                subtract(sums, weights[level])
            levels[feature] = level - first
        relu(sums, biases, activations[number - start])


def add(sums: Buffer, weights: Numbers) -> None:
    for unit in range(len(sums)):
        sums[unit] += weights[unit]


def subtract(sums: Buffer, weights: Numbers) -> None:
    for unit in range(len(sums)):
        sums[unit] -= weights[unit]


def relu(sums: Numbers, biases: Sequence[float], activations: MutableSequence[float]) -> None:
    for unit in range(len(sums)):
        activations[unit] = max(sums[unit] + biases[unit], 0)
