"""`jaipur verify` as users run it: commitments are checked, and missing or wrong ones are reported."""

from functools import cache
from random import Random
from typing import cast

import pytest

from command import jaipur
from jaipur.arena.play import play_game
from jaipur.notation import (
    Record,
    RoundRecord,
    fair_extra,
    new_salt,
    read_record,
    record_of,
    write_record,
)
from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Deal, Game


@cache
def line_of(seed: int) -> str:
    """The record of a game with commitments, as a table writes it."""
    player, salts = player_named("random"), Random(seed)
    record = record_of(play_game([player, player], str(seed), NO_BUDGET), ("ann", "bob"))
    for played in record.rounds:
        played.extra |= fair_extra(played.deal, new_salt(salts))
    return write_record(record) + "\n"


THREE_ROUNDS = next(seed for seed in range(100) if len(read_record(line_of(seed)).rounds) == 3)


def a_game() -> Record:
    """A game of three rounds."""
    return read_record(line_of(THREE_ROUNDS))


def one_deal() -> Record:
    """A game whose first round has been dealt but not played."""
    record = a_game()
    dealt = RoundRecord(record.rounds[0].deal, [], None, record.rounds[0].extra)
    return Record(record.players, [dealt], (0, 0), None)


def fair(record: Record, number: int) -> dict[str, str]:
    return cast("dict[str, str]", record.rounds[number - 1].extra["fair"])


def noted(record: Record) -> list[str]:
    return [fair(record, number)["commitment"] for number in (1, 2, 3)]


def verify(record: Record, *arguments: str) -> tuple[int, str]:
    """The exit status and the single line of output."""
    done = jaipur("verify", "-", *arguments, text=write_record(record))
    (line,) = (done.stdout + done.stderr).splitlines()
    return done.returncode, line


VERIFIED = "Game 1: 3 rounds, every deal matches its commitment"


def test_a_game_with_correct_commitments() -> None:
    assert verify(a_game()) == (0, f"{VERIFIED}.")


def test_a_round_without_a_commitment_is_reported_with_status_1() -> None:
    record = a_game()
    del record.rounds[1].extra["fair"]
    assert verify(record) == (1, "Game 1: 3 rounds, round 2 has no commitment.")
    del record.rounds[2].extra["fair"]
    message = "Game 1: 3 rounds, round 2 has no commitment, round 3 has no commitment."
    assert verify(record) == (1, message)


def test_games_after_one_without_commitments_are_still_checked() -> None:
    bare = a_game()
    for played in bare.rounds:
        played.extra.clear()
    done = jaipur("verify", "-", text=f"{write_record(bare)}\n{line_of(THREE_ROUNDS)}")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1] == VERIFIED.replace("Game 1", "Game 2") + "."


def test_a_changed_salt_is_wrong() -> None:
    record = a_game()
    fair(record, 2)["salt"] = "0" * 64
    message = (
        "jaipur: game 1, round 2, fair: The commitment is not that of this deal and this salt."
    )
    assert verify(record) == (1, message)


def test_the_commitment_detects_a_changed_order_of_hidden_cards() -> None:
    record = one_deal()
    deal = record.rounds[0].deal
    turned = (*deal.pack[:12], *reversed(deal.pack[12:]))
    assert turned != deal.pack
    record.rounds[0].deal = Deal(turned, deal.bonus, deal.starts)
    assert jaipur("replay", "-", text=write_record(record)).returncode == 0
    status, message = verify(record)
    assert (status, message.split(": ")[1]) == (1, "game 1, round 1, fair")


def test_commitments_of_other_rounds_are_wrong() -> None:
    record = a_game()
    first, last = record.rounds[0], record.rounds[2]
    first.extra, last.extra = last.extra, first.extra
    status, message = verify(record)
    assert (status, message.split(", fair")[0]) == (1, "jaipur: game 1, round 1")


def test_the_rules_are_checked_too() -> None:
    record = a_game()
    record.seals = (2, 2)
    status, message = verify(record)
    assert status == 1
    assert message.startswith("jaipur: game 1: “seals” is 2, 2 in the record")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_noted_commitments_are_compared_and_counted(count: int) -> None:
    record = a_game()
    expected = (0, f"{VERIFIED} (noted at the table: {count} of 3).")
    assert verify(record, "--commitment", *noted(record)[:count]) == expected


def test_noted_commitments_may_be_given_one_by_one_and_in_capitals() -> None:
    record = a_game()
    values = [word for one in noted(record) for word in ("--commitment", one.upper())]
    assert verify(record, *values) == (0, f"{VERIFIED} (noted at the table: 3 of 3).")


def test_noted_commitments_detect_a_deal_changed_together_with_its_commitment() -> None:
    record = a_game()
    before = noted(record)
    record.rounds[1].extra |= fair_extra(record.rounds[1].deal, "5" * 64)
    assert verify(record) == (0, f"{VERIFIED}.")
    after = noted(record)[1]
    message = f"jaipur: game 1, round 2: The record has {after}, but {before[1]} was noted."
    assert verify(record, "--commitment", *before) == (1, message)


def test_noted_commitments_must_be_in_the_order_of_the_rounds() -> None:
    record = a_game()
    first, second, third = noted(record)
    status, message = verify(record, "--commitment", second, first, third)
    assert (status, message.split(":")[1]) == (1, " game 1, round 1")
    status, message = verify(record, "--commitment", second)
    assert (status, message.split(":")[1]) == (1, " game 1, round 1")


def test_a_noted_round_without_a_commitment_is_wrong() -> None:
    record = a_game()
    values = noted(record)
    del record.rounds[2].extra["fair"]
    message = f"jaipur: game 1, round 3: The record has no commitment, but {values[2]} was noted."
    assert verify(record, "--commitment", *values) == (1, message)


def test_more_commitments_than_rounds_are_wrong() -> None:
    record = a_game()
    status, message = verify(record, "--commitment", *noted(record), "0" * 64)
    assert status == 1
    assert message == "jaipur: game 1: Commitments noted: 4, rounds in the record: 3."


def test_noted_commitments_are_for_one_game() -> None:
    line = line_of(THREE_ROUNDS)
    done = jaipur("verify", "-", "--commitment", noted(a_game())[0], text=line + line)
    assert done.returncode == 2
    assert done.stdout == ""
    assert (
        done.stderr == "jaipur: --commitment needs a file with one game, and this file has more.\n"
    )


@pytest.mark.parametrize("values", ["", "abc", "g" * 64, "0" * 65, "\x1b[2J"])
def test_a_malformed_noted_commitment_is_an_error(values: str) -> None:
    status, message = verify(a_game(), "--commitment", values)
    assert status == 2
    assert message.startswith("jaipur: --commitment: These are not 64 digits")
    assert message.isprintable()


def test_malformed_commitments_are_unreadable() -> None:
    record = a_game()
    del fair(record, 3)["salt"]
    assert verify(record) == (
        2,
        "jaipur: game 1, round 3, fair: Object missing required field salt",
    )
    record.rounds[0].extra["fair"] = [1]
    assert verify(record) == (2, "jaipur: game 1, round 1, fair: Expected object, got array")


def test_a_game_without_rounds_has_no_commitments() -> None:
    record = record_of(Game(), ("ann", "bob"))
    assert verify(record) == (0, "Game 1: no round was dealt.")
    assert verify(record, "--commitment", "0" * 64)[0] == 1


def test_one_round_is_reported_in_the_singular() -> None:
    assert verify(one_deal()) == (0, "Game 1: 1 round, every deal matches its commitment.")


@pytest.mark.parametrize("arguments", [(), ("--commitment", "0" * 64)])
def test_a_file_without_games_fails(arguments: tuple[str, ...]) -> None:
    done = jaipur("verify", "-", *arguments, text="\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "jaipur: There is no game to verify.\n"


@pytest.mark.parametrize("text", ["{\n", "\x00\n", '{"format": "jaipur-record-9"}\n'])
def test_an_unreadable_file_fails_with_status_2(text: str) -> None:
    done = jaipur("verify", "-", text=text)
    assert done.returncode == 2
    assert done.stderr.startswith("jaipur: game 1: ")
    assert len(done.stderr.splitlines()) == 1


def test_games_are_reported_as_they_are_read() -> None:
    """Games before an unreadable line are reported."""
    records = [line_of(seed) for seed in range(8)] * 10
    done = jaipur("verify", "-", text="".join(records) + "{\n")
    assert done.returncode == 2
    assert done.stderr.startswith("jaipur: game 81: ")
    lines = done.stdout.splitlines()
    assert len(lines) == 80
    assert lines[79].startswith("Game 80: ")
    assert all(line.endswith(" every deal matches its commitment.") for line in lines)
