"""How a lane of a batch lies in memory: the fields of a position, and beside them what goes on in the lane.

The rule functions work on a lane as on a position, since they ask for fields by name. `LAYOUT` changes with them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaipur.rules.cards import NOBODY, Rupees, Seat
from jaipur.rules.position import Position
from jaipur.rules.setup import Deal, bonus_row

Array = np.ndarray[Any, np.dtype[Any]]
DeviceArray = Any
"""An array where its device has it: NumPy's, or one in a GPU's memory."""

LAYOUT = 3
"""The version of this layout and of the features."""

POSITION_FIELDS = Position.__slots__

LANE = np.dtype(
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
        # The game in this lane.
        ("seals", np.int8, 2),
        # The last step: whether it ended a round or a game, and how that round ended.
        ("round_ended", np.int8),
        ("game_ended", np.int8),
        ("winner", np.int8),
        ("game_winner", np.int8),
        ("score", np.int16, 2),
        ("length", np.int16),
        ("ending", np.int8),
        # Counted since the seed was set.
        ("rounds", np.int32),
        ("moves", np.int64),
        ("checksum", np.int64),
        # The state of the lane's own generator.
        ("chance", np.int64, 4),
    ],
    align=True,
)


class Lane(Position):
    """A lane as functions see it; at run time it is a record of `LANE`."""

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
    chance: list[int]


def record_of(position: Position) -> np.void:
    """A lane with this position."""
    record: np.void = np.zeros(1, LANE)[0]
    for name in POSITION_FIELDS:
        record[name] = getattr(position, name)
    record["winner"] = record["game_winner"] = NOBODY
    return record


def lane_of(record: np.void) -> Lane:
    """The lane as an object that Python works on."""
    lane = Lane()
    for name in LANE.names or ():
        setattr(lane, name, record[name].tolist())
    return lane


def position_of(record: np.void) -> Position:
    """The position of a lane."""
    position = Position()
    for name in POSITION_FIELDS:
        setattr(position, name, record[name].tolist())
    return position


def arrays_of(deals: Sequence[Deal]) -> tuple[Array, Array, Array]:
    """Packs, bonus piles and starters of deals, a row each."""
    return (
        np.array([deal.pack for deal in deals], np.int8),
        np.array([bonus_row(deal.bonus) for deal in deals], np.int8),
        np.array([deal.starts for deal in deals], np.int8),
    )
