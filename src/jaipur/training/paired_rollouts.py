"""Trials: the likeliest moves of a position tried on the same cards, to learn how they differ.

What comes of a single move is luck for the most part, and of two moves of one position much the same luck. What
remains is what matters to whoever has to choose. Hands stay as they are: over many positions the hidden ones are as
likely as they really are, whatever anybody believes of them.
"""

from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from jaipur.players.neural.network import WIN, Weights
from jaipur.rules.cards import NOBODY
from jaipur.rules.endings import RUNNING
from jaipur.simulation.batch import Batch
from jaipur.training.config import Trying
from jaipur.training.evaluator import Lookout, appraise
from jaipur.training.learner import Trial

Array = Any

NEAR = 1.0
"""How far behind the best, in logits, a move may look and still be tried."""
OPEN = 4.0
"""Rounds that look further decided, in logits, are not asked."""


class Trials:
    """Tries moves out at positions of other lanes, which stay as they are."""

    def __init__(self, trying: Trying, device: Literal["cpu", "gpu"], seed: int) -> None:
        self._trying = trying
        self._worlds = Lookout(trying.positions * trying.moves, device, seed, auto_reset=False)
        self._rng = np.random.default_rng(seed)

    def at(self, lookout: Lookout, weights: Weights) -> Trial:
        """What comes of the likeliest moves in some of these lanes, both seats playing on as the network says."""
        batch, look = lookout.batch, lookout.look()
        places, tried = self._likely(lookout, appraise(weights, look)[WIN])
        lanes = self._some(tried)
        places, tried = places[lanes], tried[lanes]
        rows = jax.block_until_ready(jnp.moveaxis(look.columns[:, places], 0, -1))
        # What is not tried stands aside, and the best move is played in its stead.
        numbers = np.where(tried, places, places[:, :1]) - _firsts(batch)[lanes, None]
        copies = batch.states().take(self._for_each_move(lanes))
        self._worlds.batch.load_states(copies)
        seeds = self._rng.integers(2**62, size=len(lanes))
        self._worlds.batch.reshuffle(self._for_each_move(seeds))
        won = self._won(copies["turn"], numbers.ravel(), weights).reshape(tried.shape)
        return Trial(rows, jnp.asarray(won, jnp.float32), jnp.asarray(tried))

    def _for_each_move(self, numbers: Array) -> Array:
        return np.repeat(numbers, self._trying.moves)

    def _likely(self, lookout: Lookout, logits: Array) -> tuple[Array, Array]:
        """The places of every lane's likeliest moves, a row each from the best on; and which of them to try."""
        places, said = [], []
        for _ in range(self._trying.moves):
            (best,) = lookout.best(logits)
            places.append(np.asarray(best))
            said.append(np.asarray(logits[best]))
            logits = logits.at[best].set(-jnp.inf)
        logits = np.array(said).T
        best = logits[:, :1]
        return np.array(places).T, (logits >= best - NEAR) & (abs(best) <= OPEN)

    def _some(self, tried: Array) -> Array:
        """Lanes in which there is something to choose, as far as there are any."""
        lanes = np.flatnonzero(tried[:, :2].all(1))
        if not len(lanes):
            lanes = np.arange(len(tried))
        positions = self._trying.positions
        return self._rng.choice(lanes, positions, replace=len(lanes) < positions)

    def _won(self, seats: Array, numbers: Array, weights: Weights) -> Array:
        """The chances to win of these seats, after the moves with these numbers on their lanes' lists."""
        batch = self._worlds.batch
        places = jnp.asarray(_firsts(batch) + numbers)
        for _ in range(self._trying.plies):
            self._worlds.play(places)
            logits = appraise(weights, self._worlds.look())[WIN]
            (places,) = self._worlds.best(logits)
        said = np.asarray(jax.nn.sigmoid(logits[places]))
        after = batch.states()
        said = np.where(after["turn"] == seats, said, 1 - said)
        won = np.where(after["winner"] == NOBODY, 0.5, after["winner"] == seats)
        return np.where(after["ended"] == RUNNING, said, won)


def _firsts(batch: Batch) -> Array:
    """The place of every lane's first move."""
    return batch.device.to_host(batch.moves().offsets)[:-1]
