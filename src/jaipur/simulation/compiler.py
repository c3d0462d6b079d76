"""Compiling the rulebook as it stands: every function gets a twin for the CPU or the GPU, and none is written twice.

A twin is the function's own code over a namespace in which the functions it calls are twins too and tables are arrays.
Those that are called from Python are kept on disk, in a folder named after the sources they were made from.
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
FILE = "rules.py"
FOLDERS_KEPT = 5

_PACKAGE = Path(__file__).parent.parent
_NOTE = '"""Numba keeps compiled functions beside this file. The folder can be deleted at any time."""\n'


def require_numba() -> ModuleType:
    """Import Numba, or raise an error that names the extra."""
    try:
        import numba  # noqa: PLC0415  # optional
    except ImportError as missing:
        raise SimulationError(NO_NUMBA) from missing
    return cast("ModuleType", numba)


@cache
def for_cpu(function: Function) -> Function:
    """The twin that compiled functions call."""
    numba = require_numba()
    twin: Function = numba.njit(nogil=True)(rebuilt(function, {}, for_cpu, array_of))
    return twin


@cache
def door_for_cpu(function: Function) -> Function:
    """The twin that Python calls: kept on disk, and without the interpreter's lock, so that threads share work."""
    numba = require_numba()
    twin = rebuilt(function, {}, for_cpu, array_of)
    folder = cache_folder()
    if folder is not None:
        # Numba keeps what it compiled beside the file a function comes from, as long as that file does not change.
        twin.__code__ = twin.__code__.replace(co_filename=str(folder / FILE))
    door: Function = numba.njit(nogil=True, cache=folder is not None)(twin)
    return door


def rebuilt(
    function: Function,
    instead: Mapping[Function, Function],
    twin_of: Callable[[Function], Function],
    table_of: Callable[[Table], object],
) -> FunctionType:
    """The function's code over twins and tables; `instead` names functions that a device has of its own."""

    def ready(thing: object) -> object:
        if isinstance(thing, FunctionType):
            return twin_of(instead.get(thing, thing))
        if isinstance(thing, tuple) and all(isinstance(number, int | float) for number in thing):
            return table_of(thing)
        return thing

    assert isinstance(function, FunctionType)
    # Not `co_names`: those hold the fields as well, and the field `rupees` is not the function.
    names = {step.argval for step in get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    outside = function.__globals__
    namespace = {name: ready(outside[name]) for name in names if name in outside}
    namespace["__name__"] = function.__module__
    return FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)


@cache
def array_of(table: Table) -> Array:
    """A table of the rules as an array; Numba would compile a long tuple place by place."""
    return np.array(table, np.float32 if isinstance(table[0], float) else np.int32)


@cache
def cache_folder() -> Path | None:
    """Where compiled functions are kept, or None where nothing can be: then every process compiles anew."""
    folder = folders.cache_folder() / f"compiled-{digest()}"
    if not folder.is_absolute():
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / FILE).exists():
            _settle_in(folder)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _settle_in(folder: Path) -> None:
    """Make the file that compiled functions lie beside, and let go of folders of long changed sources."""
    made = folder / f"{os.getpid()}.part"
    made.write_text(_NOTE)
    made.replace(folder / FILE)
    others = sorted(folder.parent.glob("compiled-*"), key=lambda other: other.stat().st_mtime)
    for other in others[:-FOLDERS_KEPT]:
        shutil.rmtree(other, ignore_errors=True)


def digest() -> str:
    """Sixteen letters that change with the rules, the lab and what compiles them."""
    numba = require_numba()
    seen = sha256(f"{platform.python_version()} {numba.__version__} {np.__version__}".encode())
    sources = "rules/*.py", "simulation/*.py", "envs/*.py", "training/*.py"
    for source in sorted(file for files in sources for file in _PACKAGE.glob(files)):
        seen.update(source.name.encode() + b"\0" + source.read_bytes())
    return seen.hexdigest()[:16]
