"""Jaipur for Gymnasium: the agent plays one seat, and a player of this package plays the other seat.

Create the environment with `gymnasium.make("jaipur.envs.gymnasium:Jaipur-v1")`. Observations and actions are the same
as in the PettingZoo environment. After an illegal action the agent has lost, and `info["illegal"]` gives the reason.
"""

from random import Random
from typing import Any

import numpy as np

from jaipur.envs import extra
from jaipur.envs.actions import Action, action_of
from jaipur.players import NO_BUDGET, Budget, player_named
from jaipur.rules import Seat
from jaipur.simulation.batch import HIGHEST_SEED, Plays
from jaipur.simulation.layout import Array

with extra("gymnasium"):
    import gymnasium

    from jaipur.envs.core import EnvCore, make_spaces

Observation = dict[str, Array]


class JaipurEnv(gymnasium.Env[Observation, np.int64]):
    """A round or a whole game against the player `against`. If `seat` is None, the agent gets a random seat."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # as Gymnasium defines it

    def __init__(
        self,
        against: str = "merchant",
        *,
        plays: Plays = "rounds",
        seat: Seat | None = None,
        budget: Budget = NO_BUDGET,
        render_mode: str | None = None,
    ) -> None:
        self.observation_space: Any
        self.observation_space, self.action_space = make_spaces()
        self.render_mode = render_mode
        self._opponent = player_named(against)
        self._budget = budget
        self._core = EnvCore(plays)
        self._fixed_seat = seat
        self.seat: Seat = seat or 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        rng = self.np_random
        self._core.reset(int(rng.integers(HIGHEST_SEED)))
        self._opponent_rng = Random(int(rng.integers(HIGHEST_SEED)))
        self.seat = int(rng.integers(2)) if self._fixed_seat is None else self._fixed_seat
        self._play_opponent()
        return self._core.observation(self.seat), self._info()

    def step(
        self, action: np.int64 | Action
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        core = self._core
        if action not in core.actions:
            info = self._info() | {"illegal": core.why_not(int(action))}
            return core.observation(self.seat), -1.0, True, False, info
        core.step(int(action))
        self._play_opponent()
        reward = core.rewards()[self.seat]
        terminated = core.over and not core.truncated
        return core.observation(self.seat), reward, terminated, core.truncated, self._info()

    def action_masks(self) -> Array:
        """Return the action mask alone. Some libraries call this method, for example MaskablePPO of sb3-contrib."""
        return self._core.observation(self.seat)["action_mask"]

    def render(self) -> str | None:
        return None if self.render_mode is None else str(self._core.view(self.seat))

    def close(self) -> None:
        self._opponent.close()

    def _info(self) -> dict[str, Any]:
        return {"actions": self._core.actions_of(self.seat).copy()}

    def _play_opponent(self) -> None:
        """Play the opponent's moves until it is the agent's turn."""
        core = self._core
        while not core.over and core.turn != self.seat:
            view, moves = core.view(core.turn), core.position.legal_moves()
            move = self._opponent.choose(view, moves, self._opponent_rng, self._budget)
            core.step(action_of(move))


gymnasium.register("Jaipur-v1", f"{__name__}:{JaipurEnv.__name__}")
