"""Jaipur for PettingZoo: two agents that move in turn.

An observation is the row of features that `lab.FEATURES` names, and a mask over the actions of `lab.actions` that is
empty while the other is to move. The same actions are in `infos[agent]["actions"]`, without the wide mask. Whoever does
what is not legal loses, and `infos[agent]["illegal"]` says why; PettingZoo's wrappers do no more, and cost much more.
"""

from typing import Any

import numpy as np

from jaipur.envs import extra
from jaipur.envs.actions import Action
from jaipur.envs.single_agent import Solo
from jaipur.simulation.batch import HIGHEST_SEED, Plays
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.layout import Array

with extra("pettingzoo"):
    from gymnasium.spaces import Dict, Discrete
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv

    from jaipur.envs.spaces import spaces

AGENTS = ("trader_0", "trader_1")
NOTHING = np.zeros(0, np.int32)
SEATS = {agent: seat for seat, agent in enumerate(AGENTS)}


class JaipurAEC(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Rounds, or games to two seals."""

    metadata = {"name": "jaipur", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, plays: Plays = "rounds", render_mode: str | None = None) -> None:
        super().__init__()
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.render_mode = render_mode
        self._solo = Solo(plays)
        self._chance: np.random.Generator | None = None
        spaces_of = {agent: spaces() for agent in AGENTS}
        self.observation_spaces = {agent: seen for agent, (seen, _) in spaces_of.items()}
        self.action_spaces = {agent: played for agent, (_, played) in spaces_of.items()}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal. With a seed the cards are the same again; without one they follow from the seed given last."""
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)
        self._solo.reset(int(self._chance.integers(HIGHEST_SEED)))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._next()

    def step(self, action: Action | None) -> None:
        if not self.agents:
            raise SimulationError("Nobody is to move; reset() begins anew.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            self._solo.step(int(action))  # type: ignore[arg-type]  # None is only for agents that have ended
        except SimulationError as reason:
            self.infos[agent]["illegal"] = str(reason)
            self._end(self.terminations, {agent: -1.0})
            return
        if self._solo.over:
            paid = dict(zip(AGENTS, self._solo.rewards(), strict=True))
            self._end(self.truncations if self._solo.given_up else self.terminations, paid)
        self._next()

    def observe(self, agent: str) -> dict[str, Array]:
        return self._solo.observation(SEATS[agent])

    def render(self) -> str | None:
        """The table as the seat to move sees it."""
        if self.render_mode is None:
            return None
        return str(self._solo.view(self._solo.turn))

    def close(self) -> None:
        """There is nothing to close."""

    def _next(self) -> None:
        solo = self._solo
        self.agent_selection = AGENTS[solo.turn]
        self.infos[AGENTS[solo.turn]]["actions"] = solo.actions
        self.infos[AGENTS[1 - solo.turn]]["actions"] = NOTHING

    def _end(self, ended: dict[str, bool], paid: dict[str, float]) -> None:
        """Nothing is paid before the end, so that there is nothing to add up until then."""
        self.rewards.update(paid)
        self._cumulative_rewards.update(paid)
        ended.update(dict.fromkeys(AGENTS, True))


env = JaipurAEC
