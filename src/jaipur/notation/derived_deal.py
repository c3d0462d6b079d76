"""Deals that the server and the players determine together. A deal follows from a salt and the contributions.

The server commits to its salt before it gets the contributions. Therefore neither side can choose the deal alone. The
texts and the order of the steps are part of the notation. docs/reference/notation.md defines them for other programs.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from hmac import digest
from typing import TypeVar

from jaipur.rules import Deal, Seat
from jaipur.rules.cards import FULL_PACK, LETTERS, ONE_CAMEL, cards_in
from jaipur.rules.setup import CAMELS_LAID_OUT
from jaipur.rules.tokens import BONUS_TOKENS

Item = TypeVar("Item")
Contributions = tuple[str | None, str | None]
"""The contribution of each seat, or None if the seat has not contributed."""

_SALT_HEADING = "jaipur-salt-2"
_DEAL_HEADING = "jaipur-deal-2"
_MISSING = "none"
_BYTE_VALUES = 256

SORTED_PACK = sorted(
    cards_in(FULL_PACK - CAMELS_LAID_OUT * ONE_CAMEL), key=lambda kind: LETTERS[kind]
)
"""The cards in the alphabetical order of their letters, so that other programs need no rule to sort them."""


def salt_text(table: str, number: int, salt: str) -> str:
    """Return the text whose SHA-256 hash is the commitment to a salt. It has four lines, each with a line feed."""
    return _lines(_SALT_HEADING, table, number, salt)


def salt_commitment(table: str, number: int, salt: str) -> str:
    """Return the commitment to a salt. Everyone sees it before the contributions to round `number` of a table."""
    return sha256(salt_text(table, number, salt).encode()).hexdigest()


def derive_deal(
    salt: str, table: str, number: int, contributions: Contributions, starts: Seat | None
) -> Deal:
    """Derive the deal of a round. If `starts` is None, the starting seat is derived too."""
    message = _lines(
        _DEAL_HEADING, table, number, *(each or _MISSING for each in contributions)
    ).encode()
    stream = _byte_stream(digest(bytes.fromhex(salt), message, "sha256"))
    pack = _shuffled(SORTED_PACK, stream)
    bonus = tuple(tuple(_shuffled(tokens, stream)) for tokens in BONUS_TOKENS)
    return Deal(tuple(pack), bonus, _below(2, stream) if starts is None else starts)


def _lines(*values: str | int) -> str:
    return "".join(f"{value}\n" for value in values)


def _byte_stream(seed: bytes) -> Iterator[int]:
    """Yield the bytes of HMAC-SHA256 in counter mode: the digests of "0", "1", "2" and so on, with the seed as key."""
    counter = 0
    while True:
        yield from digest(seed, str(counter).encode(), "sha256")
        counter += 1


def _below(limit: int, stream: Iterator[int]) -> int:
    """Return a number from 0 to `limit` - 1. Skip bytes that would make small numbers more frequent."""
    usable = _BYTE_VALUES - _BYTE_VALUES % limit
    while (byte := next(stream)) >= usable:
        pass
    return byte % limit


def _shuffled(items: Iterable[Item], stream: Iterator[int]) -> Sequence[Item]:
    """Return the items in random order. This is the Fisher-Yates shuffle, from the last place to the second."""
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        other = _below(last + 1, stream)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled
