"""NNUE-style accumulator: computes the first layer of a network for many moves, by incremental updates.

The afterstates of one position differ in few inputs. Therefore an update takes about a tenth of the time of a full
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
    """Compute the first layer for the afterstates of `moves[start:stop]`, and write it to `activations` from row 0.

    The inputs of feature f have the indices from `input_starts[f]` to `input_starts[f + 1] - 1`. The buffers
    `previous`, `levels` and `sums` keep the state of the last row: its features, the number of active inputs of each
    feature, and the sums of the weights of all active inputs. Threads must not share these buffers or `row`.
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
