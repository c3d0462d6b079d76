"""The GPU as a device: the same loops over lanes as CUDA kernels, made by numba-cuda, a thread a lane.

Imported only where somebody asks for a GPU. With NUMBA_ENABLE_CUDASIM=1 Numba's simulator stands in for one, slowly.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba.core import config
from numpy.typing import DTypeLike

from jaipur.rules.listing import MOST_MOVES
from jaipur.simulation.compiler import Function, Table, array_of, rebuilt
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.kernels import first_lane, stride
from jaipur.simulation.layout import Array, DeviceArray

SIMULATED = bool(vars(config)["ENABLE_CUDASIM"])

if not SIMULATED:
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda 0.30 still asks for what NumPy 2.5 no longer has
    if find_spec("numba_cuda") is None:
        raise SimulationError('A GPU needs numba-cuda: install it with pip install "jaipur[gpu]".')

cuda: Any = import_module("numba.cuda")

SMALL_TABLE = 1000
"""Longer tables do not fit into a GPU's memory for constants."""
THREADS_A_BLOCK = 128


class Gpu:
    """One GPU; each of its threads has a lane."""

    def __init__(self) -> None:
        if not cuda.is_available():
            raise SimulationError('No GPU was found; leave out device="gpu" to play on the CPU.')

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        return self.put(np.zeros(shape, dtype))

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        return self.zeros(shape, dtype) if SIMULATED else cuda.device_array(shape, dtype)

    def rows(self, lanes: int) -> DeviceArray:
        # The first moves of all lanes lie together, then the second ones: threads write side by side.
        return self.put(np.zeros((lanes, MOST_MOVES), np.int32, order="F"))

    def table(self, rows: int, width: int) -> DeviceArray:
        return self.put(np.zeros((rows, width), np.float32, order="F"))

    def columns(self, table: DeviceArray) -> DeviceArray:
        return self.put(self.get(table).T) if SIMULATED else Turned(table)

    def put(self, array: Array) -> DeviceArray:
        return cuda.to_device(array.astype(_wide(array.dtype)) if SIMULATED else array)

    def take(self, numbers: DeviceArray) -> DeviceArray:
        if SIMULATED:
            return numbers if hasattr(numbers, "copy_to_host") else self.put(np.asarray(numbers))
        if hasattr(numbers, "__cuda_array_interface__"):
            return cuda.as_cuda_array(numbers)
        return self.put(np.asarray(numbers))

    def get(self, array: DeviceArray) -> Array:
        host: Array = array.copy_to_host()
        return host

    def column(self, lanes: DeviceArray, field: str) -> DeviceArray:
        return lanes[field] if SIMULATED else Column(lanes, field)

    def run(self, loop: Function, last: int, *arguments: DeviceArray, first: int = 0) -> None:
        if last <= first:
            return  # a kernel has a thread or more
        blocks = -(-(last - first) // THREADS_A_BLOCK)
        threads = min(last - first, THREADS_A_BLOCK)
        kernel_of(loop)[blocks, threads](first, last, *arguments)  # type: ignore[index]  # a kernel is launched so

    def wait(self) -> None:
        cuda.synchronize()


class Turned:
    """A table whose columns lie together, seen as rows, for whoever knows `__cuda_array_interface__`."""

    def __init__(self, table: DeviceArray) -> None:
        self._table = table
        whole = table.__cuda_array_interface__
        self.__cuda_array_interface__ = whole | {"shape": table.shape[::-1], "strides": None}


class Column:
    """A field of every lane in a GPU's memory, for whoever knows `__cuda_array_interface__`: PyTorch, CuPy, JAX."""

    def __init__(self, lanes: DeviceArray, field: str) -> None:
        self._lanes, self._field = lanes, field
        kind, offset = lanes.dtype.fields[field][:2]
        whole = lanes.__cuda_array_interface__
        self.__cuda_array_interface__ = {
            "shape": (*lanes.shape, *kind.shape),
            "strides": (lanes.dtype.itemsize, *np.empty(kind.shape, kind.base).strides),
            "typestr": kind.base.str,
            "data": (whole["data"][0] + offset, False),
            "stream": whole.get("stream"),
            "version": whole["version"],
        }

    def copy_to_host(self) -> Array:
        host: Array = self._lanes.copy_to_host()[self._field]
        return host


@cache
def kernel_of(loop: Function) -> Function:
    """The kernel of a loop over lanes."""
    kernel: Function = cuda.jit(_rebuilt(loop))
    return kernel


@cache
def _twin_of(function: Function) -> Function:
    twin: Function = cuda.jit(device=True)(_rebuilt(function))
    return twin


def _rebuilt(function: Function) -> Function:
    return rebuilt(function, {first_lane: own_lane, stride: all_threads}, _twin_of, _table)


def own_lane(first: int) -> int:
    lane: int = first + cuda.grid(1)
    return lane


def all_threads() -> int:
    threads: int = cuda.gridsize(1)
    return threads


@cache
def _table(table: Table) -> DeviceArray:
    array = array_of(table)
    if SIMULATED:
        return array.astype(_wide(array.dtype))
    return cuda.to_device(array) if len(table) > SMALL_TABLE else array


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same fields of 64 bits: the simulator computes in NumPy's scalars, and small ones overflow."""
    if dtype.names is not None:
        return np.dtype(
            [(name, _wide(dtype[name].base), dtype[name].shape) for name in dtype.names]
        )
    return np.dtype(np.int64) if dtype.kind == "i" else dtype
