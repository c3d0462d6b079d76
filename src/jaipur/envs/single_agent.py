"""One round or game at a time, by action numbers: what the adapters to other frameworks have in common."""

from collections.abc import MutableSequence, Sequence

import numpy as np

from jaipur.envs.actions import ACTIONS, Action, by_code, codes, move_of, number_moves
from jaipur.rules import Position, Seat, View
from jaipur.rules.endings import ABANDONED
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import MoveCode
from jaipur.simulation import kernels as loops
from jaipur.simulation.batch import HIGHEST_SEED, Plays
from jaipur.simulation.compiler import cpu_kernel
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.features import NO_PILE, WIDTH, observe
from jaipur.simulation.kernels import MoveBuffers, start_from_seeds, step
from jaipur.simulation.layout import STATE_DTYPE, Array, EnvState, position_of

NO_MOVE: MoveCode = 0


class Solo:
    """A lane of its own. Whoever wins is paid 1 at the end, whoever loses -1."""

    def __init__(self, plays: Plays = "rounds") -> None:
        if plays not in ("rounds", "games"):
            raise SimulationError(f'What is played is "rounds" or "games", not “{plays}”.')
        self._plays = loops.GAMES if plays == "games" else loops.ROUNDS
        self._lanes = np.zeros(1, STATE_DTYPE)
        self._lane = self._lanes[0]
        self._rows = np.zeros((1, MOST_MOVES), np.int32)
        self._room = np.zeros(MOST_MOVES, np.int32)
        self._codes: list[MoveCode] = codes().tolist()
        self._by_code = by_code()
        self._begin, self._advance = cpu_kernel(begin), cpu_kernel(advance)
        self._look_at = cpu_kernel(look_at)
        self.turn: Seat = 0
        self.over = True
        self.actions = self._room[:0]
        """What the seat to move may do; nothing when it is over."""

    def reset(self, seed: int) -> None:
        """Begin anew; a seed gives the same cards for ever."""
        if not 0 <= seed <= HIGHEST_SEED:
            raise SimulationError("Seeds are whole numbers from 0 to 2**63 - 1.")
        seeds = np.array([seed], np.int64)
        self._look(self._begin(self._lanes, self._rows, seeds, *self._by_code, self._room))

    def step(self, action: Action) -> None:
        """Play an action of the seat to move."""
        code = self._codes[action] if 0 <= action < ACTIONS else NO_MOVE
        seen = self._advance(
            self._lanes,
            self._rows,
            len(self.actions),
            code,
            self._plays,
            *self._by_code,
            self._room,
        )
        if seen < 0:
            raise SimulationError(self.why_not(action))
        self._look(seen)

    def why_not(self, action: Action) -> str:
        """The reason for which an action cannot be played now."""
        if self.over:
            return "It is over; reset() begins anew."
        move = move_of(action)
        return f"{move}: {self.position.why_not(move)}"

    @property
    def given_up(self) -> bool:
        """Whether it was broken off because it lasted too long."""
        return bool(self._lane["ended"] == ABANDONED)

    def rewards(self) -> tuple[float, float]:
        """By seat; nothing before the end."""
        won = self._lane["game_winner" if self._plays == loops.GAMES else "winner"]
        if not self.over or won not in (0, 1):
            return 0.0, 0.0
        return (1.0, -1.0) if won == 0 else (-1.0, 1.0)

    @property
    def position(self) -> Position:
        return position_of(self._lane)

    def view(self, seat: Seat) -> View:
        first, second = self._lane["seals"].tolist()
        return self.position.view(seat, seals=(first, second))

    def observation(self, seat: Seat) -> dict[str, Array]:
        """The features that `lab.FEATURES` names, and a mask of the actions: none while the other is to move."""
        row, mask = np.zeros(WIDTH, np.float32), np.zeros(ACTIONS, np.int8)
        self._look_at(self._lanes, seat, self.actions, row, mask)
        return {"observation": row, "action_mask": mask}

    def actions_of(self, seat: Seat) -> Array:
        return self.actions if seat == self.turn else self.actions[:0]

    def _look(self, seen: int) -> None:
        listed, self.turn = divmod(seen, 2)
        self.actions = self._room[:listed].copy()
        self.over = not listed


def begin(
    lanes: Sequence[EnvState],
    rows: MoveBuffers,
    seeds: Sequence[int],
    ordered: Sequence[MoveCode],
    numbers: Sequence[Action],
    actions: MutableSequence[Action],
) -> int:
    """Begin anew and look what may be done."""
    start_from_seeds(0, 1, lanes, rows, seeds)
    return look(lanes[0], rows[0], ordered, numbers, actions)


def advance(
    lanes: Sequence[EnvState],
    rows: MoveBuffers,
    listed: int,
    code: MoveCode,
    plays: int,
    ordered: Sequence[MoveCode],
    numbers: Sequence[Action],
    actions: MutableSequence[Action],
) -> int:
    """Play a move and look what may be done then; -1 where the move is not on the list."""
    for move in range(listed):
        if rows[0][move] == code:
            step(0, 1, lanes, rows, [code], plays, 0)
            return look(lanes[0], rows[0], ordered, numbers, actions)
    return -1


def look(
    lane: EnvState,
    row: MutableSequence[MoveCode],
    ordered: Sequence[MoveCode],
    numbers: Sequence[Action],
    actions: MutableSequence[Action],
) -> int:
    """Write what may be done, and say how much that is and who does it, as `2 * actions + seat`."""
    listed = list_moves(lane, row)
    number_moves(row, listed, ordered, numbers, actions)
    return 2 * listed + lane.turn


def look_at(
    lanes: Sequence[EnvState],
    seat: Seat,
    actions: Sequence[Action],
    row: MutableSequence[float],
    mask: MutableSequence[int],
) -> None:
    """Write what a seat knows and, where it is to move, what it may do."""
    observe(lanes[0], lanes[0].seals, seat, NO_PILE, row)
    if lanes[0].turn == seat:
        for action in actions:
            mask[action] = 1
