"""Paired rollouts: the best moves of a position, called candidates, are played out with the same cards.

The result of a single move depends mostly on luck. Two candidates of the same position have most of this luck in
common, so the difference of their results has little noise. The hidden cards are not resampled, because the cards of
many positions already have the correct distribution.
"""

from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np

from jaipur.players.neural.network import WIN, Array, Weights
from jaipur.rules.cards import NOBODY
from jaipur.rules.endings import RUNNING
from jaipur.simulation.batch import Batch
from jaipur.training.config import PairedRolloutsConfig
from jaipur.training.evaluator import Evaluator, evaluate
from jaipur.training.loss import PairedBatch

MAX_GAP = 1.0
"""A candidate is not played out if its logit is further below the best logit than this."""
MAX_LOGIT = 4.0
"""A position counts as decided and is skipped if the absolute value of its best logit is above this."""


class PairedRollouts:
    """Plays out candidates in copies of positions. The original positions do not change."""

    def __init__(
        self, config: PairedRolloutsConfig, device: Literal["cpu", "gpu"], seed: int
    ) -> None:
        self._config = config
        self._rollouts = Evaluator(config.positions * config.moves, device, seed, auto_reset=False)
        self._rng = np.random.default_rng(seed)

    def run(self, source: Evaluator, weights: Weights) -> PairedBatch:
        """Play out candidates in a sample of the positions of `source`.

        Both seats play the best moves of the network.
        """
        batch, afterstates = source.batch, source.afterstates()
        candidates, valid = self._candidates(source, evaluate(weights, afterstates)[WIN])
        sample = self._sample(valid)
        candidates, valid = candidates[sample], valid[sample]
        rows = jax.block_until_ready(jnp.moveaxis(afterstates.columns[:, candidates], 0, -1))
        # Play the best move in place of invalid candidates. The loss ignores these results.
        moves = np.where(valid, candidates, candidates[:, :1]) - _offsets(batch)[sample, None]
        states = batch.states().take(self._repeated(sample))
        self._rollouts.batch.load_states(states)
        seeds = self._rng.integers(2**62, size=len(sample))
        self._rollouts.batch.reshuffle(self._repeated(seeds))
        win = self._play_out(states["turn"], moves.ravel(), weights).reshape(valid.shape)
        return PairedBatch(rows, jnp.asarray(win, jnp.float32), jnp.asarray(valid))

    def _repeated(self, numbers: Array) -> Array:
        return np.repeat(numbers, self._config.moves)

    def _candidates(self, source: Evaluator, logits: Array) -> tuple[Array, Array]:
        """Find the best moves of every environment. Return their indices, best first, and a mask.

        The mask is false for a move that is too far behind the best one, and for all moves of a decided position.
        """
        indices, values = [], []
        for _ in range(self._config.moves):
            (best,) = source.argmax(logits)
            indices.append(np.asarray(best))
            values.append(np.asarray(logits[best]))
            logits = logits.at[best].set(-jnp.inf)
        logits = np.array(values).T
        best = logits[:, :1]
        return np.array(indices).T, (logits >= best - MAX_GAP) & (abs(best) <= MAX_LOGIT)

    def _sample(self, valid: Array) -> Array:
        """Choose random environments with at least two valid candidates. If there are none, choose from all."""
        eligible = np.flatnonzero(valid[:, :2].all(1))
        if not len(eligible):
            eligible = np.arange(len(valid))
        positions = self._config.positions
        return self._rng.choice(eligible, positions, replace=len(eligible) < positions)

    def _play_out(self, seats: Array, moves: Array, weights: Weights) -> Array:
        """Play out one move per environment, and return the resulting win probabilities of `seats`.

        A move is an index into the list of legal moves of its environment.
        """
        rollouts = self._rollouts
        indices = jnp.asarray(_offsets(rollouts.batch) + moves)
        for _ in range(self._config.plies):
            rollouts.play(indices)
            logits = evaluate(weights, rollouts.afterstates())[WIN]
            (indices,) = rollouts.argmax(logits)
        value = np.asarray(jax.nn.sigmoid(logits[indices]))
        after = rollouts.batch.states()
        value = np.where(after["turn"] == seats, value, 1 - value)
        result = np.where(after["winner"] == NOBODY, 0.5, after["winner"] == seats)
        return np.where(after["ended"] == RUNNING, value, result)


def _offsets(batch: Batch) -> Array:
    """Return, for every environment, the index of its first move in the list of all moves."""
    return batch.device.to_host(batch.moves().offsets)[:-1]
