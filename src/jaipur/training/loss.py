"""The loss, and the types of the batches for which it is computed.

`total_loss` is the loss of one minibatch. It is the sum of five terms: the cross-entropy of the win probability, the
squared errors of the lead and of the hidden cards, the imitation loss of the quick head, and the paired-rollout loss.
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
    """The features of the seat that moved."""
    win: Array
    """The target for the win probability of the seat that moved."""
    lead: Array
    """The target for the lead of the seat that moved, in rupees."""
    hidden: Array
    """The target for the opponent's hidden cards, by good."""
    own: Array
    """Whether the learner made the move. The other rows have no weight in the loss."""


class PairedBatch(NamedTuple):
    """The results of paired rollouts, with one row per position and one column per candidate move."""

    rows: Array
    """The features after each candidate, for the seat that moved."""
    win: Array
    """The result of the rollout, as a win probability of the seat that moved."""
    valid: Array
    """Whether the candidate was played out."""


def total_loss(
    weights: Weights, batch: TrainingBatch, paired: PairedBatch | None, config: Config
) -> tuple[Array, Array]:
    """Return the loss to minimise, and its term for the win probability."""
    loss, win_loss = value_loss(weights, batch, config.learning)
    if paired is not None and config.paired_rollouts is not None:
        loss += config.paired_rollouts.weight * paired_loss(weights, paired)
    return loss, win_loss


def value_loss(
    weights: Weights, batch: TrainingBatch, learning: LearningConfig
) -> tuple[Array, Array]:
    """Return the loss for the targets of self-play, and its term for the win probability (cross-entropy in nats)."""
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
        # The quick head learns from the full head (distillation). This target has less variance than the final result.
        target = jax.lax.stop_gradient(jax.nn.sigmoid(outputs[:, WIN]))
        loss += learning.quick * (cross_entropy(target, logits) @ row_weights)
    return loss, win_loss


@jax.jit
def paired_loss(weights: Weights, paired: PairedBatch) -> Array:
    """Return the squared error of the differences between the candidates of a position, averaged over positions.

    An error that all candidates of a position have in common is ignored, because it does not change the best move.
    """
    columns = paired.rows.reshape(-1, paired.rows.shape[-1]).T
    logits = feed_forward(jnp, weights.full, first_layer(weights, columns, jnp.float32))[:, WIN]
    error = (jax.nn.sigmoid(logits).reshape(paired.win.shape) - paired.win) * paired.valid
    counts = jnp.maximum(paired.valid.sum(1, keepdims=True), 1)
    mean = error.sum(1, keepdims=True) / counts
    return jnp.square((error - mean) * paired.valid).sum(1).mean()


def cross_entropy(probability: Array, logits: Array) -> Array:
    """Return the binary cross-entropy of logits against target probabilities, in nats."""
    return jnp.logaddexp(0, logits) - probability * logits
