"""Deals derived from a salt and contributions: known values, valid deals, no bias, and every input counts."""

import json
import re
from collections import Counter
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaipur.notation import (
    RoundRecord,
    check_fair,
    derive_deal,
    derived_extra,
    new_salt,
    salt_commitment,
)
from jaipur.notation.derived_deal import SORTED_PACK, Contributions, _below, salt_text
from jaipur.notation.fair import DerivedDeal
from jaipur.rules import Deal, NotationError, WrongRecord, new_round
from jaipur.rules.cards import COPIES, KINDS, LETTERS, parse_cards
from jaipur.rules.setup import PACK_SIZE

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "reference" / "notation.md").read_text()
VECTORS: list[dict[str, Any]] = json.loads(
    (ROOT / "tests" / "golden" / "fair_deals.json").read_text()
)
TABLE = "0123456789abcdef"
SALT = f"{1:064x}"
CONTRIBUTIONS: Contributions = ("a" * 64, "b" * 64)

digits = st.text("0123456789abcdef", min_size=64, max_size=64)
contributions = st.tuples(st.none() | digits, st.none() | digits)


def deal_of(vector: dict[str, Any]) -> Deal:
    bonus = tuple(tuple(vector["bonus"][name]) for name in "345")
    return Deal(parse_cards(vector["deal"]), bonus, vector["starts"])


@pytest.mark.parametrize("vector", VECTORS)
def test_the_test_vectors_are_correct(vector: dict[str, Any]) -> None:
    """The browser client uses the same test vectors."""
    table, number, salt = vector["table"], vector["round"], vector["salt"]
    assert salt_commitment(table, number, salt) == vector["commitment"]
    starts = None if number == 1 else vector["starts"]
    deal = derive_deal(salt, table, number, tuple(vector["contributions"]), starts)
    assert deal == deal_of(vector)


def test_the_example_of_the_notation_page_is_the_first_test_vector() -> None:
    (field,) = re.findall(r'^"fair": (\{"version": 2.*?\})\n```', PAGE, re.DOTALL | re.MULTILINE)
    vector = VECTORS[0]
    assert json.loads(field) == {
        name: vector[name] for name in ("table", "round", "commitment", "salt", "contributions")
    } | {"version": 2}
    shown = dict(re.findall(r"^\| `(\w+)` \| `?([^`|]+)`?(?:,.*)? \|$", PAGE, re.MULTILINE))
    assert shown["deal"] == vector["deal"]
    assert int(shown["starts"]) == vector["starts"]
    assert ", ".join(f"`{vector['bonus'][name]}`" for name in "345") in PAGE


def test_the_committed_text_has_four_lines_and_ends_with_a_line_feed() -> None:
    assert salt_text(TABLE, 2, SALT) == f"jaipur-salt-2\n{TABLE}\n2\n{SALT}\n"


@given(digits, st.integers(1, 99), contributions, st.none() | st.sampled_from((0, 1)))
def test_every_derived_deal_is_valid_and_always_the_same(
    salt: str, number: int, values: Contributions, starts: int | None
) -> None:
    deal = derive_deal(salt, TABLE, number, values, starts)
    assert deal == derive_deal(salt, TABLE, number, values, starts)
    assert starts in (None, deal.starts)
    assert new_round(deal).legal_moves()


def test_every_input_changes_the_deal() -> None:
    other = "c" * 64
    deals = [
        derive_deal(SALT, TABLE, 1, CONTRIBUTIONS, 0),
        derive_deal(other, TABLE, 1, CONTRIBUTIONS, 0),
        derive_deal(SALT, "another", 1, CONTRIBUTIONS, 0),
        derive_deal(SALT, TABLE, 2, CONTRIBUTIONS, 0),
        derive_deal(SALT, TABLE, 1, (other, CONTRIBUTIONS[1]), 0),
        derive_deal(SALT, TABLE, 1, (CONTRIBUTIONS[0], other), 0),
        derive_deal(SALT, TABLE, 1, (CONTRIBUTIONS[1], CONTRIBUTIONS[0]), 0),
        derive_deal(SALT, TABLE, 1, (CONTRIBUTIONS[0], None), 0),
        derive_deal(SALT, TABLE, 1, (None, CONTRIBUTIONS[0]), 0),
        derive_deal(SALT, TABLE, 1, (None, None), 0),
    ]
    assert len(set(deals)) == len(deals)


@pytest.mark.parametrize("limit", range(1, 53))
def test_every_number_comes_from_equally_many_bytes(limit: int) -> None:
    bytes_of: Counter[int] = Counter()
    for byte in range(256):
        number = _below(limit, iter([byte, 0]))
        usable = byte < 256 - 256 % limit
        assert usable or number == 0, "the next byte decides"
        bytes_of[number] += usable
    assert sorted(bytes_of) == list(range(limit))
    assert len(set(bytes_of.values())) == 1


def test_every_kind_of_card_is_equally_likely_at_every_place() -> None:
    """A chi-square test with a fixed seed, for the 52 places of the pack together."""
    rng, number = Random("chi-square"), 2000
    dealt = [[0] * len(COPIES) for _ in range(PACK_SIZE)]
    starts = 0
    for _ in range(number):
        deal = derive_deal(new_salt(rng), TABLE, 1, (new_salt(rng), None), None)
        starts += deal.starts
        for place, kind in enumerate(deal.pack):
            dealt[place][kind] += 1
    expected = [number * SORTED_PACK.count(kind) / PACK_SIZE for kind in KINDS]
    statistic = sum(
        (counts[kind] - expected[kind]) ** 2 / expected[kind] for counts in dealt for kind in KINDS
    )
    freedom = (PACK_SIZE - 1) * (len(COPIES) - 1)
    assert abs(statistic - freedom) < 3 * sqrt(2 * freedom)
    assert abs(starts - number / 2) < 3 * sqrt(number / 4)


def a_round(**changes: object) -> RoundRecord:
    """A round of which some values of the `fair` field are changed."""
    deal = derive_deal(SALT, TABLE, 1, CONTRIBUTIONS, None)
    fair = derived_extra(TABLE, 1, SALT, CONTRIBUTIONS)["fair"]
    assert isinstance(fair, dict)
    return RoundRecord(deal, [], None, {"fair": fair | changes})


def test_a_derived_deal_is_checked() -> None:
    fair = check_fair(a_round())
    commitment = salt_commitment(TABLE, 1, SALT)
    assert fair == DerivedDeal(2, TABLE, 1, commitment, SALT, CONTRIBUTIONS)


@pytest.mark.parametrize(
    "changes",
    [
        {"salt": "0" * 64},
        {"commitment": "0" * 64},
        {"contributions": [None, "b" * 64]},
        {"contributions": ["b" * 64, "a" * 64]},
        {"table": "another"},
        {"round": 2},
        {"salt": "0" * 64, "commitment": salt_commitment(TABLE, 1, "0" * 64)},
    ],
    ids=str,
)
def test_a_deal_that_does_not_follow_from_the_field_is_wrong(changes: dict[str, object]) -> None:
    with pytest.raises(WrongRecord, match=r"fair: The (commitment|deal) "):
        check_fair(a_round(**changes))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"version": 3}, "fair: “version”: invalid enum value 3"),
        ({"version": "2"}, "fair: “version”: "),
        ({"round": 0}, "fair: “round”: expected int >= 1"),
        ({"table": "a b"}, "fair: “table”: expected str matching"),
        ({"table": "a\n"}, "fair: “table”: expected str matching"),
        ({"salt": "x"}, "fair, salt: These are not 64 digits"),
        ({"commitment": ""}, "fair, commitment: These are not 64 digits"),
        ({"contributions": []}, "fair: “contributions”: expected array of length 2"),
        ({"contributions": None}, "fair: “contributions”: expected array, got null"),
        ({"contributions": ["A" * 64, None]}, "fair, contributions: These are not 64 digits"),
        ({"contributions": [None, ""]}, "fair, contributions: These are not 64 digits"),
    ],
    ids=str,
)
def test_a_malformed_field_gives_one_sentence(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        check_fair(a_round(**changes))
    assert str(error.value).startswith(sentence)
    assert str(error.value).isprintable()


def test_the_page_shows_the_pack_before_the_shuffle() -> None:
    assert f"`{''.join(LETTERS[kind] for kind in SORTED_PACK)}`" in PAGE
