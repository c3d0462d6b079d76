"""The network as it learns: gradients by JAX, steps by Adam, and an average of the weights, which is what plays."""

from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaipur.compiled.features import WIDTH
from jaipur.lab.train.config import Learning
from jaipur.players.network import (
    ANSWERS,
    HIDDEN,
    LEAD,
    LEAD_SCALE,
    WIN,
    Layers,
    Network,
    counting,
    forward,
    thermometers,
)

Array = Any

COLUMNS, THRESHOLDS = thermometers()
COUNTS = counting(COLUMNS)
_KEPT_FIRST, _KEPT_SECOND, _TINY = 0.9, 0.999, 1e-8
"""Adam's usual numbers."""


class Student(NamedTuple):
    """All that learning goes on from."""

    layers: Layers
    average: Layers
    first: Layers
    second: Layers
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


def begin(layers: tuple[int, ...], seed: int) -> Student:
    """A network that knows nothing: every chance is even."""
    rng = np.random.default_rng(seed)
    sizes = (WIDTH + len(COLUMNS), *layers, ANSWERS)
    made = []
    for number, (width, height) in enumerate(pairwise(sizes)):
        spread = 0.0 if number == len(layers) else np.sqrt(2 / width)
        weights = rng.normal(0, 1, (width, height)) * spread
        made.append((jnp.asarray(weights, jnp.float32), jnp.zeros(height, jnp.float32)))
    nothing = jax.tree.map(jnp.zeros_like, made)
    return Student(made, made, nothing, nothing, jnp.zeros((), jnp.int32))


def loss(layers: Layers, lesson: Lesson, learning: Learning) -> tuple[Array, Array]:
    """How wrong a network is: all in all, and about the chance to win alone."""
    said = forward(jnp, layers, COUNTS, THRESHOLDS, lesson.rows)
    logit = said[:, WIN]
    about_win = jnp.mean(jnp.logaddexp(0, logit) - lesson.win * logit)
    about_lead = jnp.mean(jnp.square(said[:, LEAD] - lesson.lead / LEAD_SCALE))
    about_hidden = jnp.mean(jnp.square(said[:, HIDDEN:] - lesson.hidden))
    return about_win + learning.lead * about_lead + learning.hidden * about_hidden, about_win


@partial(jax.jit, static_argnums=3)
def study(
    student: Student, lesson: Lesson, chance: Array, learning: Learning, rate: Array
) -> tuple[Student, Array]:
    """Go through a lesson once, in batches drawn by chance; also how wrong the network was about winning."""
    size = lesson.win.shape[0]
    batch = min(learning.batch, size)
    order = jax.random.permutation(chance, size)[: size // batch * batch].reshape(-1, batch)
    grade = jax.grad(loss, has_aux=True)

    def one(student: Student, places: Array) -> tuple[Student, Array]:
        part = Lesson(*(numbers[places] for numbers in lesson))
        slopes, wrong = grade(student.layers, part, learning)
        updates = student.updates + 1
        first = _mix(_KEPT_FIRST, student.first, slopes)
        second = _mix(_KEPT_SECOND, student.second, jax.tree.map(jnp.square, slopes))
        scale = rate * jnp.sqrt(1 - _KEPT_SECOND**updates) / (1 - _KEPT_FIRST**updates)
        layers = jax.tree.map(
            lambda weights, mean, square: weights - scale * mean / (jnp.sqrt(square) + _TINY),
            student.layers,
            first,
            second,
        )
        kept = jnp.minimum(learning.average, updates / (updates + 10))
        average = _mix(kept, student.average, layers)
        return Student(layers, average, first, second, updates), wrong

    student, wrong = jax.lax.scan(one, student, order)
    return student, wrong.mean()


def _mix(kept: float | Array, old: Layers, new: Layers) -> Layers:
    mixed: Layers = jax.tree.map(lambda one, other: kept * one + (1 - kept) * other, old, new)
    return mixed


def network_of(layers: Layers) -> Network:
    """The network for whoever plays with NumPy."""
    made = tuple((np.asarray(weights), np.asarray(biases)) for weights, biases in layers)
    return Network.of(COLUMNS, THRESHOLDS, made)


def layers_of(network: Network) -> Layers:
    """A kept network's weights, to go on from."""
    return [(jnp.asarray(weights), jnp.asarray(biases)) for weights, biases in network.layers]
