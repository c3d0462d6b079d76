"""Simulated dishonest servers that try 1,000 salts for each deal, and what stops them.

A server that changes the salt after the contributions is caught by the noted commitment. A server that chooses the salt
before the contributions gains nothing: the contribution makes every deal equally likely again.
"""

from collections.abc import Iterable
from math import sqrt
from random import Random

import pytest

from command import jaipur
from jaipur.notation import (
    Record,
    RoundRecord,
    check_fair,
    derive_deal,
    derived_extra,
    new_salt,
    salt_commitment,
    write_record,
)
from jaipur.notation.derived_deal import Contributions
from jaipur.rules import Deal, WrongRecord
from jaipur.rules.cards import PRECIOUS
from jaipur.rules.setup import HAND_DEALT, PACK_SIZE

SALTS = 1000
TABLE = "0123456789abcdef"
NOBODY: Contributions = (None, None)


def advantage(deal: Deal) -> int:
    """What the server wants: precious goods for seat 0 and none for seat 1."""
    precious = [kind in PRECIOUS for kind in deal.pack]
    return sum(precious[:HAND_DEALT]) - sum(precious[HAND_DEALT : 2 * HAND_DEALT])


DEVIATION = sqrt(
    2 * HAND_DEALT * (share := 18 / PACK_SIZE) * (1 - share) * PACK_SIZE / (PACK_SIZE - 1)
)
"""The standard deviation of the advantage of a random deal. Its mean is 0, because both seats are equal."""


def dealt(salt: str, contributions: Contributions) -> Deal:
    return derive_deal(salt, TABLE, 1, contributions, starts=None)


def best_salt(rng: Random, contributions: Contributions) -> str:
    """The best of 1,000 salts for these contributions."""
    salts = [new_salt(rng) for _ in range(SALTS)]
    return max(salts, key=lambda salt: advantage(dealt(salt, contributions)))


def record_of(salt: str, contributions: Contributions, commitment: str | None = None) -> Record:
    """The record that the server publishes, by default with the commitment to this salt."""
    extra = derived_extra(TABLE, 1, salt, contributions)
    if commitment is not None:
        fair = extra["fair"]
        assert isinstance(fair, dict)
        fair["commitment"] = commitment
    played = RoundRecord(dealt(salt, contributions), [], None, extra)
    return Record(("ann", "bob"), [played], (0, 0), None)


def mean(values: Iterable[int]) -> float:
    values = list(values)
    return sum(values) / len(values)


def test_a_server_that_changes_the_salt_after_the_contributions_is_caught() -> None:
    rng = Random("afterwards")
    promised, own = new_salt(rng), new_salt(rng)
    noted = salt_commitment(TABLE, 1, promised)
    chosen = best_salt(rng, (own, None))
    assert advantage(dealt(chosen, (own, None))) > 2 * DEVIATION, "the server has a motive"
    values = ("--commitment", noted, "--contribution", own)
    with_new_commitment = jaipur(
        "verify", "-", *values, text=write_record(record_of(chosen, (own, None)))
    )
    assert with_new_commitment.returncode == 1
    assert f"but {noted} was noted" in with_new_commitment.stderr
    with pytest.raises(WrongRecord, match="The commitment is not that of this salt"):
        check_fair(record_of(chosen, (own, None), commitment=noted).rounds[0])
    honest = jaipur("verify", "-", *values, text=write_record(record_of(promised, (own, None))))
    assert honest.returncode == 0


def test_a_server_that_drops_or_replaces_a_contribution_is_caught() -> None:
    rng = Random("replaced")
    salt, own = new_salt(rng), new_salt(rng)
    values = ("--commitment", salt_commitment(TABLE, 1, salt), "--contribution", own)
    for contributions in (NOBODY, (new_salt(rng), None)):
        done = jaipur("verify", "-", *values, text=write_record(record_of(salt, contributions)))
        assert done.returncode == 1
        assert f"No deal contains the contribution {own}" in done.stderr


def test_without_contributions_the_best_of_1000_salts_is_a_large_advantage() -> None:
    """Guards the next test: the attack works if nobody contributes."""
    rng = Random("no contributions")
    gained = [advantage(dealt(best_salt(rng, NOBODY), NOBODY)) for _ in range(3)]
    assert min(gained) > 2 * DEVIATION


def test_a_server_that_chooses_the_best_salt_before_the_contributions_is_powerless() -> None:
    """The advantage of the chosen salts has the mean and the variance of random deals, within three standard errors."""
    rng = Random("beforehand")
    gained: list[int] = []
    for _ in range(5):
        chosen = best_salt(rng, NOBODY)
        gained += [advantage(dealt(chosen, (new_salt(rng), None))) for _ in range(2000)]
    assert abs(mean(gained)) < 3 * DEVIATION / sqrt(len(gained))
    variance = mean(value**2 for value in gained)
    assert abs(variance / DEVIATION**2 - 1) < 3 * sqrt(2 / len(gained))
