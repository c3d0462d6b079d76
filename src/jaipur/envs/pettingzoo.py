"""Jaipur for PettingZoo: an AEC environment with two agents that move in turn.

An observation has the features named in `simulation.FEATURES`, and a mask over the actions of `envs.actions`. The mask
is zero for the agent that is not to move. `infos[agent]["actions"]` is a short list of the legal actions. After an
illegal action the agent has lost, and `infos[agent]["illegal"]` gives the reason. PettingZoo has wrappers that check
actions too, but they are slow.
"""

from typing import Any

import numpy as np

from jaipur.envs import extra
from jaipur.envs.actions import Action
from jaipur.simulation.batch import HIGHEST_SEED, Plays
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.layout import Array

with extra("pettingzoo"):
    from gymnasium.spaces import Dict, Discrete
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv

    from jaipur.envs.core import EnvCore, make_spaces

AGENTS = ("trader_0", "trader_1")
NO_ACTIONS = np.zeros(0, np.int32)
SEATS = {agent: seat for seat, agent in enumerate(AGENTS)}


class JaipurAEC(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """The environment. An episode is a round or a whole game."""

    metadata = {"name": "jaipur", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, plays: Plays = "rounds", render_mode: str | None = None) -> None:
        super().__init__()
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.render_mode = render_mode
        self._core = EnvCore(plays)
        self._rng: np.random.Generator | None = None
        spaces = {agent: make_spaces() for agent in AGENTS}
        self.observation_spaces = {agent: observed for agent, (observed, _) in spaces.items()}
        self.action_spaces = {agent: actions for agent, (_, actions) in spaces.items()}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal the cards. Without a seed, the cards follow from the last seed that was given."""
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self._core.reset(int(self._rng.integers(HIGHEST_SEED)))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select_agent()

    def step(self, action: Action | None) -> None:
        if not self.agents:
            raise SimulationError("The game is over; call reset().")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            self._core.step(int(action))  # type: ignore[arg-type]  # None is only for agents that have ended
        except SimulationError as error:
            self.infos[agent]["illegal"] = str(error)
            self._end(self.terminations, {agent: -1.0})
            return
        if self._core.over:
            rewards = dict(zip(AGENTS, self._core.rewards(), strict=True))
            self._end(self.truncations if self._core.truncated else self.terminations, rewards)
        self._select_agent()

    def observe(self, agent: str) -> dict[str, Array]:
        return self._core.observation(SEATS[agent])

    def render(self) -> str | None:
        """Draw the view of the seat to move, as text."""
        if self.render_mode is None:
            return None
        return str(self._core.view(self._core.turn))

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _select_agent(self) -> None:
        core = self._core
        self.agent_selection = AGENTS[core.turn]
        self.infos[AGENTS[core.turn]]["actions"] = core.actions
        self.infos[AGENTS[1 - core.turn]]["actions"] = NO_ACTIONS

    def _end(self, flags: dict[str, bool], rewards: dict[str, float]) -> None:
        """Set the final rewards and end the episode for both agents. There are no rewards before the end."""
        self.rewards.update(rewards)
        self._cumulative_rewards.update(rewards)
        flags.update(dict.fromkeys(AGENTS, True))


env = JaipurAEC
