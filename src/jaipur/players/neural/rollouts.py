"""Truncated rollouts: play candidate moves out in many sampled worlds at once.

After the candidate, both seats play the best moves of the network for some plies. Then the network evaluates the last
position. If Numba is installed, the rules are compiled. Plain Python gives the same results up to rounding.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from random import Random
from threading import Thread
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from jaipur.players.neural.network import WIN, Layers, Network, feed_forward_active, sigmoid
from jaipur.rules import Deal, Position, new_round
from jaipur.rules.cards import NOBODY
from jaipur.rules.moves import MoveCode
from jaipur.simulation.batch import Batch
from jaipur.simulation.features import WIDTH
from jaipur.simulation.nnue import first_layer
from jaipur.simulation.rng import EVEN_ODDS

Logits = NDArray[np.float32]
Indices = NDArray[np.int64]
Probabilities = NDArray[np.float64]

SHORTLIST = 3
"""The quick head selects this many best moves of each position. The full head evaluates only these moves."""
BLOCK = 128
"""This many moves are evaluated at a time. Their activations fit into the processor's cache."""


class Rollouts:
    """Rollouts with a network that has a quick head."""

    def __init__(self, network: Network, device: Literal["cpu", "plain"]) -> None:
        self._device: Literal["cpu", "plain"] = device
        self._evaluator = NnueEvaluator(network) if device == "cpu" else PlainEvaluator(network)
        self._batches: dict[int, Batch] = {}

    def win_probabilities(
        self,
        position: Position,
        codes: Sequence[MoveCode],
        seeds: Sequence[int],
        plies: int,
        odds: Sequence[int] | None = EVEN_ODDS,
    ) -> Probabilities:
        """Return win probabilities of the seat to move, with one row per seed and one column per move.

        Each seed gives one sampled world. `plies` counts the moves after the candidate. The last of them is evaluated
        but not played. `odds` are the weights for sampling the opponent's hidden cards. If `odds` is None, the hands
        stay as they are, and only the deck and the bonus tokens are shuffled.
        """
        batch = self._batch(len(codes) * len(seeds))
        batch.set_positions(position)
        entry_seeds = [seed for seed in seeds for _ in codes]
        if odds is None:
            batch.reshuffle(entry_seeds)
        else:
            batch.redeal(entry_seeds, odds)
        batch.step(np.tile(codes, len(seeds)), checked=False)
        for _ in range(plies - 1):
            if len(batch.moves().codes):
                best, _ = self._best_moves(batch)
                batch.step(batch.moves().codes[best], checked=False)
        _, logits = self._best_moves(batch)
        winners, running = batch.field("winner"), np.diff(batch.moves().offsets) > 0
        outcomes = np.where(winners == NOBODY, 0.5, winners == position.turn)
        mover_wins = sigmoid(logits)
        estimates = np.where(running, mover_wins if plies % 2 == 0 else 1 - mover_wins, outcomes)
        return estimates.reshape(len(seeds), len(codes))

    def _best_moves(self, batch: Batch) -> tuple[Indices, Probabilities]:
        """Return the index and the win logit of the best move of each round.

        They are undefined for rounds that ended.
        """
        offsets = batch.moves().offsets
        entries = np.arange(len(offsets) - 1)
        owners = np.repeat(entries, np.diff(offsets))
        moves = np.zeros((len(entries), SHORTLIST), np.int64)
        logits = np.full((len(entries), SHORTLIST), -np.inf)
        if len(owners):
            order = np.lexsort((-self._evaluator.quick(batch), owners))
            ranks = np.arange(len(owners)) - offsets[owners]
            listed = ranks < SHORTLIST
            shortlist, slots = order[listed], (owners[listed], ranks[listed])
            moves[slots], logits[slots] = shortlist, self._evaluator.full(batch, shortlist)
        best = logits.argmax(1)
        return moves[entries, best], logits[entries, best]

    def _batch(self, size: int) -> Batch:
        if size not in self._batches:
            self._batches[size] = Batch(size, auto_reset=False, device=self._device)
        return self._batches[size]


class PlainEvaluator:
    """Computes the win logits of the moves of a batch, with NumPy and all afterstate features."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def quick(self, batch: Batch) -> Logits:
        """Evaluate all moves with the quick head."""
        self._features = batch.afterstate_features()
        return self._network.quick_logits(self._features)

    def full(self, batch: Batch, moves: Indices) -> Logits:  # noqa: ARG002  # `quick` has stored the features
        """Evaluate the given moves with the full head. Call `quick` on the same batch first."""
        return self._network(self._features[moves])[:, WIN]


class NnueEvaluator:
    """Like `PlainEvaluator`, but much faster: the first layer is compiled and updated incrementally."""

    def __init__(self, network: Network) -> None:
        self._quick = NnueHead(network, network.weights.quick)
        self._full = NnueHead(network, network.weights.full)

    def quick(self, batch: Batch) -> Logits:
        return self._quick.logits(batch, np.arange(len(batch.moves().codes)))

    def full(self, batch: Batch, moves: Indices) -> Logits:
        return self._full.logits(batch, moves)


class NnueHead:
    """One head of the network, and the units of the first layer that the head reads. See `simulation.nnue`."""

    def __init__(self, network: Network, head: Layers) -> None:
        (second, second_biases), *others = head
        units = len(second)
        weights, biases = (part[..., :units] for part in network.weights.first)
        scales = np.maximum(np.abs(weights).max(0), 1e-9) / 127
        self._head = ((second * scales[:, None], second_biases), *others)
        quantized = np.rint(weights / scales)
        # Use 16-bit sums if they cannot overflow. They are twice as fast as 32-bit sums.
        fits_16_bits = np.abs(quantized).sum(0).max() < 2**15
        # The arguments of the kernel `first_layer`, in order. The last four are its state between calls.
        self._arguments = (
            np.searchsorted(network.columns, np.arange(WIDTH + 1)).astype(np.int32),
            network.thresholds,
            quantized.astype(np.int8),
            (biases / scales).astype(np.float32),
            np.zeros(WIDTH, np.float32),
            np.full(WIDTH, np.nan, np.float32),  # NaN is not equal to any feature of the first row
            np.zeros(WIDTH, np.int32),
            np.zeros(units, np.int16 if fits_16_bits else np.int32),
        )
        self._units = np.zeros((BLOCK, units), np.float32)

    def logits(self, batch: Batch, moves: Indices) -> Logits:
        """Return the win logits of the moves at these indices."""
        logits = np.empty(len(moves), np.float32)
        for first in range(0, len(moves), BLOCK):
            last = min(first + BLOCK, len(moves))
            arguments = (moves, *self._arguments, self._units)
            batch.run_move_kernel(first_layer, *arguments, start=first, stop=last)
            outputs = feed_forward_active(self._head, self._units[: last - first])
            logits[first:last] = outputs[:, WIN]
        return logits


class RolloutsProvider:
    """Provides plain rollouts first, and compiled rollouts as soon as a background thread has compiled them.

    The first compilation on a machine takes some seconds. The player can move during this time.
    """

    def __init__(self, network: Network) -> None:
        self.current = Rollouts(network, "plain")
        if find_spec("numba") is not None:
            Thread(target=self._compile, args=[network]).start()

    def _compile(self, network: Network) -> None:
        compiled = Rollouts(network, "cpu")
        position = new_round(Deal.shuffled(Random(0)))
        compiled.win_probabilities(position, [position.legal_moves()[0].code], [0], 2)
        self.current = compiled


@cache
def shared_rollouts(network: Network) -> RolloutsProvider:
    """Return the provider of a network. All callers in this process share it."""
    return RolloutsProvider(network)
