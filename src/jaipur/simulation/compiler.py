"""Compiles the functions of the rules with Numba, without a change to their code.

`rebind` copies a function. The copy has the same code, but it calls compiled functions and reads tables as arrays.
`cpu_function` and `cpu_kernel` compile such copies for the CPU. `gpu.py` does the same for CUDA. CPU kernels are
cached on disk. The name of the cache folder contains a digest of all sources, so changed rules are compiled again.
"""

import os
import platform
import shutil
from collections.abc import Callable, Mapping
from dis import get_instructions
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from jaipur import folders
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.layout import Array

Function = Callable[..., Any]
Table = tuple[int, ...] | tuple[float, ...]

NO_NUMBA = 'Compiled rules need Numba: install it with pip install "jaipur[fast]".'
CACHE_FILE = "rules.py"
MAX_CACHE_FOLDERS = 5

_PACKAGE = Path(__file__).parent.parent
_NOTE = '"""Numba caches compiled functions next to this file. You can delete this folder at any time."""\n'


def require_numba() -> ModuleType:
    """Import Numba. If it is missing, raise an error that names the extra to install."""
    try:
        import numba  # noqa: PLC0415  # optional
    except ImportError as error:
        raise SimulationError(NO_NUMBA) from error
    return cast("ModuleType", numba)


@cache
def cpu_function(function: Function) -> Function:
    """Compile a function that other compiled functions call."""
    numba = require_numba()
    compiled: Function = numba.njit(nogil=True)(rebind(function, {}, cpu_function, table_array))
    return compiled


@cache
def cpu_kernel(function: Function) -> Function:
    """Compile a function that Python calls. The compiled function is cached on disk and releases the GIL."""
    numba = require_numba()
    bound = rebind(function, {}, cpu_function, table_array)
    folder = cache_folder()
    if folder is not None:
        # Numba stores its cache next to the source file of a function, and uses the timestamp of the file as a key.
        # Pretend that the source file is in our cache folder.
        bound.__code__ = bound.__code__.replace(co_filename=str(folder / CACHE_FILE))
    kernel: Function = numba.njit(nogil=True, cache=folder is not None)(bound)
    return kernel


def rebind(
    function: Function,
    replacements: Mapping[Function, Function],
    compile_function: Callable[[Function], Function],
    convert_table: Callable[[Table], object],
) -> FunctionType:
    """Copy a function so that it calls compiled functions and reads arrays.

    `replacements` maps functions to device-specific versions, for example `first_index` on a GPU.
    """

    def convert(value: object) -> object:
        if isinstance(value, FunctionType):
            return compile_function(replacements.get(value, value))
        if isinstance(value, tuple) and all(isinstance(number, int | float) for number in value):
            return convert_table(value)
        return value

    assert isinstance(function, FunctionType)
    # Do not use `co_names`, because it includes attribute names. The field `rupees` would look like the function
    # `rupees`.
    names = {step.argval for step in get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    outer = function.__globals__
    namespace = {name: convert(outer[name]) for name in names if name in outer}
    namespace["__name__"] = function.__module__
    return FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)


@cache
def table_array(table: Table) -> Array:
    """Convert a table of the rules to an array, because Numba would compile a long tuple element by element."""
    return np.array(table, np.float32 if isinstance(table[0], float) else np.int32)


@cache
def cache_folder() -> Path | None:
    """Return the folder for compiled kernels, or None if it is not writable.

    Without this folder, every process compiles the kernels again.
    """
    folder = folders.cache_folder() / f"compiled-{digest()}"
    if not folder.is_absolute():
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / CACHE_FILE).exists():
            _initialise(folder)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _initialise(folder: Path) -> None:
    """Create the file that Numba takes for the source file of the kernels, and delete the oldest cache folders."""
    temporary = folder / f"{os.getpid()}.part"
    temporary.write_text(_NOTE)
    temporary.replace(folder / CACHE_FILE)
    folders = sorted(folder.parent.glob("compiled-*"), key=lambda other: other.stat().st_mtime)
    for old in folders[:-MAX_CACHE_FOLDERS]:
        shutil.rmtree(old, ignore_errors=True)


def digest() -> str:
    """Return 16 hexadecimal digits that change with the sources and with the versions of Python, Numba and NumPy."""
    numba = require_numba()
    hashed = sha256(f"{platform.python_version()} {numba.__version__} {np.__version__}".encode())
    sources = "rules/*.py", "simulation/*.py", "envs/*.py", "training/*.py"
    for source in sorted(file for files in sources for file in _PACKAGE.glob(files)):
        hashed.update(source.name.encode() + b"\0" + source.read_bytes())
    return hashed.hexdigest()[:16]
