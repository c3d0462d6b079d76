"""Networks at a batch: what they say of every lane's moves, and the moves they choose.

The lab's kernels and JAX share a GPU's memory but not their order of work, so each waits for the other at the borders.
"""

from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaipur.players.neural.network import OUTPUTS, Weights
from jaipur.simulation.batch import Batch
from jaipur.simulation.features import WIDTH
from jaipur.training import kernels as loops
from jaipur.training.learner import units_of

Array = Any

PLAYING = jnp.bfloat16 if jax.default_backend() == "gpu" else jnp.float32
"""In which precision networks play; a CPU has no short one."""
CHUNK = 262144 if jax.default_backend() == "gpu" else 1024
MOVES_AT_FIRST = 40
"""For how many moves a lane there is room at once; more is made when it is needed."""


class Look(NamedTuple):
    """The features after every move: a row a feature, a column a move; behind the moves lies what means nothing."""

    columns: Array
    moves: int


class Lookout:
    """A batch as networks see it."""

    def __init__(
        self, lanes: int, device: Literal["cpu", "gpu"], seed: int, *, auto_reset: bool
    ) -> None:
        self.batch = Batch(lanes, device=device, seed=seed, auto_reset=auto_reset)
        self._room = self.batch.device.feature_table(_room_for(MOVES_AT_FIRST * lanes), WIDTH)
        self._chosen = self.batch.device.empty(lanes, np.int32)
        self._before = self.batch.device.empty((lanes, loops.BEFORE), np.int32)
        self._after = self.batch.device.empty((lanes, loops.AFTER), np.int32)

    def look(self) -> Look:
        """What would be known after each move of `batch.moves()`."""
        moves = self.batch.moves().codes.shape[0]
        if self._room.shape[0] < moves:
            self._room = self.batch.device.feature_table(_room_for(moves + moves // 4), WIDTH)
        self.batch.afterstate_features(self._room)
        self.batch.device.synchronize()
        return Look(jnp.asarray(self.batch.device.transposed(self._room)), moves)

    def best(self, *worths: Array) -> list[Array]:
        """By each of these worths of the moves, the places of every lane's best one."""
        places = [self.batch.argmax(each) for each in jax.block_until_ready(worths)]
        self.batch.device.synchronize()
        # JAX does not keep the lab's arrays alive: what shall last is copied.
        copies: list[Array] = jax.block_until_ready(_copies(list(map(jnp.asarray, places))))
        return copies

    def before(self) -> Array:
        """What is noted of every lane before a move; it holds until the next one is noted."""
        self.batch.run_kernel(loops.note_before, self._before)
        self.batch.device.synchronize()
        return jnp.asarray(self._before)

    def play(self, places: Array) -> Array:
        """Play the moves at these places; what is noted after them, until the next ones."""
        chosen = self.batch.device.as_device_array(jax.block_until_ready(places))
        codes = self.batch.moves().codes
        self.batch.device.launch(loops.pick, len(self.batch), codes, chosen, self._chosen)
        self.batch.step(self._chosen, checked=False)
        self.batch.run_kernel(loops.note_after, self._after)
        self.batch.device.synchronize()
        return jnp.asarray(self._after)


def _room_for(moves: int) -> int:
    return -(-moves // CHUNK) * CHUNK


@jax.jit
def _copies(arrays: list[Array]) -> list[Array]:
    return [array + 0 for array in arrays]


def appraise(weights: Weights, look: Look) -> Array:
    """What a network says of every move, a row an answer; behind the moves lies what means nothing."""
    return _appraise(weights, look.columns, -(-look.moves // CHUNK))


@jax.jit
def _appraise(weights: Weights, columns: Array, chunks: Array) -> Array:
    """In chunks of one size, so that it is compiled once and what lies between two layers is small."""
    *inner, (last, last_biases) = weights.full

    def one(chunk: Array, answers: Array) -> Array:
        part = jax.lax.dynamic_slice_in_dim(columns, chunk * CHUNK, CHUNK, axis=1)
        numbers = units_of(weights, part, PLAYING)
        for layer, biases in inner:
            numbers = numbers @ layer.astype(PLAYING) + biases.astype(PLAYING)
            numbers = jnp.maximum(numbers, 0)
        said = jnp.matmul(numbers, last.astype(PLAYING), preferred_element_type=jnp.float32)
        said = (said + last_biases).T
        return jax.lax.dynamic_update_slice_in_dim(answers, said, chunk * CHUNK, axis=1)

    answers = jnp.zeros((OUTPUTS, columns.shape[1]), jnp.float32)
    return jax.lax.fori_loop(0, chunks, one, answers)
