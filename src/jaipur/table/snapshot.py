"""Snapshots: the complete state of a table as JSON. With a snapshot, only the end of a long event log is replayed.

A snapshot is only a cache. It contains every field of the state, including hidden cards, and never leaves the server.
`FORMAT` changes with the fields and with the version of Jaipur. A snapshot of another format is ignored.
"""

from hashlib import sha256
from typing import Any, cast

import msgspec
from msgspec import Struct

from jaipur import __version__
from jaipur.rules import Game, Position
from jaipur.rules.cards import PILES, Pile
from jaipur.rules.game import Round
from jaipur.table.options import Millis
from jaipur.table.table import Table


class Snapshot(Struct, frozen=True):
    """The state of a table after the log entry with this version and time."""

    version: int
    at: Millis
    format: str
    state: str


def take_snapshot(table: Table) -> Snapshot:
    assert table.last is not None, "a table begins with an event"
    return Snapshot(table.version, table.last.at, FORMAT, _encoder.encode(table).decode())


def restore(snapshot: Snapshot) -> Table | None:
    """Return the table of a snapshot, or None if the snapshot cannot be read."""
    if snapshot.format != FORMAT:
        return None
    try:
        table = _decoder.decode(snapshot.state)
    except Exception:  # any error is harmless, because the event log contains the same state
        return None
    return table if table.version == snapshot.version else None


def _encode(value: object) -> object:
    """Encode a value of the rules: a pile as an integer, a game or a position as a list of its fields."""
    if isinstance(value, Pile):
        return int(value)
    if isinstance(value, Game | Position):
        return [getattr(value, name) for name in value.__slots__]
    raise NotImplementedError(f"{type(value).__name__} is not part of a snapshot")


def _decode(kind: type[Any], value: object) -> object:
    """Decode a value that `_encode` has encoded."""
    if kind is Pile:
        return PILES[cast("int", value)]
    decoded = kind()
    fields = dict(zip(kind.__slots__, cast("list[object]", value), strict=True))
    if kind is Game:
        fields["rounds"] = msgspec.convert(fields["rounds"], list[Round], dec_hook=_decode)
    for name, field in fields.items():
        setattr(decoded, name, field)
    return decoded


def _describe(kind: type[Any]) -> dict[str, object]:
    """Describe a class of the rules in the JSON schema, so that the schema changes with the fields of the class."""
    return {"fields": list(kind.__slots__)}


def format_of(kind: type) -> str:
    """Return a digest that changes with the fields of a state and with the version of Jaipur."""
    fields = msgspec.json.schema(kind, schema_hook=_describe)
    return sha256(msgspec.json.encode([__version__, fields])).hexdigest()[:16]


FORMAT = format_of(Table)
_encoder = msgspec.json.Encoder(enc_hook=_encode)
_decoder = msgspec.json.Decoder(Table, dec_hook=_decode)
