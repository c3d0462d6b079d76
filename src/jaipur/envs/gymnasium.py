"""Jaipur for Gymnasium: one seat learns, the other is taken by any of our players.

`gymnasium.make("jaipur.envs.gymnasium:Jaipur-v1")` makes one. Observations and actions are those of `pettingzoo`. An
action that is not legal loses, and `info["illegal"]` says why.
"""

from random import Random
from typing import Any

import numpy as np

from jaipur.envs import extra
from jaipur.envs.actions import Action, action_of
from jaipur.envs.single_agent import Solo
from jaipur.players import NO_BUDGET, Budget, player_named
from jaipur.rules import Seat
from jaipur.simulation.batch import HIGHEST_SEED, Plays
from jaipur.simulation.layout import Array

with extra("gymnasium"):
    import gymnasium

    from jaipur.envs.spaces import spaces

Observation = dict[str, Array]


class JaipurEnv(gymnasium.Env[Observation, np.int64]):
    """A round, or a game to two seals, against a player by name; the own seat is drawn unless it is given."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # as Gymnasium has it

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
        self.observation_space, self.action_space = spaces()
        self.render_mode = render_mode
        self._other = player_named(against)
        self._budget = budget
        self._solo = Solo(plays)
        self._own_seat = seat
        self.seat: Seat = seat or 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        chance = self.np_random
        self._solo.reset(int(chance.integers(HIGHEST_SEED)))
        self._rng = Random(int(chance.integers(HIGHEST_SEED)))
        self.seat = int(chance.integers(2)) if self._own_seat is None else self._own_seat
        self._answer()
        return self._solo.observation(self.seat), self._info()

    def step(
        self, action: np.int64 | Action
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        solo = self._solo
        if action not in solo.actions:
            illegal = self._info() | {"illegal": solo.why_not(int(action))}
            return solo.observation(self.seat), -1.0, True, False, illegal
        solo.step(int(action))
        self._answer()
        reward = solo.rewards()[self.seat]
        return (
            solo.observation(self.seat),
            reward,
            solo.over and not solo.given_up,
            solo.given_up,
            self._info(),
        )

    def action_masks(self) -> Array:
        """The mask alone, as learners that know of masks ask for it."""
        return self._solo.observation(self.seat)["action_mask"]

    def render(self) -> str | None:
        return None if self.render_mode is None else str(self._solo.view(self.seat))

    def close(self) -> None:
        self._other.close()

    def _info(self) -> dict[str, Any]:
        return {"actions": self._solo.actions_of(self.seat).copy()}

    def _answer(self) -> None:
        """Let the other seat play until it is the learner's turn."""
        solo = self._solo
        while not solo.over and solo.turn != self.seat:
            view, moves = solo.view(solo.turn), solo.position.legal_moves()
            move = self._other.choose(view, moves, self._rng, self._budget)
            solo.step(action_of(move))


gymnasium.register("Jaipur-v1", f"{__name__}:{JaipurEnv.__name__}")
