"""Where a batch lives and who does its work: what a device is, and the CPU, by compiled threads or plain Python."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import DTypeLike

from jaipur.rules.listing import MOST_MOVES
from jaipur.simulation.compiler import Function, door_for_cpu
from jaipur.simulation.layout import LANE, Array, DeviceArray, lane_of


class Device(Protocol):
    """Memory, and loops over lanes. Its arrays are NumPy's, or such that other libraries take as they are."""

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        """A new array of zeros."""

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        """A new array of whatever lies there."""

    def rows(self, lanes: int) -> DeviceArray:
        """Room for the moves of every lane."""

    def table(self, rows: int, width: int) -> DeviceArray:
        """Room for rows of float32, as the device writes them fastest."""

    def columns(self, table: DeviceArray) -> DeviceArray:
        """The same numbers with a row for every column, in such an order that any library takes them."""

    def put(self, array: Array) -> DeviceArray:
        """An array of the device with these numbers."""

    def take(self, numbers: DeviceArray) -> DeviceArray:
        """An array of the device with numbers from anywhere."""

    def get(self, array: DeviceArray) -> Array:
        """The numbers of an array of the device."""

    def column(self, lanes: DeviceArray, field: str) -> DeviceArray:
        """A field of every lane, as a view into the lanes."""

    def run(self, loop: Function, last: int, *arguments: DeviceArray, first: int = 0) -> None:
        """Run a loop of `lanes` from the first of them up to the last."""

    def wait(self) -> None:
        """Wait until all that was asked for is done; whoever looks at an array waits anyway."""


class Cpu:
    """Threads that share the lanes among them."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> Array:
        return np.zeros(shape, dtype)

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> Array:
        return np.empty(shape, dtype)

    def rows(self, lanes: int) -> Array:
        return np.zeros((lanes, MOST_MOVES), np.int32)

    def table(self, rows: int, width: int) -> Array:
        return np.zeros((rows, width), np.float32)

    def columns(self, table: Array) -> Array:
        return table.T

    def put(self, array: Array) -> Array:
        return array

    def take(self, numbers: DeviceArray) -> Array:
        # Of one type, whatever is given: processes that keep two versions of a door at once would mix them up.
        given = np.asarray(numbers)
        return given.astype(np.int64 if given.dtype.kind in "iu" else np.float64, copy=False)

    def get(self, array: Array) -> Array:
        return array

    def column(self, lanes: Array, field: str) -> Array:
        column: Array = lanes[field]
        return column

    def run(self, loop: Function, last: int, *arguments: DeviceArray, first: int = 0) -> None:
        door = door_for_cpu(loop)
        if self._pool is None:
            door(first, last, *arguments)
            return
        cuts = [first + (last - first) * part // self._threads for part in range(self._threads + 1)]
        for done in [self._pool.submit(door, *cut, *arguments) for cut in pairwise(cuts)]:
            done.result()

    def wait(self) -> None:
        """Loops have ended when they come back."""


class Plain(Cpu):
    """Where Numba is missing or not ready: lanes are objects, and the loops run as they are written."""

    def __init__(self) -> None:
        super().__init__(1)

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> Array:
        return self.put(np.zeros(shape, dtype))

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> Array:
        # One lane is room enough for whoever works alone.
        return np.repeat(self.zeros(1, LANE), shape) if dtype is LANE else np.empty(shape, dtype)

    def rows(self, lanes: int) -> Array:
        return np.zeros((lanes, MOST_MOVES), np.int64)

    def put(self, array: Array) -> Array:
        if array.dtype != LANE:
            return array
        lanes = np.empty(len(array), object)
        lanes[:] = [lane_of(record) for record in array]
        return lanes

    def get(self, array: Array) -> Array:
        if array.dtype != object:
            return array
        records = np.zeros(len(array), LANE)
        for name in LANE.names or ():
            records[name] = self.column(array, name)
        return records

    def column(self, lanes: Array, field: str) -> Array:
        return np.array([getattr(lane, field) for lane in lanes])

    def run(self, loop: Function, last: int, *arguments: DeviceArray, first: int = 0) -> None:
        loop(first, last, *arguments)
