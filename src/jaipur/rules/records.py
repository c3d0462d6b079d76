"""The content of a record: the deals, the moves and the result of a game. `notation` reads and writes it as text."""

from dataclasses import dataclass, field

from .cards import Seat
from .moves import Move
from .scoring import Result
from .setup import Deal
from .view import Herds

Extra = dict[str, object]


@dataclass(slots=True)
class RoundRecord:
    """One round of a record. `result` is None if the round is not finished."""

    deal: Deal
    moves: list[Move]
    result: Result | None
    extra: Extra = field(default_factory=dict)


@dataclass(slots=True)
class Record:
    """A game as it is stored. `extra` and `options_extra` are fields that the rules do not use."""

    players: tuple[str, str]
    rounds: list[RoundRecord]
    seals: tuple[int, int]
    winner: Seat | None
    herds: Herds = "open"
    options_extra: Extra = field(default_factory=dict)
    extra: Extra = field(default_factory=dict)
