"""Many rounds or games side by side, each in a lane of its own: list, look, step, all lanes at once.

The arrays are NumPy's on the CPU. On the GPU they stay in its memory and have `__cuda_array_interface__`, so that
PyTorch, CuPy and JAX take them without a copy.
"""

from collections.abc import Sequence, Sized
from typing import Literal, NamedTuple

import numpy as np

from jaipur.rules import Deal, Position
from jaipur.rules.cards import CAMEL, KINDS
from jaipur.simulation import kernels as loops
from jaipur.simulation.compiler import Function
from jaipur.simulation.devices import Cpu, Device, Plain
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.features import WIDTH
from jaipur.simulation.layout import (
    LANE,
    LAYOUT,
    Array,
    DeviceArray,
    arrays_of,
    position_of,
    record_of,
)
from jaipur.simulation.rng import EVEN_ODDS

Plays = Literal["rounds", "games"]
HIGHEST_SEED = 2**63 - 1


class Moves(NamedTuple):
    """The legal moves of all lanes: those of lane i are `codes[offsets[i] : offsets[i + 1]]`."""

    offsets: DeviceArray
    codes: DeviceArray

    def evenly(self, draws: Array) -> Array:
        """A place in `codes` for every lane, picked by its number from 0 up to 1; NumPy's arrays only."""
        counts = np.diff(self.offsets)
        places: Array = self.offsets[:-1] + (draws * counts).astype(np.int64)
        return np.minimum(places, len(self.codes) - 1)


class Results(NamedTuple):
    """How the last step went, a number a lane; scores and the like are of the last round that ended there."""

    round_ended: DeviceArray
    """1 where the step ended a round."""
    game_ended: DeviceArray
    """1 where it ended a game."""
    winner: DeviceArray
    """The seat that took the seal, -1 for nobody."""
    game_winner: DeviceArray
    score: DeviceArray
    """Rupees by seat, camel token and all."""
    length: DeviceArray
    """How many moves the round had."""
    ending: DeviceArray
    """1 out of goods, 2 out of cards, 3 abandoned."""


class Batch:
    """Lanes that play side by side. `field` shows any field of the layout, as a view and not a copy."""

    layout = LAYOUT

    def __init__(
        self,
        lanes: int,
        *,
        plays: Plays = "rounds",
        seed: int = 0,
        goes_on: bool = True,
        device: Literal["cpu", "gpu", "plain"] = "cpu",
        threads: int = 1,
    ) -> None:
        """Deal a first round in every lane, lane i from the seed `seed + i`.

        A batch that `goes_on` deals anew where a round, or a game, has ended. In a game the next round always follows.
        """
        if lanes < 1:
            raise SimulationError(f"A batch has one lane or more, not {lanes}.")
        if threads < 1:
            raise SimulationError(f"Work is shared by one thread or more, not {threads}.")
        if plays not in ("rounds", "games"):
            raise SimulationError(f'A batch plays "rounds" or "games", not “{plays}”.')
        if device not in ("cpu", "gpu", "plain"):
            raise SimulationError(f'A batch lives on the "cpu" or the "gpu", not on “{device}”.')
        self.device: Device = (
            _gpu() if device == "gpu" else Plain() if device == "plain" else Cpu(threads)
        )
        self.goes_on = goes_on
        self.plays: Plays = plays
        self._size = lanes
        self._lanes = self.device.zeros(lanes, LANE)
        self._rows = self.device.rows(lanes)
        self._counts = self.device.zeros(lanes, np.int32)
        self._listed = False
        self._moves: Moves | None = None
        self._owners: DeviceArray = None
        self._copies: DeviceArray = self.device.empty(0, LANE)
        self.reset(seed)

    def __len__(self) -> int:
        return self._size

    def reset(self, seeds: int | Sequence[int] = 0) -> None:
        """Begin anew from a seed for every lane, or from one for the first lane and the next ones for the others."""
        if isinstance(seeds, int):
            seeds = range(seeds, seeds + self._size)
        self._one_a_lane(seeds, "seed")
        if not 0 <= min(seeds) <= max(seeds) <= HIGHEST_SEED:
            raise SimulationError("Seeds are whole numbers from 0 to 2**63 - 1.")
        numbers = self.device.put(np.array(seeds, np.int64))
        self._run(loops.start, self._lanes, self._rows, numbers)
        self._changed()

    def lay_out(self, deals: Sequence[Deal]) -> None:
        """Begin anew from given deals, one a lane. Later rounds come from the seeds."""
        self._one_a_lane(deals, "deal")
        self._run(loops.lay, self._lanes, *map(self.device.put, arrays_of(deals)))
        self._changed()

    def set_up(self, positions: Sequence[Position] | Position) -> None:
        """Begin anew from given positions, one a lane, or from one for all. Later rounds come from the seeds."""
        if isinstance(positions, Position):
            lanes = np.repeat(record_of(positions), self._size)
        else:
            self._one_a_lane(positions, "position")
            lanes = np.array([record_of(position) for position in positions], LANE)
        lanes["chance"] = self.device.get(self._lanes)["chance"]
        self._lanes = self.device.put(lanes)
        self._changed()

    def take_up(self, lanes: Array) -> None:
        """Go on from lanes as `lanes` gives them, of this batch or another."""
        self._one_a_lane(lanes, "record")
        self._lanes = self.device.put(lanes.copy())
        self._changed()

    def reshuffle(self, seeds: Sequence[int] | Array) -> None:
        """Shuffle what nobody has seen, deck and bonus tokens; lanes of one position and seed become the same."""
        self._one_a_lane(seeds, "seed")
        self._run(loops.reshuffle_all, self._lanes, self.device.put(np.array(seeds, np.int64)))
        self._changed()

    def redeal(self, seeds: Sequence[int], odds: Sequence[int] = EVEN_ODDS) -> None:
        """Deal anew what the seat to move has not seen; lanes of one position and seed become the same.

        Whole odds of one or more for every good say how likely a card of it is to be hidden beside the others.
        """
        self._one_a_lane(seeds, "seed")
        if len(odds) != len(KINDS) or min(odds[:CAMEL]) < 1 or odds[CAMEL] != 0:
            raise SimulationError(
                "Odds are six whole numbers of one or more, and zero for the camels."
            )
        numbers = [self.device.put(np.array(each, np.int64)) for each in (seeds, odds)]
        self._run(loops.redeal_all, self._lanes, self._rows, *numbers)
        self._changed()

    def moves(self) -> Moves:
        """The legal moves of every lane, in the order of the rules; none where a lane has ended."""
        if self._moves is None:
            self._list()
            counts = self.device.get(self._counts)
            ends = np.zeros(self._size + 1, np.int64)
            np.cumsum(counts, out=ends[1:])
            offsets = self.device.put(ends)
            codes = self.device.empty(int(ends[-1]), np.int32)
            self._owners = self.device.empty(int(ends[-1]), np.int32)
            self._run(loops.gather, self._rows, offsets, codes, self._owners)
            self._moves = Moves(offsets, codes)
        return self._moves

    def features(self) -> DeviceArray:
        """What the seat to move knows in every lane: a row of `WIDTH` numbers each."""
        features = self.device.empty((self._size, WIDTH), np.float32)
        self._run(loops.observe_all, self._lanes, features)
        return features

    def after_features(self, into: DeviceArray = None) -> DeviceArray:
        """What the seat to move would know after each of its moves: a row for each of `moves().codes`.

        That is before the market is refilled and a bonus token is looked at: chance is not given away. Given room to
        write `into`, of that many rows or more, nothing new is allocated.
        """
        moves = self.moves().codes.shape[0]
        features = self.device.empty((moves, WIDTH), np.float32) if into is None else into
        if features.shape[0] < moves or features.shape[1:] != (WIDTH,):
            raise SimulationError(
                f"Room for {moves} rows of {WIDTH} is needed, not {features.shape}."
            )
        self.run_over_moves(loops.observe_moves, features)
        return features

    def best(self, worths: DeviceArray) -> DeviceArray:
        """The place in `moves().codes` of every lane's move of the highest worth, the first of equals."""
        offsets, codes = self.moves()
        numbers = self.device.take(worths)
        if numbers.ndim != 1 or numbers.shape[0] < codes.shape[0]:
            raise SimulationError(
                f"Every move needs a worth: {codes.shape[0]}, not {numbers.shape}."
            )
        places = self.device.empty(self._size, np.int32)
        self._run(loops.best, offsets, numbers, places)
        return places

    def step(self, codes: DeviceArray, *, checked: bool = True) -> Results:
        """Play one move a lane; lanes that have ended ignore theirs. Unchecked is faster, for moves just listed."""
        chosen = self._chosen(codes)
        if checked:
            self._check(chosen)
        self._run(loops.step, self._lanes, self._rows, chosen, *self._manner())
        self._changed()
        return self.results()

    def play_randomly(self, rounds: int) -> None:
        """Play until every lane has ended so many more rounds, each move picked evenly from the full list of moves."""
        if rounds < 0:
            raise SimulationError(f"No lane can play {rounds} rounds.")
        self._run(loops.play_randomly, self._lanes, self._rows, *self._manner(), rounds)
        self._changed()

    def results(self) -> Results:
        """How the last step went."""
        return Results(*map(self.field, Results._fields))

    def field(self, name: str) -> DeviceArray:
        """A field of every lane, by its name in the layout."""
        if name not in LANE.fields:  # type: ignore[operator]  # a record has fields
            raise SimulationError(
                f"No field is called “{name}”; they are {', '.join(LANE.names or ())}."
            )
        return self.device.column(self._lanes, name)

    def lanes(self) -> Array:
        """All lanes with all their fields, copied to the CPU."""
        return np.array(self.device.get(self._lanes))

    def position(self, lane: int) -> Position:
        """A lane's position as the rules know it."""
        if not 0 <= lane < self._size:
            raise SimulationError(
                f"Lanes are numbered 0 to {self._size - 1}; there is no lane {lane}."
            )
        return position_of(self.device.get(self._lanes)[lane])

    def run(self, loop: Function, *arguments: DeviceArray) -> None:
        """Run a loop of one's own over the lanes, compiled for the device: `loop(first, last, lanes, *arguments)`."""
        self._run(loop, self._lanes, *arguments)

    def run_over_moves(
        self, loop: Function, *arguments: DeviceArray, first: int = 0, last: int | None = None
    ) -> None:
        """Run a loop of one's own over `moves()`: `loop(first, last, lanes, copies, owners, codes, *arguments)`.

        A move has its lane's number in `owners`; `copies` is room for a lane for every move.
        """
        codes = self.moves().codes
        moves = codes.shape[0]
        if self._copies.shape[0] < moves:
            self._copies = self.device.empty(moves + moves // 2, LANE)
        given = (self._lanes, self._copies, self._owners, codes, *arguments)
        self.device.run(loop, moves if last is None else last, *given, first=first)

    def _run(self, loop: Function, *arguments: DeviceArray) -> None:
        self.device.run(loop, self._size, *arguments)

    def _changed(self) -> None:
        self._listed, self._moves = False, None

    def _list(self) -> None:
        if not self._listed:
            self._run(loops.list_all, self._lanes, self._rows, self._counts)
            self._listed = True

    def _manner(self) -> tuple[int, int]:
        return loops.GAMES if self.plays == "games" else loops.ROUNDS, int(self.goes_on)

    def _one_a_lane(self, things: Sized, name: str) -> None:
        if len(things) != self._size:
            raise SimulationError(f"One {name} a lane is needed: {self._size}, not {len(things)}.")

    def _chosen(self, codes: DeviceArray) -> DeviceArray:
        chosen = self.device.take(codes)
        if chosen.shape != (self._size,):
            raise SimulationError(
                f"A step needs one code a lane: {self._size}, not the shape {chosen.shape}."
            )
        if chosen.dtype.kind not in "iu":
            raise SimulationError(
                f"Codes are whole numbers, as in moves().codes, not {chosen.dtype}."
            )
        return chosen

    def _check(self, chosen: DeviceArray) -> None:
        self._list()
        notes = self.device.zeros(2, np.int64)
        self._run(loops.check, self._rows, self._counts, chosen, notes)
        running, wrong = map(int, self.device.get(notes))
        if not running:
            raise SimulationError("Every lane has ended; reset() begins anew.")
        if wrong:
            code = int(self.device.get(chosen)[wrong - 1])
            raise SimulationError(
                f"Lane {wrong - 1} has no legal move with the code {code}; choose from moves()."
            )


def _gpu() -> Device:
    from jaipur.simulation.gpu import Gpu  # noqa: PLC0415  # only whoever asks for a GPU needs numba-cuda

    return Gpu()
