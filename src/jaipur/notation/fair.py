"""Fair deals: a commitment to a deal, shown before the first move of a round and verified after the last.

The dealer cannot change the deal after the commitment. The salt must stay secret until the round ends: with the salt, a
player could find the last hidden cards by trial. A commitment does not prove that the deal was random.
"""

import re
from hashlib import sha256
from random import Random

from msgspec import Struct

from jaipur.notation.decoding import convert
from jaipur.rules import Deal, NotationError, WrongRecord
from jaipur.rules.cards import LETTERS
from jaipur.rules.input_errors import within
from jaipur.rules.records import Extra, RoundRecord

FAIR = "fair"
"""The record field of a round that contains its commitment and salt."""

_HEADING = "jaipur-deal-1"
_BITS = 256
_DIGITS = re.compile(f"[0-9a-f]{{{_BITS // 4}}}")


class FairData(Struct, frozen=True):
    """The commitment of a round and its salt as JSON."""

    commitment: str
    salt: str


def new_salt(rng: Random) -> str:
    """A salt for one round; do not reuse it. Use an unpredictable random number generator."""
    return f"{rng.getrandbits(_BITS):0{_BITS // 4}x}"


def committed_text(deal: Deal, salt: str) -> str:
    """The text whose SHA-256 hash is the commitment: seven lines, each with a line feed."""
    pack = "".join(LETTERS[kind] for kind in deal.pack)
    piles = (" ".join(map(str, pile)) for pile in deal.bonus)
    return "".join(f"{line}\n" for line in (_HEADING, salt, deal.starts, pack, *piles))


def commitment(deal: Deal, salt: str) -> str:
    """The hash that both seats see before the first move."""
    return sha256(committed_text(deal, salt).encode()).hexdigest()


def fair_extra(deal: Deal, salt: str) -> Extra:
    """The extra fields of the record of a finished round."""
    return {FAIR: {"commitment": commitment(deal, salt), "salt": salt}}


def check_fair(played: RoundRecord) -> str | None:
    """Verify the commitment of a round and return it; None if the round has none.

    Raises `NotationError` if it is malformed, `WrongRecord` if it is not the commitment to this deal.
    """
    if FAIR not in played.extra:
        return None
    with within(FAIR):
        data = convert(played.extra[FAIR], FairData)
        with within("commitment"):
            read_digits(data.commitment)
        with within("salt"):
            read_digits(data.salt)
        if data.commitment != commitment(played.deal, data.salt):
            raise WrongRecord("The commitment is not that of this deal and this salt.")
    return data.commitment


def read_digits(text: str) -> str:
    """Check the format of a commitment or a salt."""
    if not _DIGITS.fullmatch(text):
        raise NotationError(
            f"These are not {_BITS // 4} digits out of 0-9 and a-f", text or "nothing"
        )
    return text
