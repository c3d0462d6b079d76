"""Reading JSON with suspicion: each field is there and has its type, or the error names it."""

import json
from collections.abc import Iterable, Mapping
from typing import TypeVar

from jaipur.notation.errors import NotationError

Value = TypeVar("Value")
Data = Mapping[str, object]


def parse_object(text: str) -> dict[str, object]:
    """A JSON object; doubled names, NaN and what is nested without end are refused."""
    try:
        data = json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_no_constant)
    except NotationError:
        raise
    except json.JSONDecodeError as error:
        raise NotationError(f"This is not JSON: {error.msg}", text, error.pos) from None
    except (ValueError, RecursionError):
        raise NotationError("This JSON is too large to be meant", text, 0) from None
    if not isinstance(data, dict):
        raise NotationError("This JSON is not an object", text, 0)
    return data


def field(data: Data, name: str, kind: type[Value]) -> Value:
    """The field of that name, which must be there and of this very type."""
    if name not in data:
        raise NotationError(f"“{name}” is missing")
    return typed(data[name], kind, name)


def optional(data: Data, name: str, kind: type[Value]) -> Value | None:
    """The field of that name, which must be there and may be null."""
    return None if name in data and data[name] is None else field(data, name, kind)


def numbers(data: Data, name: str) -> tuple[int, ...]:
    return tuple(typed(number, int, name) for number in field(data, name, list))


def pair(data: Data, name: str) -> tuple[int, int]:
    """Two numbers, by seat."""
    found = numbers(data, name)
    if len(found) != 2:
        raise NotationError(f"“{name}” has {len(found)} numbers instead of two")
    return found[0], found[1]


def typed(value: object, kind: type[Value], name: str) -> Value:
    # A bool is an int to Python, not to us.
    if type(value) is not kind:
        raise NotationError(f"“{name}” is not {_KINDS[kind]}")
    return value


_KINDS: Mapping[type, str] = {
    int: "a whole number",
    str: "a text",
    list: "a list",
    dict: "an object",
}


def _without_doubles(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    data: dict[str, object] = {}
    for name, value in pairs:
        if name in data:
            raise NotationError("A name stands twice in one object", name, 0)
        data[name] = value
    return data


def _no_constant(name: str) -> object:
    raise NotationError(f"{name} is not a number")
