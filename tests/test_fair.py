"""Fair deals: a commitment covers the whole deal, a shell can compute it, and each error is one sentence."""

import re
import subprocess
from pathlib import Path
from random import Random, SystemRandom

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaipur.arena.play import play_game
from jaipur.notation import (
    RoundRecord,
    check_fair,
    commitment,
    committed_text,
    fair_extra,
    new_salt,
    read_record,
    record_of,
    write_record,
)
from jaipur.notation.fair import CommittedDeal
from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Deal, NotationError, WrongRecord
from jaipur.rules.cards import parse_cards

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "notation.md"

DEAL = Deal(
    parse_cards("CCCMLMPCCSPPPLGLDSCLMGMDSPLGGMDDGLCMLPSSGCLPSPLLDDMM"),
    ((1, 3, 2, 1, 2, 2, 3), (4, 4, 6, 5, 6, 5), (10, 8, 9, 10, 8)),
    starts=0,
)
SALT = f"{1:064x}"
COMMITMENT = "3da1bde32c72f16a7367adeff5b88b64b20c42afc28d3646db3e3717f256a645"


def a_round(fair: object) -> RoundRecord:
    return RoundRecord(DEAL, [], None, {"fair": fair})


def shell(line: str) -> str:
    done = subprocess.run(["sh", "-c", line], stdout=subprocess.PIPE, check=True, timeout=60)
    return done.stdout.decode()


def test_the_text_has_seven_lines_and_ends_with_a_line_feed() -> None:
    assert committed_text(DEAL, SALT) == (
        "jaipur-deal-1\n"
        "0000000000000000000000000000000000000000000000000000000000000001\n"
        "0\n"
        "CCCMLMPCCSPPPLGLDSCLMGMDSPLGGMDDGLCMLPSSGCLPSPLLDDMM\n"
        "1 3 2 1 2 2 3\n"
        "4 4 6 5 6 5\n"
        "10 8 9 10 8\n"
    )


def test_the_commitment_of_a_deal_and_a_salt_never_changes() -> None:
    assert commitment(DEAL, SALT) == COMMITMENT


def test_the_example_of_the_notation_page_is_correct() -> None:
    blocks = r"^```sh\n(printf .*?)^```\n\n^```\n(.*?)^```"
    salted, (example, output) = re.findall(blocks, PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert shell(salted[0]) == salted[1]
    assert shell(example) == output
    text = shell(example.replace("sha256sum", "cat"))
    _, salt, starts, pack, *piles = text.splitlines()
    bonus = tuple(tuple(map(int, pile.split())) for pile in piles)
    deal = Deal(parse_cards(pack), bonus, int(starts))
    assert committed_text(deal, salt) == text
    assert commitment(deal, salt) == output.split()[0]


def test_a_salt_has_256_bits_and_all_of_its_digits() -> None:
    class Least(Random):
        def getrandbits(self, k: int, /) -> int:
            assert k == 256
            return 10

    assert new_salt(Least()) == "0" * 63 + "a"
    assert new_salt(Random(1)) == new_salt(Random(1)) != new_salt(Random(2))
    salts = {new_salt(SystemRandom()) for _ in range(100)}
    assert len(salts) == 100
    assert all(re.fullmatch("[0-9a-f]{64}", salt) for salt in salts)


@given(st.integers(0, 51), st.integers(0, 51))
def test_swapping_two_cards_changes_the_commitment(one: int, other: int) -> None:
    pack = list(DEAL.pack)
    pack[one], pack[other] = pack[other], pack[one]
    same = DEAL.pack[one] == DEAL.pack[other]
    assert (commitment(Deal(tuple(pack), DEAL.bonus, DEAL.starts), SALT) == COMMITMENT) == same


@pytest.mark.parametrize("pile", [0, 1, 2])
def test_swapping_two_bonus_tokens_changes_the_commitment(pile: int) -> None:
    for place in range(len(DEAL.bonus[pile]) - 1):
        tokens = list(DEAL.bonus[pile])
        tokens[place : place + 2] = reversed(tokens[place : place + 2])
        bonus = (*DEAL.bonus[:pile], tuple(tokens), *DEAL.bonus[pile + 1 :])
        same = bonus == DEAL.bonus
        assert (commitment(Deal(DEAL.pack, bonus, DEAL.starts), SALT) == COMMITMENT) == same


def test_another_starter_or_another_salt_changes_the_commitment() -> None:
    others = [Deal(DEAL.pack, DEAL.bonus, 1), DEAL]
    salts = [SALT, f"{2:064x}"]
    assert len({commitment(deal, salt) for deal in others for salt in salts}) == 4


def test_a_valid_commitment_is_returned() -> None:
    played = RoundRecord(DEAL, [], None, fair_extra(DEAL, SALT))
    assert played.extra == {"fair": {"commitment": COMMITMENT, "salt": SALT}}
    assert check_fair(played) == CommittedDeal(COMMITMENT, SALT)


def test_a_round_may_have_no_commitment() -> None:
    assert check_fair(RoundRecord(DEAL, [], None, {"clocks": [1, 2]})) is None


@pytest.mark.parametrize(
    "fair",
    [
        {"commitment": COMMITMENT, "salt": f"{2:064x}"},
        {"commitment": "0" * 64, "salt": SALT},
        {"commitment": SALT, "salt": COMMITMENT},
        fair_extra(Deal(DEAL.pack, DEAL.bonus, 1), SALT)["fair"],
    ],
)
def test_a_commitment_to_another_deal_is_wrong(fair: object) -> None:
    with pytest.raises(WrongRecord) as wrong:
        check_fair(a_round(fair))
    assert str(wrong.value) == "fair: The commitment is not that of this deal and this salt."


@pytest.mark.parametrize(
    ("fair", "sentence"),
    [
        (None, "fair: Expected object, got"),
        ([COMMITMENT, SALT], "fair: Expected object, got"),
        (COMMITMENT, "fair: Expected object, got"),
        ({}, "fair: Object missing required field commitment"),
        ({"commitment": COMMITMENT}, "fair: Object missing required field salt"),
        ({"salt": SALT}, "fair: Object missing required field commitment"),
        ({"commitment": COMMITMENT, "salt": None}, "fair: “salt”: expected str, got"),
        ({"commitment": COMMITMENT, "salt": 1}, "fair: “salt”: expected str, got"),
        ({"commitment": 7, "salt": SALT}, "fair: “commitment”: expected str, got"),
        ({"commitment": COMMITMENT, "salt": ""}, "fair, salt: These are not 64 digits"),
        ({"commitment": COMMITMENT, "salt": SALT[1:]}, "fair, salt: These are not 64 digits"),
        ({"commitment": COMMITMENT, "salt": SALT + "\n"}, "fair, salt: These are not 64 digits"),
        ({"commitment": COMMITMENT, "salt": "٣" * 64}, "fair, salt: These are not 64 digits"),
        ({"commitment": COMMITMENT.upper(), "salt": SALT}, "fair, commitment: These are not 64"),
        ({"commitment": COMMITMENT + "0", "salt": SALT}, "fair, commitment: These are not 64"),
        ({"commitment": "\x1b[2J" * 99, "salt": SALT}, "fair, commitment: These are not 64"),
    ],
)
def test_a_malformed_commitment_gives_one_printable_sentence(fair: object, sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        check_fair(a_round(fair))
    assert str(error.value).startswith(sentence)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 150


def test_commitments_round_trip_with_their_rounds() -> None:
    player = player_named("random")
    record = record_of(play_game([player, player], "1", NO_BUDGET), ("ann", "bob"))
    for number, played in enumerate(record.rounds):
        played.extra |= fair_extra(played.deal, new_salt(Random(number)))
    again = read_record(write_record(record))
    assert again == record
    assert all(map(check_fair, again.rounds))
    first, second = again.rounds[:2]
    first.extra, second.extra = second.extra, first.extra
    for played in (first, second):
        with pytest.raises(WrongRecord):
            check_fair(played)
