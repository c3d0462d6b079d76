"""The messages between the worker pool and a worker. They are sent through pipes.

A request is a length, followed by a MessagePack array of this length. An answer has a fixed size and contains the seed
of the request and the code of the move. Both sides are our own programs, so a worker does not check that a request is
possible under the rules.
"""

from struct import Struct as Layout
from typing import BinaryIO

from msgspec import Struct, msgpack

from jaipur.players import Budget
from jaipur.rules import Pile, View
from jaipur.rules.moves import MoveCode

ANSWER = Layout("<QQ")
SEED_LIMIT = 2**63

_LENGTH = Layout("<I")


class WorkerRequest(Struct, frozen=True, array_like=True):
    """A request for a move."""

    level: str
    view: View
    moves: list[MoveCode]
    budget: Budget
    seed: int
    """The seed of the player's random numbers. The answer repeats it to identify the request."""


_encode = msgpack.Encoder(enc_hook=int).encode
_decode = msgpack.Decoder(WorkerRequest, dec_hook=lambda _type, code: Pile(code)).decode


def encode_request(request: WorkerRequest) -> bytes:
    body = _encode(request)
    return _LENGTH.pack(len(body)) + body


def read_request(stream: BinaryIO) -> WorkerRequest | None:
    """Read the next request. Return None if the stream ends before a complete request."""
    head = stream.read(_LENGTH.size)
    length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else 0
    body = stream.read(length)
    return _decode(body) if length and len(body) == length else None
