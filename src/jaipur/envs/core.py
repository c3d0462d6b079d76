"""The common part of the PettingZoo and Gymnasium environments: one round or game, played with action numbers."""

from collections.abc import MutableSequence

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from jaipur.envs.actions import ACTIONS, Action, by_code, codes, move_of, write_actions
from jaipur.rules import Position, Seat, View
from jaipur.rules.endings import ABANDONED
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import MoveCode
from jaipur.simulation.batch import HIGHEST_SEED, Plays
from jaipur.simulation.compiler import cpu_kernel
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.features import NO_PILE, WIDTH, observe
from jaipur.simulation.kernels import GAMES, ROUNDS, MoveBuffers, start_from_seeds, step
from jaipur.simulation.layout import (
    STATE_DTYPE,
    Array,
    Buffer,
    EnvState,
    Numbers,
    States,
    position_of,
)

NO_MOVE: MoveCode = 0


def make_spaces() -> tuple[Dict, Discrete]:
    """Return the observation space and the action space of one agent."""
    features = Box(-2.0, 2.0, (WIDTH,), np.float32)
    mask = Box(0, 1, (ACTIONS,), np.int8)
    return Dict({"observation": features, "action_mask": mask}), Discrete(ACTIONS)


class EnvCore:
    """A single environment with compiled rules. At the end, the reward is 1 for a win and -1 for a loss."""

    def __init__(self, plays: Plays = "rounds") -> None:
        if plays not in ("rounds", "games"):
            raise SimulationError(f'An environment plays "rounds" or "games", not “{plays}”.')
        self._mode = GAMES if plays == "games" else ROUNDS
        self._states = np.zeros(1, STATE_DTYPE)
        self._state = self._states[0]
        self._buffers = np.zeros((1, MOST_MOVES), np.int32)
        self._action_buffer = np.zeros(MOST_MOVES, np.int32)
        self._codes: list[MoveCode] = codes().tolist()
        self._listing = (*by_code(), self._action_buffer)
        self._reset_kernel, self._step_kernel = cpu_kernel(reset_env), cpu_kernel(step_env)
        self._observe_kernel = cpu_kernel(observe_env)
        self.turn: Seat = 0
        self.over = True
        self.actions = self._action_buffer[:0]
        """The legal actions of the seat to move. The array is empty after the end."""

    def reset(self, seed: int) -> None:
        """Start a new round or game. The same seed gives the same cards."""
        if not 0 <= seed <= HIGHEST_SEED:
            raise SimulationError("Seeds are integers from 0 to 2**63 - 1.")
        seeds = np.array([seed], np.int64)
        self._update(self._reset_kernel(self._states, self._buffers, seeds, *self._listing))

    def step(self, action: Action) -> None:
        """Play an action of the seat to move. Raise `SimulationError` if the action is illegal."""
        code = self._codes[action] if 0 <= action < ACTIONS else NO_MOVE
        status = self._step_kernel(
            self._states, self._buffers, len(self.actions), code, self._mode, *self._listing
        )
        if status < 0:
            raise SimulationError(self.why_not(action))
        self._update(status)

    def why_not(self, action: Action) -> str:
        """Return a sentence that says why an action is illegal now."""
        if self.over:
            return "The game is over; call reset()."
        move = move_of(action)
        return f"{move}: {self.position.why_not(move)}"

    @property
    def truncated(self) -> bool:
        """Whether the round reached the move limit."""
        return bool(self._state["ended"] == ABANDONED)

    def rewards(self) -> tuple[float, float]:
        """Return the rewards of both seats. They are zero before the end."""
        winner = self._state["game_winner" if self._mode == GAMES else "winner"]
        if not self.over or winner not in (0, 1):
            return 0.0, 0.0
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    @property
    def position(self) -> Position:
        return position_of(self._state)

    def view(self, seat: Seat) -> View:
        first, second = self._state["seals"].tolist()
        return self.position.view(seat, seals=(first, second))

    def observation(self, seat: Seat) -> dict[str, Array]:
        """Return the features of a seat (see `simulation.FEATURES`) and its action mask.

        If the seat is not to move, the mask is zero.
        """
        row, mask = np.zeros(WIDTH, np.float32), np.zeros(ACTIONS, np.int8)
        self._observe_kernel(self._states, seat, self.actions, row, mask)
        return {"observation": row, "action_mask": mask}

    def actions_of(self, seat: Seat) -> Array:
        return self.actions if seat == self.turn else self.actions[:0]

    def _update(self, status: int) -> None:
        count, self.turn = divmod(status, 2)
        self.actions = self._action_buffer[:count].copy()
        self.over = not count


def reset_env(
    states: States,
    buffers: MoveBuffers,
    seeds: Numbers,
    sorted_codes: Numbers,
    sorted_actions: Numbers,
    actions: Buffer,
) -> int:
    """Deal from a seed, list the actions and return the result of `list_actions`. This function is a kernel."""
    start_from_seeds(0, 1, states, buffers, seeds)
    return list_actions(states[0], buffers[0], sorted_codes, sorted_actions, actions)


def step_env(
    states: States,
    buffers: MoveBuffers,
    listed: int,
    code: MoveCode,
    mode: int,
    sorted_codes: Numbers,
    sorted_actions: Numbers,
    actions: Buffer,
) -> int:
    """Play a move, list the actions and return the result of `list_actions`, or -1 if the move is illegal.

    This function is a kernel.
    """
    for move in range(listed):
        if buffers[0][move] == code:
            step(0, 1, states, buffers, [code], mode, 0)
            return list_actions(states[0], buffers[0], sorted_codes, sorted_actions, actions)
    return -1


def list_actions(
    state: EnvState, buffer: Buffer, sorted_codes: Numbers, sorted_actions: Numbers, actions: Buffer
) -> int:
    """Write the legal actions to `actions`. Return `2 * n + seat`: n actions, and the seat to move."""
    listed = list_moves(state, buffer)
    write_actions(buffer, listed, sorted_codes, sorted_actions, actions)
    return 2 * listed + state.turn


def observe_env(
    states: States, seat: Seat, actions: Numbers, row: MutableSequence[float], mask: Buffer
) -> None:
    """Write the features of a seat to `row` and, if the seat is to move, its action mask to `mask`.

    This function is a kernel.
    """
    observe(states[0], states[0].seals, seat, NO_PILE, row)
    if states[0].turn == seat:
        for action in actions:
            mask[action] = 1
