"""Decode JSON input into msgspec structs. Every failure raises a `NotationError`: one sentence that names the field."""

import re
from typing import TypeVar

import msgspec

from jaipur.rules import NotationError

Type = TypeVar("Type")

# The ends of msgspec's error messages: “… - at `$.rounds[0].starts`”, “… (byte 12)”.
_PATH = re.compile(r" - at `(?:key in )?\$\.?(.*)`$")
_BYTE = re.compile(r" \(byte (\d+)\)$")


def decode(text: str, type_: type[Type]) -> Type:
    """Parse a JSON text and check it against a type."""
    return convert(parse(text), type_)


def parse(text: str) -> object:
    """Parse a JSON text into dicts, lists, strings and numbers."""
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
    """Check parsed JSON against a type."""
    try:
        return msgspec.convert(data, type_)
    except msgspec.ValidationError as error:
        path = _PATH.search(str(error))
        reason = _PATH.sub("", str(error)).replace("`", "")
        if path is None or not path[1]:
            raise NotationError(reason) from None
        raise NotationError(f"“{path[1]}”: {reason[0].lower()}{reason[1:]}") from None
