"""The memory layout of one batch entry: the fields of a position, then the fields of the game, its results and the rng.

The functions of the rules access fields by name. They therefore work both on these records and on a `Position`.
"""

from collections.abc import MutableSequence, Sequence
from typing import Any

import numpy as np

from jaipur.rules.cards import NOBODY, Rupees, Seat
from jaipur.rules.position import Position
from jaipur.rules.setup import Deal, bonus_row

Array = np.ndarray[Any, np.dtype[Any]]
DeviceArray = Any
"""A NumPy array, or an array in GPU memory."""

LAYOUT_VERSION = 3
"""The version of this layout and of the features."""

POSITION_FIELDS = Position.__slots__

STATE_DTYPE = np.dtype(
    [
        # The position, as in `rules.position`.
        ("bonuses", np.int64, 2),
        ("market", np.int32),
        ("discard", np.int32),
        ("holdings", np.int32, 2),
        ("shown", np.int32, 2),
        ("goods_tokens", np.int32, 2),
        ("rupees", np.int16, 2),
        ("moves_played", np.int16),
        ("starter", np.int8),
        ("turn", np.int8),
        ("ended", np.int8),
        ("drawn", np.int8),
        ("discard_top", np.int8),
        ("bonus_taken", np.int8, 3),
        ("tokens_taken", np.int8, 6),
        ("bonus", np.int8, 21),
        ("deck", np.int8, 40),
        # The running game.
        ("seals", np.int8, 2),
        # Whether the last step ended a round or a game, and the result of the last round that ended.
        ("round_ended", np.int8),
        ("game_ended", np.int8),
        ("winner", np.int8),
        ("game_winner", np.int8),
        ("score", np.int16, 2),
        ("length", np.int16),
        ("ending", np.int8),
        # Totals since the last reset.
        ("rounds", np.int32),
        ("moves", np.int64),
        ("checksum", np.int64),
        # The state of the random number generator.
        ("rng", np.int64, 4),
    ],
    align=True,
)


class EnvState(Position):
    """The type of a batch entry, for type checkers and plain Python. Compiled code uses records of `STATE_DTYPE`."""

    seals: list[int]
    round_ended: int
    game_ended: int
    winner: Seat
    game_winner: Seat
    score: list[Rupees]
    length: int
    ending: int
    rounds: int
    moves: int
    checksum: int
    rng: list[int]


# The types of kernel arguments, in this order: records, arrays to read, arrays to write, tables to write.
States = Sequence[EnvState]
Numbers = Sequence[int]
Buffer = MutableSequence[int]
Rows = Sequence[MutableSequence[float]]


def record_of(position: Position) -> np.void:
    """Return a new batch entry, a record of `STATE_DTYPE`, with this position."""
    record: np.void = np.zeros(1, STATE_DTYPE)[0]
    for name in POSITION_FIELDS:
        record[name] = getattr(position, name)
    record["winner"] = record["game_winner"] = NOBODY
    return record


def state_of(record: np.void) -> EnvState:
    """Convert a batch entry to a Python object, for kernels that are not compiled."""
    state = EnvState()
    for name in STATE_DTYPE.names or ():
        setattr(state, name, record[name].tolist())
    return state


def position_of(record: np.void) -> Position:
    """Return the position of a batch entry."""
    position = Position()
    for name in POSITION_FIELDS:
        setattr(position, name, record[name].tolist())
    return position


def deal_arrays(deals: Sequence[Deal]) -> tuple[Array, Array, Array]:
    """Return three arrays with one row per deal: the packs, the bonus piles and the starting seats."""
    return (
        np.array([deal.pack for deal in deals], np.int8),
        np.array([bonus_row(deal.bonus) for deal in deals], np.int8),
        np.array([deal.starts for deal in deals], np.int8),
    )
