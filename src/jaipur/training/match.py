"""Two networks against each other on a device: every deal twice, seats swapped, no curiosity."""

from dataclasses import dataclass
from typing import Literal

import jax.numpy as jnp
import numpy as np

from jaipur.players.neural.network import WIN, Weights
from jaipur.rules.cards import NOBODY
from jaipur.training import kernels as loops
from jaipur.training.evaluator import Lookout, appraise

MOST_MOVES = 500
"""Networks without curiosity can go round in circles; what is not over by then counts as tied."""


@dataclass(frozen=True, slots=True)
class Share:
    """The first network's share of the rounds, and how far it may be off, one time in twenty further."""

    rounds: int
    share: float
    error: float

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} % ± {100 * self.error:.1f} of {self.rounds} rounds"


def match(
    one: Weights, other: Weights, pairs: int, device: Literal["cpu", "gpu"], seed: int
) -> Share:
    """Play pairs of rounds."""
    lookout = Lookout(2 * pairs, device, seed, auto_reset=False)
    batch = lookout.batch
    batch.reset([*range(seed, seed + pairs)] * 2)
    own_seat = jnp.arange(2 * pairs) // pairs
    for _ in range(MOST_MOVES):
        if not batch.moves().codes.shape[0]:
            break
        look = lookout.look()
        places = lookout.best(*(appraise(weights, look)[WIN] for weights in (one, other)))
        own_turn = lookout.before()[:, loops.TURN] == own_seat
        lookout.play(jnp.where(own_turn, *places))
    winners = batch.device.to_host(batch.field("winner"))
    won = np.where(winners == NOBODY, 0.5, winners == np.asarray(own_seat))
    by_pair = won.reshape(2, pairs).mean(0)
    return Share(2 * pairs, float(won.mean()), float(1.96 * by_pair.std() / np.sqrt(pairs)))
