"""The loss and the batches it is computed on.

`total_loss` is the loss of one minibatch: cross-entropy of the win probability, squared errors of the lead and of the
hidden cards, imitation by the quick head, and the paired-rollout loss.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from jaipur.players.neural.network import HIDDEN, LEAD, LEAD_SCALE, WIN, Weights, feed_forward
from jaipur.training.config import Config, LearningConfig
from jaipur.training.model import first_layer


class TrainingBatch(NamedTuple):
    """Afterstates from self-play and their targets, one row per afterstate."""

    rows: Array
    """Features of the mover."""
    win: Array
    """Target win probability of the mover."""
    lead: Array
    """Target lead of the mover in rupees."""
    hidden: Array
    """The opponent's hidden cards, by good."""
    own: Array
    """Whether the learner made the move; other rows have no weight."""


class PairedBatch(NamedTuple):
    """Results of paired rollouts: one row per position, one column per candidate move."""

    rows: Array
    """Features of the mover after each candidate."""
    win: Array
    """Rollout result for the mover."""
    valid: Array
    """Whether the candidate was played out."""


def total_loss(
    weights: Weights, batch: TrainingBatch, paired: PairedBatch | None, config: Config
) -> tuple[Array, Array]:
    """The loss to minimise, and the part of it that comes from the win probability."""
    loss, win_loss = value_loss(weights, batch, config.learning)
    if paired is not None and config.paired_rollouts is not None:
        loss += config.paired_rollouts.weight * paired_loss(weights, paired)
    return loss, win_loss


def value_loss(
    weights: Weights, batch: TrainingBatch, learning: LearningConfig
) -> tuple[Array, Array]:
    """The loss on self-play targets, and the part of it that comes from the win probability (cross-entropy in nats)."""
    activations = first_layer(weights, batch.rows.T, jnp.float32)
    outputs = feed_forward(jnp, weights.full, activations)
    row_weights = batch.own / jnp.maximum(batch.own.sum(), 1)
    win_loss = cross_entropy(batch.win, outputs[:, WIN]) @ row_weights
    lead_loss = jnp.square(outputs[:, LEAD] - batch.lead / LEAD_SCALE) @ row_weights
    hidden_loss = jnp.square(outputs[:, HIDDEN:] - batch.hidden).mean(1) @ row_weights
    loss = win_loss + learning.lead * lead_loss + learning.hidden * hidden_loss
    if weights.quick:
        units = activations[:, : len(weights.quick[0][0])]
        logits = feed_forward(jnp, weights.quick, units)[:, WIN]
        # Distillation: the output of the full head is a target with less variance than the result.
        target = jax.lax.stop_gradient(jax.nn.sigmoid(outputs[:, WIN]))
        loss += learning.quick * (cross_entropy(target, logits) @ row_weights)
    return loss, win_loss


@jax.jit
def paired_loss(weights: Weights, paired: PairedBatch) -> Array:
    """Squared error of the differences between candidates of one position.

    An error that all candidates of a position share is ignored, because it does not change the choice.
    """
    columns = paired.rows.reshape(-1, paired.rows.shape[-1]).T
    logits = feed_forward(jnp, weights.full, first_layer(weights, columns, jnp.float32))[:, WIN]
    error = (jax.nn.sigmoid(logits).reshape(paired.win.shape) - paired.win) * paired.valid
    counts = jnp.maximum(paired.valid.sum(1, keepdims=True), 1)
    mean = error.sum(1, keepdims=True) / counts
    return jnp.square((error - mean) * paired.valid).sum(1).mean()


def cross_entropy(probability: Array, logits: Array) -> Array:
    """Binary cross-entropy of logits against target probabilities."""
    return jnp.logaddexp(0, logits) - probability * logits
