"""The proof of a deal: the salt of the server, the commitment to the salt, and the contributions of the seats.

The commitment is public from the start, the contributions from the deal on, and the salt after the round. Once a
deal is dealt, it can therefore no longer change. Nobody can compute the hidden cards before the round is over.
"""

from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from jaipur.notation.derived_deal import Contributions, derive_deal, salt_commitment
from jaipur.notation.fair import commitment, derived_extra, fair_extra
from jaipur.rules import Deal, Seat
from jaipur.rules.records import Extra


class DealProof(Struct, frozen=True):
    """The proof of one round. The salt exists before the deal, except at tables that were opened with version 0.1."""

    salt: str
    commitment: str
    contributions: Contributions | None = None
    """If None, the commitment is to the deal itself, and there are no contributions."""

    @classmethod
    def of_salt(cls, table: str, number: int, salt: str) -> Self:
        return cls(salt, salt_commitment(table, number, salt), (None, None))

    @classmethod
    def of_deal(cls, deal: Deal, salt: str) -> Self:
        return cls(salt, commitment(deal, salt))

    def with_contribution(self, seat: Seat, value: str) -> Self:
        first, second = self.contributions or (None, None)
        return replace(self, contributions=(first, value) if seat else (value, second))

    def contribution_of(self, seat: Seat) -> str | None:
        return None if self.contributions is None else self.contributions[seat]

    def derive(self, table: str, number: int, starts: Seat | None) -> Deal:
        return derive_deal(self.salt, table, number, self.contributions or (None, None), starts)

    def record_extra(self, table: str, number: int, deal: Deal) -> Extra:
        """Return the additional fields for the record of the round. They reveal the salt."""
        if self.contributions is None:
            return fair_extra(deal, self.salt)
        return derived_extra(table, number, self.salt, self.contributions)
