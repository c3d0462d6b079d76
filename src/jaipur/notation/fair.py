"""Fair deals: a commitment that is shown before the first move of a round, and opened and checked after the last.

It binds whoever deals and tells nothing while the salt is secret; nobody may see the salt before the round has ended,
or the last hidden cards could be found by trial. It does not show that a deal was drawn by chance.
"""

import re
from hashlib import sha256
from random import Random

from msgspec import Struct

from jaipur.notation.decoding import convert
from jaipur.notation.records import Extra, RoundRecord
from jaipur.rules import LETTERS, Deal, NotationError, WrongRecord
from jaipur.rules.input_errors import within

FAIR = "fair"
"""The field of a round in which its commitment and its salt stand."""

_HEADING = "jaipur-deal-1"
_BITS = 256
_DIGITS = re.compile(f"[0-9a-f]{{{_BITS // 4}}}")


class FairData(Struct, frozen=True):
    """The commitment of a round and its salt as JSON."""

    commitment: str
    salt: str


def new_salt(rng: Random) -> str:
    """A salt for one round, never to be used again; nobody can guess it if nobody can guess the generator."""
    return f"{rng.getrandbits(_BITS):0{_BITS // 4}x}"


def promised_text(deal: Deal, salt: str) -> str:
    """The text whose SHA-256 is the commitment: seven lines, each with its line feed."""
    pack = "".join(LETTERS[kind] for kind in deal.pack)
    piles = (" ".join(map(str, pile)) for pile in deal.bonus)
    return "".join(f"{line}\n" for line in (_HEADING, salt, deal.starts, pack, *piles))


def commitment(deal: Deal, salt: str) -> str:
    """What the seats are shown before the first move."""
    return sha256(promised_text(deal, salt).encode()).hexdigest()


def fair_extra(deal: Deal, salt: str) -> Extra:
    """What a round's record carries besides, once the round has ended."""
    return {FAIR: {"commitment": commitment(deal, salt), "salt": salt}}


def check_fair(played: RoundRecord) -> str | None:
    """The commitment that a round carries and keeps; None where it carries none.

    `NotationError` where it is malformed, `WrongRecord` where it promised another deal.
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
    """A commitment or a salt, which is refused unless it is written in the one way there is."""
    if not _DIGITS.fullmatch(text):
        raise NotationError(
            f"These are not {_BITS // 4} digits out of 0-9 and a-f", text or "nothing"
        )
    return text
