"""Self-play: plays trajectories with exploration, and computes TD(λ) targets for them.

The value of a move is one minus the value of the reply. If the reply was an exploring move, the value of the greedy
reply is used instead. Against a fixed rival, the learner has one seat in every environment and learns only from its own
moves. The moves of the rival count as part of the environment.
"""

from functools import partial
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp

from jaipur.players.neural.network import LEAD, LEAD_SCALE, WIN, Array, Weights
from jaipur.simulation.features import WIDTH
from jaipur.training import kernels
from jaipur.training.config import SelfPlayConfig, interpolate
from jaipur.training.evaluator import Evaluator, evaluate
from jaipur.training.loss import TrainingBatch


class Trajectory(NamedTuple):
    """The moves of all environments. The first two dimensions of every array are steps and environments."""

    rows: Array
    """The features after the move."""
    hidden: Array
    """The opponent's hidden cards before the move, by good."""
    win: Array
    """The predicted win probability of the greedy move."""
    lead: Array
    """The predicted lead of the greedy move, in rupees."""
    greedy: Array
    """Whether the move is the greedy move, or has the same value as the greedy move."""
    own: Array
    """Whether the learner made the move. Otherwise the rival made it."""
    ended: Array
    """Whether the move ended the round."""
    won: Array
    """If the round ended: the result for the seat that moved, from 0 (loss) to 1 (win)."""
    scored: Array
    """If the round ended: the final lead of the seat that moved, in rupees."""


class SelfPlay:
    """Plays rounds in parallel environments. Unfinished rounds continue in the next iteration."""

    def __init__(
        self,
        config: SelfPlayConfig,
        device: Literal["cpu", "gpu"],
        seed: int,
        rival: Weights | None = None,
    ) -> None:
        self._config, self._rival = config, rival
        self.evaluator = Evaluator(config.environments, device, seed, auto_reset=True)
        self._key = jax.random.key(seed)
        self._trajectory = _empty_trajectory(config.steps, config.environments)

    def generate(self, weights: Weights, progress: float) -> tuple[TrainingBatch, int]:
        """Play `steps` moves in every environment. Return the training batch and the number of finished rounds."""
        config, evaluator = self._config, self.evaluator
        temperature = interpolate(config.temperature, progress)
        exploration = interpolate(config.exploration, progress)
        trajectory = self._trajectory
        for step in range(config.steps):
            afterstates = evaluator.afterstates()
            win, lead = _values(evaluate(weights, afterstates))
            self._key, noise_key, choice_key = jax.random.split(self._key, 3)
            greedy, sampled = evaluator.argmax(win, _with_noise(win, noise_key, temperature))
            explores = jax.random.bernoulli(choice_key, exploration, (config.environments,))
            indices = jnp.where(explores, sampled, greedy)
            before = evaluator.before()
            own = self._own(before)
            if self._rival is not None:
                (replies,) = evaluator.argmax(evaluate(self._rival, afterstates)[WIN])
                indices = jnp.where(own, indices, replies)
            after = evaluator.play(indices)
            trajectory = _append(
                trajectory,
                step,
                afterstates.columns,
                win,
                lead,
                greedy,
                indices,
                own,
                before,
                after,
            )
            jax.block_until_ready(trajectory)
        win, lead = _values(evaluate(weights, evaluator.afterstates()))
        (greedy,) = evaluator.argmax(win)
        td_lambda = interpolate(config.td_lambda, progress)
        batch, rounds = td_targets(trajectory, win[greedy], lead[greedy], td_lambda)
        self._trajectory = trajectory
        return batch, int(rounds)

    def _own(self, before: Array) -> Array:
        """Return, for each environment, whether the learner is to move.

        Without a rival, the learner makes all moves. With a rival, the learner has seat 0 in environments with an even
        number and seat 1 in the others.
        """
        if self._rival is None:
            return jnp.ones(self._config.environments, bool)
        return before[:, kernels.TURN] == jnp.arange(self._config.environments) % 2


@jax.jit
def _values(outputs: Array) -> tuple[Array, Array]:
    return jax.nn.sigmoid(outputs[WIN]), outputs[LEAD] * LEAD_SCALE


def _empty_trajectory(steps: int, environments: int) -> Trajectory:
    numbers = jnp.zeros((steps, environments), jnp.float32)
    flags = jnp.zeros((steps, environments), bool)
    return Trajectory(
        rows=jnp.zeros((steps, environments, WIDTH), jnp.float32),
        hidden=jnp.zeros((steps, environments, 6), jnp.int8),
        win=numbers,
        lead=numbers.copy(),
        greedy=flags,
        own=flags.copy(),
        ended=flags.copy(),
        won=numbers.copy(),
        scored=numbers.copy(),
    )


@jax.jit
def _with_noise(values: Array, key: Array, temperature: Array) -> Array:
    """Add Gumbel noise. The argmax of the result is a sample from the softmax of the values at this temperature."""
    return values + temperature * jax.random.gumbel(key, values.shape)


@partial(jax.jit, donate_argnums=0)
def _append(
    trajectory: Trajectory,
    step: Array,
    columns: Array,
    win: Array,
    lead: Array,
    greedy: Array,
    indices: Array,
    own: Array,
    before: Array,
    after: Array,
) -> Trajectory:
    """Write one move of every environment into the trajectory."""
    by_seat_0 = before[:, kernels.TURN] == 0
    won = after[:, kernels.WON] / 2
    scored = after[:, kernels.LEAD].astype(jnp.float32)
    row = Trajectory(
        rows=columns[:, indices].T,
        hidden=before[:, kernels.HIDDEN :],
        win=win[greedy],
        lead=lead[greedy],
        greedy=win[greedy] <= win[indices],
        own=own,
        ended=after[:, kernels.ENDED] == 1,
        won=jnp.where(by_seat_0, won, 1 - won),
        scored=jnp.where(by_seat_0, scored, -scored),
    )
    return Trajectory(
        *(
            whole.at[step].set(part.astype(whole.dtype))
            for whole, part in zip(trajectory, row, strict=True)
        )
    )


@jax.jit
def td_targets(
    trajectory: Trajectory, win: Array, lead: Array, td_lambda: Array
) -> tuple[TrainingBatch, Array]:
    """Return the TD(λ) targets of all moves, and the number of finished rounds.

    `win` and `lead` are the values of the greedy move in the position after the last step.
    """

    def one(reply: tuple[Array, Array], move: Trajectory) -> tuple[tuple[Array, Array], Any]:
        won = jnp.where(move.ended, move.won, 1 - reply[0])
        scored = jnp.where(move.ended, move.scored, -reply[1])
        trace = jnp.where(move.own, jnp.where(move.greedy, td_lambda, 0.0), 1.0)
        value = ((1 - trace) * move.win + trace * won, (1 - trace) * move.lead + trace * scored)
        return value, (won, scored)

    slim = trajectory._replace(rows=trajectory.win, hidden=trajectory.win)  # not used by the scan
    _, (won, scored) = jax.lax.scan(one, (win, lead), slim, reverse=True)
    batch = TrainingBatch(
        rows=trajectory.rows.reshape(-1, WIDTH),
        win=won.reshape(-1),
        lead=scored.reshape(-1),
        hidden=trajectory.hidden.reshape(-1, 6),
        own=trajectory.own.reshape(-1),
    )
    return batch, trajectory.ended.sum()
