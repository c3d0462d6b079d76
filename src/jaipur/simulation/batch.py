"""`Batch`: many independent rounds or games in parallel. All operations work on all entries at once.

On the CPU, results are NumPy arrays. On the GPU, they stay in GPU memory and have `__cuda_array_interface__`. PyTorch,
CuPy and JAX can therefore use them without a copy.
"""

from collections.abc import Sequence, Sized
from typing import Literal, NamedTuple

import numpy as np

from jaipur.rules import Deal, Position
from jaipur.rules.cards import CAMEL, KINDS
from jaipur.simulation import kernels
from jaipur.simulation.compiler import Function
from jaipur.simulation.devices import CpuDevice, Device, PythonDevice
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.features import WIDTH
from jaipur.simulation.layout import (
    LAYOUT_VERSION,
    STATE_DTYPE,
    Array,
    DeviceArray,
    deal_arrays,
    position_of,
    record_of,
)
from jaipur.simulation.rng import EVEN_ODDS

Plays = Literal["rounds", "games"]
HIGHEST_SEED = 2**63 - 1


class Moves(NamedTuple):
    """The legal moves of a batch. The moves of entry i are `codes[offsets[i] : offsets[i + 1]]`."""

    offsets: DeviceArray
    codes: DeviceArray

    def sample(self, draws: Array) -> Array:
        """Return a random index into `codes` for each entry. All moves of an entry are equally likely.

        `draws` has one number in [0, 1) per entry. This works only with NumPy arrays.
        """
        counts = np.diff(self.offsets)
        indices: Array = self.offsets[:-1] + (draws * counts).astype(np.int64)
        return np.minimum(indices, len(self.codes) - 1)


class Results(NamedTuple):
    """The results of the last step, by entry.

    The fields from `winner` on describe the last round or game that ended.
    """

    round_ended: DeviceArray
    """1 if the step ended a round."""
    game_ended: DeviceArray
    """1 if the step ended a game."""
    winner: DeviceArray
    """The seat that won the seal, or -1 for a draw."""
    game_winner: DeviceArray
    score: DeviceArray
    """The rupees of both seats, including the camel token."""
    length: DeviceArray
    """The number of moves in the round."""
    ending: DeviceArray
    """How the round ended: 1 if three goods ran out of tokens, 2 if the deck ran out of cards, 3 if abandoned."""


class Batch:
    """`size` independent rounds or games, called entries."""

    layout = LAYOUT_VERSION

    def __init__(
        self,
        size: int,
        *,
        plays: Plays = "rounds",
        seed: int = 0,
        auto_reset: bool = True,
        device: Literal["cpu", "gpu", "plain"] = "cpu",
        threads: int = 1,
    ) -> None:
        """Deal the first round of every entry. The seed of entry i is `seed + i`.

        With `auto_reset`, an entry starts a new round or game after the last round or game has ended. Within a game,
        the next round always starts automatically.
        """
        if size < 1:
            raise SimulationError(f"The size of a batch must be at least 1, not {size}.")
        if threads < 1:
            raise SimulationError(f"The number of threads must be at least 1, not {threads}.")
        if plays not in ("rounds", "games"):
            raise SimulationError(f'A batch plays "rounds" or "games", not “{plays}”.')
        if device not in ("cpu", "gpu", "plain"):
            raise SimulationError(f'The device must be "cpu", "gpu" or "plain", not “{device}”.')
        self.device = _make_device(device, threads)
        self._mode = (kernels.GAMES if plays == "games" else kernels.ROUNDS, int(auto_reset))
        self._size = size
        self._states = self.device.zeros(size, STATE_DTYPE)
        self._buffers = self.device.move_buffers(size)
        self._counts = self.device.zeros(size, np.int32)
        self._listed = False
        self._moves: Moves | None = None
        self._owners: DeviceArray = None
        self._scratch: DeviceArray = self.device.empty(0, STATE_DTYPE)
        self.reset(seed)

    def __len__(self) -> int:
        return self._size

    def reset(self, seeds: int | Sequence[int] = 0) -> None:
        """Restart all entries. `seeds` has one seed per entry. If it is a number n, entry i gets the seed n + i."""
        if isinstance(seeds, int):
            seeds = range(seeds, seeds + self._size)
        self._check_length(seeds, "seed")
        if not 0 <= min(seeds) <= max(seeds) <= HIGHEST_SEED:
            raise SimulationError("Seeds are integers from 0 to 2**63 - 1.")
        numbers = self.device.to_device(np.array(seeds, np.int64))
        self._launch(kernels.start_from_seeds, self._states, self._buffers, numbers)
        self._invalidate_moves()

    def reset_from_deals(self, deals: Sequence[Deal]) -> None:
        """Restart all entries from one deal per entry. Later rounds are dealt with the rng of the entry."""
        self._check_length(deals, "deal")
        arrays = map(self.device.to_device, deal_arrays(deals))
        self._launch(kernels.start_from_deals, self._states, *arrays)
        self._invalidate_moves()

    def set_positions(self, positions: Sequence[Position] | Position) -> None:
        """Set one position per entry, or the same position in all entries.

        Later rounds are dealt with the rng of the entry.
        """
        if isinstance(positions, Position):
            states = np.repeat(record_of(positions), self._size)
        else:
            self._check_length(positions, "position")
            states = np.array([record_of(position) for position in positions], STATE_DTYPE)
        states["rng"] = self.device.to_host(self._states)["rng"]
        self._states = self.device.to_device(states)
        self._invalidate_moves()

    def states(self) -> Array:
        """Copy all fields of all entries to the CPU."""
        return np.array(self.device.to_host(self._states))

    def load_states(self, states: Array) -> None:
        """Continue from records that the method `states` of this or another batch has returned."""
        self._check_length(states, "record")
        self._states = self.device.to_device(states.copy())
        self._invalidate_moves()

    def reshuffle(self, seeds: Sequence[int] | Array) -> None:
        """Shuffle the deck and the bonus tokens left in the piles. Neither seat has seen these cards and tokens.

        `seeds` has one seed per entry. Equal positions with equal seeds stay equal.
        """
        self._check_length(seeds, "seed")
        numbers = self.device.to_device(np.array(seeds, np.int64))
        self._launch(kernels.reshuffle_all, self._states, numbers)
        self._invalidate_moves()

    def redeal(self, seeds: Sequence[int], odds: Sequence[int] = EVEN_ODDS) -> None:
        """Determinize all entries: resample everything that the seat to move has not seen.

        `odds` has an integer weight of at least 1 per good, then 0 for camels. The weight is the relative probability
        that an unseen card of this good is in the other seat's hand. `seeds` has one seed per entry. Equal positions
        with equal seeds stay equal.
        """
        self._check_length(seeds, "seed")
        if len(odds) != len(KINDS) or min(odds[:CAMEL]) < 1 or odds[CAMEL] != 0:
            raise SimulationError("Odds are six integers of at least 1, then 0 for camels.")
        arrays = [self.device.to_device(np.array(each, np.int64)) for each in (seeds, odds)]
        self._launch(kernels.redeal_all, self._states, self._buffers, *arrays)
        self._invalidate_moves()

    def moves(self) -> Moves:
        """Return the legal moves of every entry, in the order of `list_moves`. An entry that has ended has no moves."""
        if self._moves is None:
            self._list()
            counts = self.device.to_host(self._counts)
            ends = np.zeros(self._size + 1, np.int64)
            np.cumsum(counts, out=ends[1:])
            offsets = self.device.to_device(ends)
            codes = self.device.empty(int(ends[-1]), np.int32)
            self._owners = self.device.empty(int(ends[-1]), np.int32)
            self._launch(kernels.gather, self._buffers, offsets, codes, self._owners)
            self._moves = Moves(offsets, codes)
        return self._moves

    def features(self) -> DeviceArray:
        """Return the features of the seat to move, one row of `WIDTH` numbers per entry."""
        features = self.device.empty((self._size, WIDTH), np.float32)
        self._launch(kernels.observe_all, self._states, features)
        return features

    def afterstate_features(self, out: DeviceArray = None) -> DeviceArray:
        """Return the features of the afterstate of each legal move, one row per code of `moves()`.

        An afterstate is the position after a move, before the market is refilled and a bonus token is seen. The
        features show what the seat that moves knows. If `out` is given, the features are written to `out`, which may
        have more rows than needed.
        """
        moves = self.moves().codes.shape[0]
        features = self.device.empty((moves, WIDTH), np.float32) if out is None else out
        if features.shape[0] < moves or features.shape[1:] != (WIDTH,):
            raise SimulationError(
                f"out must have at least {moves} rows of {WIDTH}, not the shape {features.shape}."
            )
        self.run_move_kernel(kernels.observe_moves, features)
        return features

    def argmax(self, values: DeviceArray) -> DeviceArray:
        """Return, for each entry, the index into `moves().codes` of the move with the highest value.

        `values` has one value per move. If values are equal, the first index is returned.
        """
        offsets, codes = self.moves()
        numbers = self.device.as_device_array(values)
        if numbers.ndim != 1 or numbers.shape[0] < codes.shape[0]:
            raise SimulationError(
                f"One value per move is needed: {codes.shape[0]}, not the shape {numbers.shape}."
            )
        indices = self.device.empty(self._size, np.int32)
        self._launch(kernels.argmax, offsets, numbers, indices)
        return indices

    def step(self, codes: DeviceArray, *, checked: bool = True) -> Results:
        """Play one move per entry. In entries that have ended, the move is ignored.

        With `checked=False`, the moves are not checked. This is faster, but it is safe only for codes from `moves()`.
        """
        chosen = self.device.as_device_array(codes)
        if chosen.shape != (self._size,):
            raise SimulationError(
                f"One code per entry is needed: {self._size}, not the shape {chosen.shape}."
            )
        if chosen.dtype.kind not in "iu":
            raise SimulationError(f"Codes are integers, as in moves().codes, not {chosen.dtype}.")
        if checked:
            self._check_legal(chosen)
        self._launch(kernels.step, self._states, self._buffers, chosen, *self._mode)
        self._invalidate_moves()
        return self.results()

    def play_randomly(self, rounds: int) -> None:
        """Play uniformly random legal moves until each entry has finished `rounds` more rounds."""
        if rounds < 0:
            raise SimulationError(f"The number of rounds must be at least 0, not {rounds}.")
        self._launch(kernels.play_randomly, self._states, self._buffers, *self._mode, rounds)
        self._invalidate_moves()

    def results(self) -> Results:
        return Results(*map(self.field, Results._fields))

    def field(self, name: str) -> DeviceArray:
        """Return a field of all entries. `name` is a field of `STATE_DTYPE`.

        The result is a view of the memory if the device supports views.
        """
        if name not in STATE_DTYPE.fields:  # type: ignore[operator]  # a record has fields
            raise SimulationError(
                f"There is no field “{name}”; the fields are {', '.join(STATE_DTYPE.names or ())}."
            )
        return self.device.field(self._states, name)

    def position(self, index: int) -> Position:
        if not 0 <= index < self._size:
            raise SimulationError(f"Indices go from 0 to {self._size - 1}; there is no {index}.")
        return position_of(self.device.to_host(self._states)[index])

    def run_kernel(self, kernel: Function, *arguments: DeviceArray) -> None:
        """Compile your own kernel and run it over the entries.

        The call is `kernel(start, stop, states, *arguments)`.
        """
        self._launch(kernel, self._states, *arguments)

    def run_move_kernel(
        self, kernel: Function, *arguments: DeviceArray, start: int = 0, stop: int | None = None
    ) -> None:
        """Compile your own kernel and run it over the moves of `moves()`.

        The call is `kernel(start, stop, states, scratch, owners, codes, *arguments)`. `owners[move]` is the entry of
        a move, and `scratch` has one spare state per move.
        """
        codes = self.moves().codes
        moves = codes.shape[0]
        if self._scratch.shape[0] < moves:
            self._scratch = self.device.empty(moves + moves // 2, STATE_DTYPE)
        inputs = (self._states, self._scratch, self._owners, codes, *arguments)
        self.device.launch(kernel, moves if stop is None else stop, *inputs, start=start)

    def _launch(self, kernel: Function, *arguments: DeviceArray) -> None:
        self.device.launch(kernel, self._size, *arguments)

    def _invalidate_moves(self) -> None:
        self._listed, self._moves = False, None

    def _list(self) -> None:
        if not self._listed:
            self._launch(kernels.list_all, self._states, self._buffers, self._counts)
            self._listed = True

    def _check_length(self, items: Sized, name: str) -> None:
        if len(items) != self._size:
            raise SimulationError(
                f"One {name} per entry is needed: {self._size}, not {len(items)}."
            )

    def _check_legal(self, chosen: DeviceArray) -> None:
        self._list()
        report = self.device.zeros(2, np.int64)
        self._launch(kernels.check_legal, self._buffers, self._counts, chosen, report)
        running, illegal = map(int, self.device.to_host(report))
        if not running:
            raise SimulationError("Every entry has ended; call reset().")
        if illegal:
            code = int(self.device.to_host(chosen)[illegal - 1])
            raise SimulationError(
                f"Entry {illegal - 1} has no legal move with the code {code}; choose from moves()."
            )


def _make_device(name: str, threads: int) -> Device:
    if name == "gpu":
        from jaipur.simulation.gpu import GpuDevice  # noqa: PLC0415  # needs numba-cuda, an extra

        return GpuDevice()
    return PythonDevice() if name == "plain" else CpuDevice(threads)
