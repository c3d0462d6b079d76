"""Decode JSON input into msgspec structs. Wrong input raises a `NotationError` whose message names the field."""

import re
from typing import TypeVar

import msgspec

from jaipur.rules import NotationError

Type = TypeVar("Type")

# Error messages of msgspec end with the path or the byte of the error: “… - at `$.rounds[0].starts`”, “… (byte 12)”.
_PATH = re.compile(r" - at `(?:key in )?\$\.?(.*)`$")
_BYTE = re.compile(r" \(byte (\d+)\)$")


def decode(text: str, type_: type[Type]) -> Type:
    """Parse a JSON text and convert it to a type, for example to a struct."""
    return convert(parse(text), type_)


def parse(text: str) -> object:
    """Parse a JSON text into Python's own types, such as dicts, lists, strings and numbers."""
    try:
        return msgspec.json.decode(text)
    except msgspec.ValidationError:
        raise NotationError("This JSON has a number out of range", text, 0) from None
    except msgspec.DecodeError as error:
        byte = _BYTE.search(str(error))
        place = len(text.encode()[: int(byte[1])].decode(errors="ignore")) if byte else len(text)
        raise NotationError(f"This is not JSON: {_BYTE.sub('', str(error))}", text, place) from None
    except UnicodeError:
        raise NotationError("This is not JSON: it is not Unicode text", text, 0) from None
    except RecursionError:
        raise NotationError("This JSON is nested too deeply", text, 0) from None


def convert(data: object, type_: type[Type]) -> Type:
    """Convert parsed JSON to a type, for example to a struct, and check every field."""
    try:
        return msgspec.convert(data, type_)
    except msgspec.ValidationError as error:
        path = _PATH.search(str(error))
        reason = _PATH.sub("", str(error)).replace("`", "")
        if path is None or not path[1]:
            raise NotationError(reason) from None
        raise NotationError(f"“{path[1]}”: {reason[0].lower()}{reason[1:]}") from None
