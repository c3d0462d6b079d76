"""A match of two networks without exploration. Every deal is played twice, the second time with swapped seats."""

from typing import Literal

import jax.numpy as jnp
import numpy as np

from jaipur.players.neural.network import WIN, Weights
from jaipur.rules.cards import NOBODY
from jaipur.training import kernels
from jaipur.training.evaluator import Evaluator, evaluate

STEP_LIMIT = 500
"""Rounds stop after this many moves and count as draws, because greedy networks can repeat moves forever."""


def play_match(
    first: Weights, second: Weights, pairs: int, device: Literal["cpu", "gpu"], seed: int
) -> tuple[float, float]:
    """Play `2 * pairs` rounds. Return the share that the first network won, and the half-width of its 95 % interval."""
    evaluator = Evaluator(2 * pairs, device, seed, auto_reset=False)
    batch = evaluator.batch
    batch.reset([*range(seed, seed + pairs)] * 2)
    first_seat = jnp.arange(2 * pairs) // pairs
    for _ in range(STEP_LIMIT):
        if not batch.moves().codes.shape[0]:
            break
        afterstates = evaluator.afterstates()
        best = evaluator.argmax(*(evaluate(each, afterstates)[WIN] for each in (first, second)))
        first_turn = evaluator.before()[:, kernels.TURN] == first_seat
        evaluator.play(jnp.where(first_turn, *best))
    winners = batch.device.to_host(batch.field("winner"))
    won = np.where(winners == NOBODY, 0.5, winners == np.asarray(first_seat))
    by_pair = won.reshape(2, pairs).mean(0)
    return float(won.mean()), float(1.96 * by_pair.std() / np.sqrt(pairs))
