"""The network as it learns: gradients by JAX, steps by Adam, and an average of the weights, which is what plays."""

from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaipur.players.neural.network import (
    HIDDEN,
    LEAD,
    LEAD_SCALE,
    OUTPUTS,
    WIN,
    Layers,
    Network,
    Weights,
    feed_forward,
    thermometer_inputs,
)
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.features import FEATURES
from jaipur.training.config import Config, Learning

Array = Any

COLUMNS, THRESHOLDS = thermometer_inputs()
INPUTS = -(-(len(COLUMNS) + 1) // 32) * 32
"""The thermometer_inputs, a one for the biases, and nothing up to a number that GPUs like."""
_KEPT_FIRST, _KEPT_SECOND, _TINY = 0.9, 0.999, 1e-8
"""Adam's usual numbers."""


class Student(NamedTuple):
    """All that learning goes on from."""

    weights: Weights
    average: Weights
    first: Weights
    second: Weights
    updates: Array


class Lesson(NamedTuple):
    """What was played: after every move what its trader knew, and what came of it for them."""

    rows: Array
    win: Array
    """Between 0 and 1."""
    lead: Array
    """In rupees."""
    hidden: Array
    """How many cards of each good the other hid."""
    own: Array
    """Whether the move is to be learnt from."""


class Trial(NamedTuple):
    """What was tried: a row a position, a column a move."""

    rows: Array
    """What its trader knew after each move."""
    win: Array
    tried: Array
    """Whether the move was; what was not stands aside."""


def begin(config: Config) -> Student:
    """A network that knows nothing: every chance is even."""
    layers, quick = config.layers, config.quick
    rng = np.random.default_rng(config.seed)

    def stack(sizes: tuple[int, ...]) -> Layers:
        made = []
        for number, (width, height) in enumerate(pairwise(sizes), start=2):
            spread = 0.0 if number == len(sizes) else np.sqrt(2 / width)
            weights = rng.normal(0, 1, (width, height)) * spread
            made.append((jnp.asarray(weights, jnp.float32), jnp.zeros(height, jnp.float32)))
        return tuple(made)

    weights, biases = stack((len(COLUMNS), layers[0], 0))[0]
    first = (weights * seen(config)[:, None], biases)
    made = Weights(first, stack((*layers, OUTPUTS)), stack((*quick, 1)) if quick else ())
    nothing = jax.tree.map(jnp.zeros_like, made)
    return Student(made, made, nothing, nothing, jnp.zeros((), jnp.int32))


def seen(config: Config) -> Array:
    """For every input, 1 where the network may see it, else 0; `SimulationError` for an unknown feature."""
    unknown = [name for name in config.sees if not any(_is_called(f, name) for f in FEATURES)]
    if unknown:
        raise SimulationError(f"No feature is called “{unknown[0]}”.")
    features = [
        not config.sees or any(_is_called(feature, name) for name in config.sees)
        for feature in FEATURES
    ]
    return jnp.asarray(np.array(features, np.float32)[COLUMNS])


def _is_called(feature: str, name: str) -> bool:
    return name in (feature, feature.partition(":")[0])


def steps_of(columns: Array, kind: Any) -> Array:  # noqa: ANN401
    """The inputs, a row each: for columns of features, one for each step that is reached."""
    moves = columns.shape[1]
    parts = [
        # Feature by feature: looking the columns up would take a GPU longer than all the rest.
        (columns[column] >= THRESHOLDS[column == COLUMNS, None]).astype(kind)
        for column in np.unique(COLUMNS)
    ]
    ones = jnp.ones((1, moves), kind)
    return jnp.concatenate([*parts, ones, jnp.zeros((INPUTS - len(COLUMNS) - 1, moves), kind)])


def units_of(weights: Weights, columns: Array, kind: Any) -> Array:  # noqa: ANN401
    """What the first layer makes of columns of features, a row a move."""
    first, biases = weights.first
    whole = jnp.zeros((INPUTS, len(biases)), kind)
    whole = whole.at[: len(first)].set(first.astype(kind)).at[len(first)].set(biases.astype(kind))
    # The biases as weights of an input that is one: adding them afterwards would take as long as the product.
    contracted = (((0,), (0,)), ((), ()))
    return jnp.maximum(jax.lax.dot_general(steps_of(columns, kind), whole, contracted), 0)


def loss(weights: Weights, lesson: Lesson, learning: Learning) -> tuple[Array, Array]:
    """How wrong a network is: all in all, and about the chance to win alone."""
    units = units_of(weights, lesson.rows.T, jnp.float32)
    said = feed_forward(jnp, weights.full, units)
    counts = lesson.own / jnp.maximum(lesson.own.sum(), 1)
    about_win = _wrong_about(lesson.win, said[:, WIN]) @ counts
    about_lead = jnp.square(said[:, LEAD] - lesson.lead / LEAD_SCALE) @ counts
    about_hidden = jnp.square(said[:, HIDDEN:] - lesson.hidden).mean(1) @ counts
    whole = about_win + learning.lead * about_lead + learning.hidden * about_hidden
    if weights.quick:
        logits = feed_forward(jnp, weights.quick, units[:, : len(weights.quick[0][0])])[:, WIN]
        # It imitates the full head, which knows better than what luck made of one move.
        told = jax.lax.stop_gradient(jax.nn.sigmoid(said[:, WIN]))
        whole += learning.quick * (_wrong_about(told, logits) @ counts)
    return whole, about_win


@jax.jit
def apart(weights: Weights, trial: Trial) -> Array:
    """How much moves of one position differ otherwise than the network says."""
    units = units_of(weights, trial.rows.reshape(-1, trial.rows.shape[-1]).T, jnp.float32)
    said = jax.nn.sigmoid(feed_forward(jnp, weights.full, units)[:, WIN]).reshape(trial.win.shape)
    wrong = (said - trial.win) * trial.tried
    shared = wrong.sum(1, keepdims=True) / jnp.maximum(trial.tried.sum(1, keepdims=True), 1)
    return jnp.square((wrong - shared) * trial.tried).sum(1).mean()


def _wrong_about(win: Array, logits: Array) -> Array:
    return jnp.logaddexp(0, logits) - win * logits


@partial(jax.jit, static_argnums=3)
def study(
    student: Student,
    lesson: Lesson,
    chance: Array,
    config: Config,
    rate: Array,
    trial: Trial | None = None,
) -> tuple[Student, Array]:
    """Go through a lesson once, in batches drawn by chance; also how wrong the network was about winning.

    With each batch goes a part of a trial, if there was one.
    """
    learning, sight = config.learning, seen(config)[:, None]
    size = lesson.win.shape[0]
    batch = min(learning.batch, size)
    order = jax.random.permutation(chance, size)[: size // batch * batch].reshape(-1, batch)

    def wrong_in_all(weights: Weights, part: Lesson, tried: Trial | None) -> tuple[Array, Array]:
        whole, about_win = loss(weights, part, learning)
        if tried is not None and config.trying is not None:
            whole += config.trying.weight * apart(weights, tried)
        return whole, about_win

    def one(student: Student, batch: tuple[Array, Trial | None]) -> tuple[Student, Array]:
        places, tried = batch
        part = Lesson(*(numbers[places] for numbers in lesson))
        slopes, wrong = jax.grad(wrong_in_all, has_aux=True)(student.weights, part, tried)
        slopes = slopes._replace(first=(slopes.first[0] * sight, slopes.first[1]))
        updates = student.updates + 1
        first = _mix(_KEPT_FIRST, student.first, slopes)
        second = _mix(_KEPT_SECOND, student.second, jax.tree.map(jnp.square, slopes))
        scale = rate * jnp.sqrt(1 - _KEPT_SECOND**updates) / (1 - _KEPT_FIRST**updates)
        weights = jax.tree.map(
            lambda weight, mean, square: weight - scale * mean / (jnp.sqrt(square) + _TINY),
            student.weights,
            first,
            second,
        )
        kept = jnp.minimum(learning.average, updates / (updates + 10))
        average = _mix(kept, student.average, weights)
        return Student(weights, average, first, second, updates), wrong

    student, wrong = jax.lax.scan(one, student, (order, _in_parts(trial, len(order))))
    return student, wrong.mean()


def _in_parts(trial: Trial | None, parts: int) -> Trial | None:
    """The same in so many parts; a short one comes round again."""
    if trial is None:
        return None
    positions = len(trial.win)
    size = -(-positions // parts)
    places = np.arange(parts * size).reshape(parts, size) % positions
    return Trial(*(numbers[places] for numbers in trial))


def _mix(kept: float | Array, old: Weights, new: Weights) -> Weights:
    mixed: Weights = jax.tree.map(lambda one, other: kept * one + (1 - kept) * other, old, new)
    return mixed


def network_of(weights: Weights) -> Network:
    """The network for whoever plays with NumPy, without the inputs that mean nothing to it."""
    weights = jax.tree.map(np.asarray, weights)
    first, biases = weights.first
    used = first.any(1)
    return Network(COLUMNS[used], THRESHOLDS[used], weights._replace(first=(first[used], biases)))


def weights_of(network: Network) -> Weights:
    """A kept network's weights, to go on from; what it does not see means nothing to it."""
    weights: Weights = jax.tree.map(jnp.asarray, network.weights)
    places = {place: number for number, place in enumerate(zip(COLUMNS, THRESHOLDS, strict=True))}
    try:
        known = [places[place] for place in zip(network.columns, network.thresholds, strict=True)]
    except KeyError as wrong:
        raise ValueError(
            "A network with other inputs than these cannot be learnt on from."
        ) from wrong
    first, biases = weights.first
    whole = jnp.zeros((len(COLUMNS), len(biases))).at[np.array(known)].set(first)
    return weights._replace(first=(whole, biases))
