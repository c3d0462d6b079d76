"""Runs the rules on a GPU. numba-cuda compiles the kernels of `kernels.py`, and each CUDA thread runs one batch entry.

`compiler.rebind` copies each function, so that the copy calls CUDA device functions. It also replaces `first_index` and
`stride`, so that each thread starts at its own index. `Batch(device="gpu")` imports this module. If the environment
variable NUMBA_ENABLE_CUDASIM is 1, Numba's simulator replaces the GPU. The simulator is slow and only used by tests.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba.core import config
from numpy.typing import DTypeLike

from jaipur.rules.listing import MOST_MOVES
from jaipur.simulation.compiler import Function, Table, rebind, table_array
from jaipur.simulation.devices import Device
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.kernels import first_index, stride
from jaipur.simulation.layout import Array, DeviceArray

SIMULATED = bool(vars(config)["ENABLE_CUDASIM"])

if not SIMULATED:
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda 0.30 uses this alias, which NumPy 2.5 has removed
    if find_spec("numba_cuda") is None:
        raise SimulationError('A GPU needs numba-cuda: install it with pip install "jaipur[gpu]".')

cuda: Any = import_module("numba.cuda")

MAX_CONSTANT_TABLE = 1000
"""Tables with more entries than this are stored in global memory, because constant memory is small."""
THREADS_PER_BLOCK = 128


class GpuDevice(Device):
    """One CUDA GPU."""

    def __init__(self) -> None:
        if not cuda.is_available():
            raise SimulationError('No GPU was found; leave out device="gpu" to play on the CPU.')

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        return self.to_device(np.zeros(shape, dtype))

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        return self.zeros(shape, dtype) if SIMULATED else cuda.device_array(shape, dtype)

    def move_buffers(self, size: int) -> DeviceArray:
        # In column-major order, neighbouring threads write to neighbouring addresses (coalesced access).
        return self.to_device(np.zeros((size, MOST_MOVES), np.int32, order="F"))

    def feature_table(self, rows: int, width: int) -> DeviceArray:
        return self.to_device(np.zeros((rows, width), np.float32, order="F"))

    def transposed(self, table: DeviceArray) -> DeviceArray:
        return self.to_device(self.to_host(table).T) if SIMULATED else TransposedTable(table)

    def to_device(self, array: Array) -> DeviceArray:
        return cuda.to_device(array.astype(_wide(array.dtype)) if SIMULATED else array)

    def as_device_array(self, array: DeviceArray) -> DeviceArray:
        if SIMULATED:
            return array if hasattr(array, "copy_to_host") else self.to_device(np.asarray(array))
        if hasattr(array, "__cuda_array_interface__"):
            return cuda.as_cuda_array(array)
        return self.to_device(np.asarray(array))

    def to_host(self, array: DeviceArray) -> Array:
        host: Array = array.copy_to_host()
        return host

    def field(self, states: DeviceArray, name: str) -> DeviceArray:
        return states[name] if SIMULATED else FieldView(states, name)

    def launch(self, kernel: Function, stop: int, *arguments: DeviceArray, start: int = 0) -> None:
        if stop <= start:
            return  # CUDA does not accept an empty grid
        blocks = -(-(stop - start) // THREADS_PER_BLOCK)
        threads = min(stop - start, THREADS_PER_BLOCK)
        gpu_kernel(kernel)[blocks, threads](start, stop, *arguments)  # type: ignore[index]  # CUDA launch syntax

    def synchronize(self) -> None:
        cuda.synchronize()


class TransposedTable:
    """The transpose of a column-major table. It is row-major and shares the memory of the table.

    Other array libraries read it through `__cuda_array_interface__`.
    """

    def __init__(self, table: DeviceArray) -> None:
        self._table = table
        interface = table.__cuda_array_interface__
        self.__cuda_array_interface__ = interface | {"shape": table.shape[::-1], "strides": None}


class FieldView:
    """A field of all records, without a copy. It shares the GPU memory of the records.

    PyTorch, CuPy and JAX read it through `__cuda_array_interface__`.
    """

    def __init__(self, states: DeviceArray, name: str) -> None:
        self._states, self._name = states, name
        kind, offset = states.dtype.fields[name][:2]
        interface = states.__cuda_array_interface__
        self.__cuda_array_interface__ = {
            "shape": (*states.shape, *kind.shape),
            "strides": (states.dtype.itemsize, *np.empty(kind.shape, kind.base).strides),
            "typestr": kind.base.str,
            "data": (interface["data"][0] + offset, False),
            "stream": interface.get("stream"),
            "version": interface["version"],
        }

    def copy_to_host(self) -> Array:
        host: Array = self._states.copy_to_host()[self._name]
        return host


@cache
def gpu_kernel(function: Function) -> Function:
    """Compile a function of `kernels.py` as a CUDA kernel."""
    kernel: Function = cuda.jit(_rebound(function))
    return kernel


@cache
def device_function(function: Function) -> Function:
    """Compile a function of the rules as a CUDA device function, which kernels can call."""
    compiled: Function = cuda.jit(device=True)(_rebound(function))
    return compiled


def _rebound(function: Function) -> Function:
    replacements: dict[Function, Function] = {first_index: thread_index, stride: thread_count}
    return rebind(function, replacements, device_function, _device_table)


def thread_index(start: int) -> int:
    """Replaces `kernels.first_index`."""
    index: int = start + cuda.grid(1)
    return index


def thread_count() -> int:
    """Replaces `kernels.stride`."""
    threads: int = cuda.gridsize(1)
    return threads


@cache
def _device_table(table: Table) -> DeviceArray:
    array = table_array(table)
    if SIMULATED:
        return array.astype(_wide(array.dtype))
    return cuda.to_device(array) if len(table) > MAX_CONSTANT_TABLE else array


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype with 64-bit integers. The simulator computes with NumPy scalars, and small integers overflow."""
    if dtype.names is not None:
        return np.dtype(
            [(name, _wide(dtype[name].base), dtype[name].shape) for name in dtype.names]
        )
    return np.dtype(np.int64) if dtype.kind == "i" else dtype
