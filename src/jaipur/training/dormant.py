"""Units that have fallen silent, or were not there yet, begin anew.

A unit whose sum is below zero whatever happens learns nothing any more, and high rates leave many such units behind.
Some speak at one time of a round only, and lanes that began together are all at the same time of it: so whoever shall
begin anew has been silent for many lessons.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import msgspec
import numpy as np

from jaipur.players.neural.network import Layers, Weights
from jaipur.training.config import Config
from jaipur.training.learner import Lesson, Student, begin, units_of

Array = Any

REVIEWED = 65536
"""Rows of a lesson that are looked at."""


class Silent(NamedTuple):
    """Which units say nothing, by layer."""

    first: Array
    full: list[Array]
    quick: list[Array]


class Revival:
    """Watches over units, and lets those begin anew that said nothing in `learning.revive` lessons of one run."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._lessons = 0
        self._silent: Silent | None = None

    def after(self, lesson: Lesson, student: Student) -> tuple[Student, int | None]:
        """Look at what is said of a lesson; when it is time, revive, and say how many."""
        every = self._config.learning.revive
        if not every:
            return student, None
        rows = lesson.rows[:: max(1, len(lesson.rows) // REVIEWED)]
        silent = silent_in(student.weights, rows)
        if self._silent is not None:
            silent = jax.tree.map(jnp.logical_and, silent, self._silent)
        self._lessons += 1
        if self._lessons % every:
            self._silent = silent
            return student, None
        self._silent = None
        found = sum(int(units.sum()) for units in jax.tree.leaves(silent))
        return revived(student, silent, self._config), found


def revived(student: Student, silent: Silent, config: Config) -> Student:
    """Let these units begin anew.

    What they say counts for nothing at first, so that the network says the same as before; and so nearly does the
    average, in which one that has just fallen silent may still have had a word.
    """
    seed = config.seed + int(student.updates)
    fresh = begin(msgspec.structs.replace(config, seed=seed)).weights
    nothing = jax.tree.map(jnp.zeros_like, fresh)
    return Student(
        weights=_anew(student.weights, fresh, silent),
        average=_anew(student.average, fresh, silent),
        first=_anew(student.first, nothing, silent),
        second=_anew(student.second, nothing, silent),
        updates=student.updates,
    )


def grown(weights: Weights, config: Config) -> Weights:
    """A network as large as a training's, which says what it said; ValueError where it is too large already.

    Units that it lacks begin anew, and so does a quick head of another shape. A layer that it lacks, as wide as the one
    below, hands on what it is told.
    """
    fresh = begin(config).weights
    if jax.tree.map(np.shape, weights.quick) != jax.tree.map(np.shape, fresh.quick):
        weights = weights._replace(quick=fresh.quick)
    weights = weights._replace(full=_deeper(weights.full, fresh.full))

    def lacking(layers: Layers, wider: Layers) -> list[Array]:
        return [
            jnp.arange(len(new)) >= len(old)
            for (_, old), (_, new) in zip(layers, wider, strict=True)
        ]

    silent = Silent(
        lacking([weights.first], [fresh.first])[0],
        lacking(weights.full, fresh.full),
        lacking(weights.quick, fresh.quick),
    )
    return _anew(jax.tree.map(_with_room, weights, fresh), fresh, silent)


def _deeper(layers: Layers, wanted: Layers) -> Layers:
    made = list(layers)
    for place, (weights, biases) in enumerate(wanted):
        if len(made) < len(wanted) and len(weights) == len(biases):
            made.insert(place, (jnp.eye(len(biases)), jnp.zeros_like(biases)))
    return tuple(made)


def _with_room(numbers: Array, wider: Array) -> Array:
    room = np.subtract(wider.shape, numbers.shape)
    return jnp.pad(numbers, [(0, more) for more in room])


@jax.jit
def silent_in(weights: Weights, rows: Array) -> Silent:
    """The units that say nothing about any of these rows."""

    def along(layers: Layers) -> list[Array]:
        if not layers:
            return []
        said, found = units[:, : len(layers[0][0])], []
        *inner, (_, answers) = layers
        for weights, biases in inner:
            said = jnp.maximum(said @ weights + biases, 0)
            found.append(~said.any(0))
        return [*found, jnp.zeros(len(answers), bool)]

    units = units_of(weights, rows.T, jnp.float32)
    return Silent(~units.any(0), along(weights.full), along(weights.quick))


def _anew(weights: Weights, fresh: Weights, silent: Silent) -> Weights:
    """Silent units with fresh weights, of which the next layer takes no notice."""

    def head(layers: Layers, fresh: Layers, found: list[Array]) -> Layers:
        made, below = [], silent.first
        for layer, new, units in zip(layers, fresh, found, strict=True):
            inner, biases = instead(units, new, layer)
            made.append((jnp.where(below[: len(inner), None], 0, inner), biases))
            below = units
        return tuple(made)

    def instead(units: Array, new: tuple[Array, Array], old: tuple[Array, Array]) -> Any:  # noqa: ANN401
        return tuple(jnp.where(units, *both) for both in zip(new, old, strict=True))

    return Weights(
        instead(silent.first, fresh.first, weights.first),
        head(weights.full, fresh.full, silent.full),
        head(weights.quick, fresh.quick, silent.quick),
    )
