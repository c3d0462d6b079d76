"""Looking ahead: moves tried in many worlds side by side, both seats then playing on by a network for a few moves.

The rules are compiled where Numba is installed, else they run as they are. Both try the same.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from random import Random
from threading import Thread
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from jaipur.players.neural.network import WIN, Layers, Network, chances_of, through_few
from jaipur.rules import Deal, Position, new_round
from jaipur.rules.cards import NOBODY
from jaipur.rules.listing import legal_moves
from jaipur.rules.moves import Code
from jaipur.simulation.batch import Batch
from jaipur.simulation.features import WIDTH
from jaipur.simulation.nnue import first_layer
from jaipur.simulation.rng import EVEN_ODDS

Logits = NDArray[np.float32]
Places = NDArray[np.int64]
Chances = NDArray[np.float64]

SECOND_LOOK = 3
"""So many moves that the quick head likes best are looked at by the full one."""
BLOCK = 128
"""Moves that are read at a time, so that what is read of them stays close to the processor."""


class Lookahead:
    """Tries moves out with a network that has a quick head."""

    def __init__(self, network: Network, device: Literal["cpu", "plain"]) -> None:
        self._device: Literal["cpu", "plain"] = device
        self._reader = CompiledReader(network) if device == "cpu" else PlainReader(network)
        self._batches: dict[int, Batch] = {}

    def chances(
        self,
        position: Position,
        codes: Sequence[Code],
        seeds: Sequence[int],
        plies: int,
        odds: Sequence[int] | None = EVEN_ODDS,
    ) -> Chances:
        """The chance to win for whoever is to move: a row a world, which comes from a seed, and a column a move.

        After the move both seats play on as the network says, so many moves but for the last, of which it says what
        it is worth. Hidden cards are dealt by the odds; without odds hands stay as they are.
        """
        batch = self._batch(len(codes) * len(seeds))
        batch.set_positions(position)
        each = [seed for seed in seeds for _ in codes]
        if odds is None:
            batch.reshuffle(each)
        else:
            batch.redeal(each, odds)
        batch.step(np.tile(codes, len(seeds)), checked=False)
        for _ in range(plies - 1):
            if len(batch.moves().codes):
                places, _ = self._best(batch)
                batch.step(batch.moves().codes[places], checked=False)
        _, logits = self._best(batch)
        winners, running = batch.field("winner"), np.diff(batch.moves().offsets) > 0
        won = np.where(winners == NOBODY, 0.5, winners == position.turn)
        ahead = chances_of(logits)
        said = np.where(running, ahead if plies % 2 == 0 else 1 - ahead, won)
        return said.reshape(len(seeds), len(codes))

    def _best(self, batch: Batch) -> tuple[Places, Chances]:
        """The place of every lane's best move, and what is said of it; anything where a lane has ended."""
        offsets = batch.moves().offsets
        lanes = np.arange(len(offsets) - 1)
        owners = np.repeat(lanes, np.diff(offsets))
        places = np.zeros((len(lanes), SECOND_LOOK), np.int64)
        logits = np.full((len(lanes), SECOND_LOOK), -np.inf)
        if len(owners):
            order = np.lexsort((-self._reader.quick(batch), owners))
            ranks = np.arange(len(owners)) - offsets[owners]
            likely = ranks < SECOND_LOOK
            looked_at, slots = order[likely], (owners[likely], ranks[likely])
            places[slots], logits[slots] = looked_at, self._reader.full(batch, looked_at)
        best = logits.argmax(1)
        return places[lanes, best], logits[lanes, best]

    def _batch(self, lanes: int) -> Batch:
        if lanes not in self._batches:
            self._batches[lanes] = Batch(lanes, auto_reset=False, device=self._device)
        return self._batches[lanes]


class PlainReader:
    """What a network says of the moves of a batch: its chances to win, as logits."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def quick(self, batch: Batch) -> Logits:
        """The quick head, of all moves."""
        self._rows = batch.afterstate_features()
        return self._network.quickly(self._rows)

    def full(self, batch: Batch, places: Places) -> Logits:  # noqa: ARG002  # its rows are still there
        """The full head, of the moves at these places, which the quick one has just looked at."""
        return self._network(self._rows[places])[:, WIN]


class CompiledReader:
    """The same with a compiled first layer, many times faster."""

    def __init__(self, network: Network) -> None:
        self._quick = CompiledHead(network, network.weights.quick)
        self._full = CompiledHead(network, network.weights.full)

    def quick(self, batch: Batch) -> Logits:
        return self._quick.read(batch, np.arange(len(batch.moves().codes)))

    def full(self, batch: Batch, places: Places) -> Logits:
        return self._full.read(batch, places)


class CompiledHead:
    """A head of a network and as much of the first layer as it reads, whose weights are whole numbers here."""

    def __init__(self, network: Network, head: Layers) -> None:
        (second, second_biases), *others = head
        units = len(second)
        weights, biases = (part[..., :units] for part in network.weights.first)
        scales = np.maximum(np.abs(weights).max(0), 1e-9) / 127
        self._head = ((second * scales[:, None], second_biases), *others)
        whole = np.rint(weights / scales)
        # Short sums are twice as fast; a network with too many large weights for them gets long ones.
        short = np.abs(whole).sum(0).max() < 2**15
        self._given = (
            np.searchsorted(network.columns, np.arange(WIDTH + 1)).astype(np.int32),
            network.thresholds,
            whole.astype(np.int8),
            (biases / scales).astype(np.float32),
            np.zeros(WIDTH, np.float32),
            np.full(WIDTH, np.nan, np.float32),  # no row was read before the first
            np.zeros(WIDTH, np.int32),
            np.zeros(units, np.int16 if short else np.int32),
        )
        self._units = np.zeros((BLOCK, units), np.float32)

    def read(self, batch: Batch, places: Places) -> Logits:
        """The chances to win after the moves at these places."""
        logits = np.empty(len(places), np.float32)
        for first in range(0, len(places), BLOCK):
            last = min(first + BLOCK, len(places))
            arguments = (places, *self._given, self._units)
            batch.run_move_kernel(first_layer, *arguments, start=first, stop=last)
            logits[first:last] = through_few(self._head, self._units[: last - first])[:, WIN]
        return logits


class Ready:
    """Looks ahead as it can by now: plainly at once, and compiled as soon as Numba is done, where it is installed.

    The first time on a machine it compiles for some seconds, and nobody who plays shall wait for that.
    """

    def __init__(self, network: Network) -> None:
        self.now = Lookahead(network, "plain")
        if find_spec("numba") is not None:
            Thread(target=self._compile, args=[network]).start()

    def _compile(self, network: Network) -> None:
        compiled = Lookahead(network, "cpu")
        position = new_round(Deal.shuffled(Random(0)))
        compiled.chances(position, [legal_moves(position)[0].code], [0], 2)
        self.now = compiled


@cache
def ready(network: Network) -> Ready:
    """One for all players of a process."""
    return Ready(network)
