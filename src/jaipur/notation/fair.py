"""Fair deals: the field in the record of a round with which everybody can check the deal, and this check.

In version 2 the server commits to a salt, then the players contribute, and the deal is derived from both
(`derived_deal`). In version 1, which older records have, the server commits to a deal that it has drawn alone. This
commitment does not prove that the deal was random. In both versions the salt must stay secret until the round ends.
With the salt, a player could find hidden cards.
"""

import re
from hashlib import sha256
from random import Random
from typing import Annotated, Literal

from msgspec import Meta, Struct, to_builtins

from jaipur.notation.decoding import convert
from jaipur.notation.derived_deal import Contributions, derive_deal, salt_commitment
from jaipur.rules import Deal, NotationError, WrongRecord
from jaipur.rules.cards import LETTERS
from jaipur.rules.input_errors import within
from jaipur.rules.records import Extra, RoundRecord

FAIR = "fair"
"""The field in the record of a round that contains the commitment and the salt."""

_HEADING = "jaipur-deal-1"
_BITS = 256
_DIGITS = re.compile(f"[0-9a-f]{{{_BITS // 4}}}")


class CommittedDeal(Struct, frozen=True):
    """The JSON fields of version 1: the commitment to a deal, and the salt."""

    commitment: str
    salt: str


class DerivedDeal(Struct, frozen=True):
    """The JSON fields of version 2: everything from which the deal is derived, and the commitment to the salt."""

    version: Literal[2]
    table: Annotated[str, Meta(pattern=r"^[!-~]{1,64}(?!\n)$")]
    round: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    commitment: str
    salt: str
    contributions: Contributions


FairData = CommittedDeal | DerivedDeal


def new_salt(rng: Random) -> str:
    """Return a salt or a contribution for one round. Do not use it for another round. `rng` must be unpredictable."""
    return f"{rng.getrandbits(_BITS):0{_BITS // 4}x}"


def committed_text(deal: Deal, salt: str) -> str:
    """Return the text whose SHA-256 hash is the commitment of version 1. It has seven lines, each with a line feed."""
    pack = "".join(LETTERS[kind] for kind in deal.pack)
    piles = (" ".join(map(str, pile)) for pile in deal.bonus)
    return "".join(f"{line}\n" for line in (_HEADING, salt, deal.starts, pack, *piles))


def commitment(deal: Deal, salt: str) -> str:
    """Return the commitment of version 1. Both seats see it before the first move."""
    return sha256(committed_text(deal, salt).encode()).hexdigest()


def fair_extra(deal: Deal, salt: str) -> Extra:
    """Return the additional fields for the record of a finished round, in version 1."""
    return {FAIR: {"commitment": commitment(deal, salt), "salt": salt}}


def derived_extra(table: str, number: int, salt: str, contributions: Contributions) -> Extra:
    """Return the additional fields for the record of a finished round, in version 2."""
    committed = salt_commitment(table, number, salt)
    return {FAIR: to_builtins(DerivedDeal(2, table, number, committed, salt, contributions))}


def check_fair(played: RoundRecord) -> FairData | None:
    """Check the deal of a round against its `fair` field. Return the field, or None if the round has none.

    Raise `NotationError` if the field is malformed. Raise `WrongRecord` if the deal does not match the field.
    """
    if FAIR not in played.extra:
        return None
    with within(FAIR):
        data = _read(played.extra[FAIR])
        if isinstance(data, CommittedDeal):
            if data.commitment != commitment(played.deal, data.salt):
                raise WrongRecord("The commitment is not that of this deal and this salt.")
        else:
            _check_derived(played.deal, data)
    return data


def read_digits(text: str) -> str:
    """Check the format of a commitment, a salt or a contribution."""
    if not _DIGITS.fullmatch(text):
        raise NotationError(
            f"These are not {_BITS // 4} digits out of 0-9 and a-f", text or "nothing"
        )
    return text


def _read(value: object) -> FairData:
    derived = isinstance(value, dict) and "version" in value
    data: FairData = convert(value, DerivedDeal) if derived else convert(value, CommittedDeal)
    for name in ("commitment", "salt"):
        with within(name):
            read_digits(getattr(data, name))
    if isinstance(data, DerivedDeal):
        with within("contributions"):
            for contribution in data.contributions:
                if contribution is not None:
                    read_digits(contribution)
    return data


def _check_derived(deal: Deal, data: DerivedDeal) -> None:
    if data.commitment != salt_commitment(data.table, data.round, data.salt):
        raise WrongRecord("The commitment is not that of this salt, table and round.")
    # In later rounds the rules decide who starts.
    starts = None if data.round == 1 else deal.starts
    if deal != derive_deal(data.salt, data.table, data.round, data.contributions, starts):
        raise WrongRecord("The deal does not follow from this salt and these contributions.")
