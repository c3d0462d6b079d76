"""`jaipur verify` as its users run it: what was promised is checked, and what is missing or wrong is named."""

from dataclasses import replace
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
from jaipur.rules import Game


@cache
def line_of(seed: int) -> str:
    """A game as it is written down at a table that promises its deals."""
    player, salts = player_named("random"), Random(seed)
    record = record_of(play_game([player, player], str(seed), NO_BUDGET), ("ann", "bob"))
    for played in record.rounds:
        played.extra |= fair_extra(played.deal, new_salt(salts))
    return write_record(record) + "\n"


THREE_ROUNDS = next(seed for seed in range(100) if len(read_record(line_of(seed)).rounds) == 3)


def a_game() -> Record:
    """A game of three rounds."""
    return read_record(line_of(THREE_ROUNDS))


def begun() -> Record:
    """A game whose first round has been dealt, and no more."""
    record = a_game()
    dealt = RoundRecord(record.rounds[0].deal, [], None, record.rounds[0].extra)
    return Record(record.players, [dealt], (0, 0), None)


def fair(record: Record, number: int) -> dict[str, str]:
    return cast("dict[str, str]", record.rounds[number - 1].extra["fair"])


def noted(record: Record) -> list[str]:
    return [fair(record, number)["commitment"] for number in (1, 2, 3)]


def verify(record: Record, *arguments: str) -> tuple[int, str]:
    """The exit status and the one line, on either stream."""
    done = jaipur("verify", "-", *arguments, text=write_record(record))
    (said,) = (done.stdout + done.stderr).splitlines()
    return done.returncode, said


KEPT = "Game 1: 3 rounds, every deal is the one that was promised"


def test_a_game_that_keeps_its_promises() -> None:
    assert verify(a_game()) == (0, f"{KEPT}.")


def test_a_round_without_a_commitment_is_said_with_status_1() -> None:
    record = a_game()
    del record.rounds[1].extra["fair"]
    assert verify(record) == (1, "Game 1: 3 rounds, round 2 carries no commitment.")
    del record.rounds[2].extra["fair"]
    said = "Game 1: 3 rounds, round 2 carries no commitment, round 3 carries no commitment."
    assert verify(record) == (1, said)


def test_games_after_one_without_commitments_are_still_checked() -> None:
    bare = a_game()
    for played in bare.rounds:
        played.extra.clear()
    done = jaipur("verify", "-", text=f"{write_record(bare)}\n{line_of(THREE_ROUNDS)}")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1] == KEPT.replace("Game 1", "Game 2") + "."


def test_a_changed_salt_is_wrong() -> None:
    record = a_game()
    fair(record, 2)["salt"] = "0" * 64
    said = "jaipur: game 1, round 2, fair: The commitment is not that of this deal and this salt."
    assert verify(record) == (1, said)


def test_a_changed_order_of_hidden_cards_is_noticed_by_the_commitment_alone() -> None:
    record = begun()
    deal = record.rounds[0].deal
    turned = (*deal.pack[:12], *reversed(deal.pack[12:]))
    assert turned != deal.pack
    record.rounds[0].deal = replace(deal, pack=turned)
    assert jaipur("replay", "-", text=write_record(record)).returncode == 0
    status, said = verify(record)
    assert (status, said.split(": ")[1]) == (1, "game 1, round 1, fair")


def test_promises_that_change_rounds_are_wrong() -> None:
    record = a_game()
    first, last = record.rounds[0], record.rounds[2]
    first.extra, last.extra = last.extra, first.extra
    status, said = verify(record)
    assert (status, said.split(", fair")[0]) == (1, "jaipur: game 1, round 1")


def test_the_rules_are_checked_too() -> None:
    record = a_game()
    record.seals = (2, 2)
    status, said = verify(record)
    assert status == 1
    assert said.startswith("jaipur: game 1: “seals” is 2, 2 in the record")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_noted_commitments_are_compared_and_counted(count: int) -> None:
    record = a_game()
    told = (0, f"{KEPT} (noted at the table: {count} of 3).")
    assert verify(record, "--commitment", *noted(record)[:count]) == told


def test_noted_commitments_may_be_given_one_by_one_and_in_capitals() -> None:
    record = a_game()
    given = [word for one in noted(record) for word in ("--commitment", one.upper())]
    assert verify(record, *given) == (0, f"{KEPT} (noted at the table: 3 of 3).")


def test_a_deal_and_a_commitment_that_were_both_changed_are_noticed_by_what_was_noted() -> None:
    record = a_game()
    before = noted(record)
    record.rounds[1].extra |= fair_extra(record.rounds[1].deal, "5" * 64)
    assert verify(record) == (0, f"{KEPT}.")
    after = noted(record)[1]
    said = f"jaipur: game 1, round 2: The record carries {after}, noted was {before[1]}."
    assert verify(record, "--commitment", *before) == (1, said)


def test_noted_commitments_stand_in_the_order_of_the_rounds() -> None:
    record = a_game()
    first, second, third = noted(record)
    status, said = verify(record, "--commitment", second, first, third)
    assert (status, said.split(":")[1]) == (1, " game 1, round 1")
    status, said = verify(record, "--commitment", second)
    assert (status, said.split(":")[1]) == (1, " game 1, round 1")


def test_a_noted_round_that_carries_no_commitment_is_wrong() -> None:
    record = a_game()
    given = noted(record)
    del record.rounds[2].extra["fair"]
    said = f"jaipur: game 1, round 3: The record carries no commitment, noted was {given[2]}."
    assert verify(record, "--commitment", *given) == (1, said)


def test_more_commitments_than_rounds_are_wrong() -> None:
    record = a_game()
    status, said = verify(record, "--commitment", *noted(record), "0" * 64)
    assert status == 1
    assert said == "jaipur: game 1: Commitments noted: 4, rounds in the record: 3."


def test_noted_commitments_are_for_one_game() -> None:
    line = line_of(THREE_ROUNDS)
    done = jaipur("verify", "-", "--commitment", noted(a_game())[0], text=line + line)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "jaipur: --commitment is for one game, and the file has more.\n"


@pytest.mark.parametrize("given", ["", "abc", "g" * 64, "0" * 65, "\x1b[2J"])
def test_a_noted_commitment_that_is_none_is_said_with_status_2(given: str) -> None:
    status, said = verify(a_game(), "--commitment", given)
    assert status == 2
    assert said.startswith("jaipur: --commitment: These are not 64 digits")
    assert said.isprintable()


def test_malformed_promises_are_unreadable() -> None:
    record = a_game()
    del fair(record, 3)["salt"]
    assert verify(record) == (
        2,
        "jaipur: game 1, round 3, fair: Object missing required field salt",
    )
    record.rounds[0].extra["fair"] = [1]
    assert verify(record) == (2, "jaipur: game 1, round 1, fair: Expected object, got array")


def test_a_game_in_which_no_round_was_dealt_promised_nothing() -> None:
    record = record_of(Game(), ("ann", "bob"))
    assert verify(record) == (0, "Game 1: no round was dealt.")
    assert verify(record, "--commitment", "0" * 64)[0] == 1


def test_one_round_is_not_rounds() -> None:
    assert verify(begun()) == (0, "Game 1: 1 round, every deal is the one that was promised.")


@pytest.mark.parametrize("arguments", [(), ("--commitment", "0" * 64)])
def test_where_there_is_no_game_nothing_was_verified(arguments: tuple[str, ...]) -> None:
    done = jaipur("verify", "-", *arguments, text="\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "jaipur: There is no game to verify.\n"


@pytest.mark.parametrize("text", ["{\n", "\x00\n", '{"format": "jaipur-record-9"}\n'])
def test_what_cannot_be_read_is_said_with_status_2(text: str) -> None:
    done = jaipur("verify", "-", text=text)
    assert done.returncode == 2
    assert done.stderr.startswith("jaipur: game 1: ")
    assert len(done.stderr.splitlines()) == 1


def test_games_are_checked_as_they_come() -> None:
    """What is read before an unreadable line has been told when it is met."""
    lines = [line_of(seed) for seed in range(8)] * 10
    done = jaipur("verify", "-", text="".join(lines) + "{\n")
    assert done.returncode == 2
    assert done.stderr.startswith("jaipur: game 81: ")
    told = done.stdout.splitlines()
    assert len(told) == 80
    assert told[79].startswith("Game 80: ")
    assert all(line.endswith(" every deal is the one that was promised.") for line in told)
