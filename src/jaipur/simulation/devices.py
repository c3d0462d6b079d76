"""The devices that run a batch: the common interface, compiled CPU threads, and plain Python. `gpu.py` has the GPU."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike

from jaipur.rules.listing import MOST_MOVES
from jaipur.simulation.compiler import Function, cpu_kernel
from jaipur.simulation.layout import STATE_DTYPE, Array, DeviceArray, state_of


class Device:
    """Allocates arrays and runs kernels. This base class allocates NumPy arrays. Subclasses run the kernels."""

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        return np.zeros(shape, dtype)

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        return np.empty(shape, dtype)

    def move_buffers(self, size: int) -> DeviceArray:
        """Allocate one buffer per entry for its legal moves."""
        return np.zeros((size, MOST_MOVES), np.int32)

    def feature_table(self, rows: int, width: int) -> DeviceArray:
        """Allocate a float32 table in the memory order that is fastest for kernels."""
        return np.zeros((rows, width), np.float32)

    def transposed(self, table: DeviceArray) -> DeviceArray:
        """Return the transpose of a feature table, in a memory order that other array libraries accept."""
        return table.T

    def to_device(self, array: Array) -> DeviceArray:
        return array

    def as_device_array(self, array: DeviceArray) -> DeviceArray:
        """Convert a list, or an array of any library, to a device array."""
        # Always use the same dtype, because each dtype needs its own compiled version in Numba's cache. The cache has
        # no lock and could mix up two versions that two processes save at the same time.
        host = np.asarray(array)
        return host.astype(np.int64 if host.dtype.kind in "iu" else np.float64, copy=False)

    def to_host(self, array: DeviceArray) -> Array:
        host: Array = array
        return host

    def field(self, states: DeviceArray, name: str) -> DeviceArray:
        """Return a field of all entries. The result is a view of the memory if the device supports views."""
        return states[name]

    def launch(self, kernel: Function, stop: int, *arguments: DeviceArray, start: int = 0) -> None:
        """Run a kernel of `kernels.py` over the indices from `start` to `stop - 1`."""
        raise NotImplementedError

    def synchronize(self) -> None:
        """Wait until all launched kernels have finished. On the CPU, `launch` itself waits."""


class CpuDevice(Device):
    """Runs compiled kernels on CPU threads. Each thread processes a part of the range."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def launch(self, kernel: Function, stop: int, *arguments: DeviceArray, start: int = 0) -> None:
        compiled = cpu_kernel(kernel)
        if self._pool is None:
            compiled(start, stop, *arguments)
            return
        cuts = [start + (stop - start) * part // self._threads for part in range(self._threads + 1)]
        for task in [self._pool.submit(compiled, *cut, *arguments) for cut in pairwise(cuts)]:
            task.result()


class PythonDevice(Device):
    """Runs the kernels as plain Python on objects, for use without Numba or while Numba is compiling."""

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> Array:
        return self.to_device(np.zeros(shape, dtype))

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> Array:
        if dtype is not STATE_DTYPE:
            return np.empty(shape, dtype)
        # Empty arrays of states are scratch memory. With a single thread, all indices can share one object.
        return np.repeat(self.zeros(1, STATE_DTYPE), shape)

    def move_buffers(self, size: int) -> Array:
        return np.zeros((size, MOST_MOVES), np.int64)

    def to_device(self, array: Array) -> Array:
        if array.dtype != STATE_DTYPE:
            return array
        states = np.empty(len(array), object)
        states[:] = [state_of(record) for record in array]
        return states

    def to_host(self, array: Array) -> Array:
        if array.dtype != object:
            return array
        records = np.zeros(len(array), STATE_DTYPE)
        for name in STATE_DTYPE.names or ():
            records[name] = self.field(array, name)
        return records

    def field(self, states: Array, name: str) -> Array:
        return np.array([getattr(state, name) for state in states])

    def launch(self, kernel: Function, stop: int, *arguments: DeviceArray, start: int = 0) -> None:
        kernel(start, stop, *arguments)
