"""The rule functions compiled with Numba exactly as they stand, over a record with the fields of a position.

Each function is rebuilt over a namespace in which the functions it calls are their compiled twins and long tables are
arrays. Nothing of the rules is written a second time here.
"""

from collections.abc import Callable
from dis import get_instructions
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit

from jaipur.rules import Position

LONGEST_TUPLE = 100
"""Numba compiles a tuple place by place; longer tables have to be arrays."""


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The twin of a rule function."""
    assert isinstance(function, FunctionType)
    # Not `co_names`: those hold the fields as well, and the field `rupees` is not the function.
    names = {step.argval for step in get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    outside = function.__globals__
    namespace = {name: _ready(outside[name]) for name in names if name in outside}
    twin: Callable[..., Any] = njit(FunctionType(function.__code__, namespace, function.__name__))
    return twin


def _ready(thing: object) -> object:
    if isinstance(thing, FunctionType):
        return compiled(thing)
    if isinstance(thing, tuple) and len(thing) > LONGEST_TUPLE:
        return np.array(thing, np.int64)
    return thing


def _field(name: str) -> tuple[str, Any] | tuple[str, Any, int]:
    value = getattr(Position(), name)
    return (name, np.int64, len(value)) if isinstance(value, list) else (name, np.int64)


FIELDS = Position.__slots__
RECORD = np.dtype([_field(name) for name in FIELDS])


def record_of(position: Position) -> np.void:
    """A record of the same position."""
    record: np.void = np.zeros(1, RECORD)[0]
    for name in FIELDS:
        record[name] = getattr(position, name)
    return record


def position_of(record: np.void) -> Position:
    position = Position()
    for name in FIELDS:
        setattr(position, name, record[name].tolist())
    return position
