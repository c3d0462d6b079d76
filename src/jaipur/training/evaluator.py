"""Evaluates all legal moves of a batch with a network, and plays the chosen moves.

Our kernels and JAX use the same GPU memory, but they run on different CUDA streams. The code therefore waits for the
kernels before it calls JAX, and for JAX before it launches kernels.
"""

from typing import Literal, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaipur.players.neural.network import OUTPUTS, Array, Weights
from jaipur.simulation.batch import Batch
from jaipur.simulation.features import WIDTH
from jaipur.training import kernels
from jaipur.training.model import first_layer

DTYPE = jnp.bfloat16 if jax.default_backend() == "gpu" else jnp.float32
"""The number type for evaluation. bfloat16 is fast on GPUs, but slow on CPUs."""
CHUNK = 262144 if jax.default_backend() == "gpu" else 1024
"""The number of moves that are evaluated at a time."""
INITIAL_MOVES = 40
"""The initial feature table has rows for this many moves per environment. The table grows when necessary."""


class Afterstates(NamedTuple):
    """The features of all afterstates, one column per move. The columns from the index `moves` on are padding."""

    columns: Array
    moves: int


class Evaluator:
    """A batch of environments, with buffers for evaluating moves and reading results."""

    def __init__(
        self, size: int, device: Literal["cpu", "gpu"], seed: int, *, auto_reset: bool
    ) -> None:
        self.batch = Batch(size, device=device, seed=seed, auto_reset=auto_reset)
        self._table = self.batch.device.feature_table(_padded(INITIAL_MOVES * size), WIDTH)
        self._chosen = self.batch.device.empty(size, np.int32)
        self._before = self.batch.device.empty((size, kernels.BEFORE), np.int32)
        self._after = self.batch.device.empty((size, kernels.AFTER), np.int32)

    def afterstates(self) -> Afterstates:
        """Return the features of the afterstate of each move of `batch.moves()`."""
        moves = self.batch.moves().codes.shape[0]
        if self._table.shape[0] < moves:
            self._table = self.batch.device.feature_table(_padded(moves + moves // 4), WIDTH)
        self.batch.afterstate_features(self._table)
        self.batch.device.synchronize()
        return Afterstates(jnp.asarray(self.batch.device.transposed(self._table)), moves)

    def argmax(self, *values: Array) -> list[Array]:
        """For each array of move values, return the indices of the best moves, one per environment."""
        indices = [self.batch.argmax(each) for each in jax.block_until_ready(values)]
        self.batch.device.synchronize()
        # Copy the device arrays of the batch, because JAX does not keep them alive.
        copies: list[Array] = jax.block_until_ready(_copies(list(map(jnp.asarray, indices))))
        return copies

    def before(self) -> Array:
        """Return the columns of `kernels.read_before`. The array is valid until the next call."""
        self.batch.run_kernel(kernels.read_before, self._before)
        self.batch.device.synchronize()
        return jnp.asarray(self._before)

    def play(self, indices: Array) -> Array:
        """Play the moves at these indices, and return the columns of `kernels.read_after`.

        The array is valid until the next call.
        """
        chosen = self.batch.device.as_device_array(jax.block_until_ready(indices))
        codes = self.batch.moves().codes
        self.batch.device.launch(kernels.pick, len(self.batch), codes, chosen, self._chosen)
        self.batch.step(self._chosen, checked=False)
        self.batch.run_kernel(kernels.read_after, self._after)
        self.batch.device.synchronize()
        return jnp.asarray(self._after)


def _padded(moves: int) -> int:
    return -(-moves // CHUNK) * CHUNK


@jax.jit
def _copies(arrays: list[Array]) -> list[Array]:
    return [array + 0 for array in arrays]


def evaluate(weights: Weights, afterstates: Afterstates) -> Array:
    """Return the outputs of a network, with one row per output and one column per move.

    The columns of the padding are undefined.
    """
    return _evaluate(weights, afterstates.columns, -(-afterstates.moves // CHUNK))


@jax.jit
def _evaluate(weights: Weights, columns: Array, chunks: Array) -> Array:
    """Evaluate the moves in chunks of equal size, to need only one compilation and little memory."""
    *inner, (last, last_biases) = weights.full

    def one(chunk: Array, outputs: Array) -> Array:
        part = jax.lax.dynamic_slice_in_dim(columns, chunk * CHUNK, CHUNK, axis=1)
        values = first_layer(weights, part, DTYPE)
        for layer, biases in inner:
            values = jnp.maximum(values @ layer.astype(DTYPE) + biases.astype(DTYPE), 0)
        result = jnp.matmul(values, last.astype(DTYPE), preferred_element_type=jnp.float32)
        result = (result + last_biases).T
        return jax.lax.dynamic_update_slice_in_dim(outputs, result, chunk * CHUNK, axis=1)

    outputs = jnp.zeros((OUTPUTS, columns.shape[1]), jnp.float32)
    return jax.lax.fori_loop(0, chunks, one, outputs)
