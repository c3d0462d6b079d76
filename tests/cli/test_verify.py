"""`jaipur verify` as users run it: commitments are checked, and missing or wrong ones are reported."""

from functools import cache
from random import Random
from typing import cast

import pytest

from command import jaipur
from jaipur.arena.play import play_game
from jaipur.cli.verify import ASSUMED, NOT_PROVED, NOTHING_NOTED
from jaipur.notation import (
    Record,
    RoundRecord,
    derive_deal,
    derived_extra,
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


NOTHING = "nothing is proved."
TABLE = "0123456789abcdef"
SALT = f"{7:064x}"
CONTRIBUTIONS = (("a" * 64, "b" * 64), ("c" * 64, None), (None, None))
"""Both seats contribute to round 1, seat 0 alone to round 2, and nobody to round 3."""
THREE_ROUNDS = next(seed for seed in range(100) if len(read_record(line_of(seed)).rounds) == 3)


def a_game() -> Record:
    """A game of three rounds."""
    return read_record(line_of(THREE_ROUNDS))


def a_derived_game() -> Record:
    """A game of three rounds whose deals are derived from contributions."""
    return read_record(derived_line())


@cache
def derived_line() -> str:
    for seed in range(100):
        rng, game = Random(seed), Game()
        while game.winner is None and len(game.rounds) < 3:
            number = len(game.rounds) + 1
            contributions = CONTRIBUTIONS[number - 1]
            game.start(derive_deal(SALT, TABLE, number, contributions, game.next_starter()))
            while game.running is not None:
                game.play(rng.choice(game.legal_moves()))
        if len(game.rounds) == 3 and game.winner is not None:
            record = record_of(
                game, ("ann", "bob"), {"table": TABLE, "seats": ["person", "person"]}
            )
            for number, played in enumerate(record.rounds, 1):
                played.extra.update(derived_extra(TABLE, number, SALT, CONTRIBUTIONS[number - 1]))
            return write_record(record) + "\n"
    raise AssertionError("no game has three rounds")


def one_deal(record: Record | None = None) -> Record:
    """A game whose first round has been dealt but not played."""
    record = record or a_game()
    dealt = RoundRecord(record.rounds[0].deal, [], None, record.rounds[0].extra)
    return Record(record.players, [dealt], (0, 0), None)


def fair(record: Record, number: int) -> dict[str, str]:
    return cast("dict[str, str]", record.rounds[number - 1].extra["fair"])


def noted(record: Record) -> list[str]:
    return [fair(record, number)["commitment"] for number in (1, 2, 3)]


def verify(record: Record, *arguments: str) -> tuple[int, str]:
    """The exit status and the first line of output."""
    status, lines = conclusions(record, *arguments)
    return status, lines[0]


def conclusions(record: Record, *arguments: str) -> tuple[int, list[str]]:
    """The exit status and all lines of output."""
    done = jaipur("verify", "-", *arguments, text=write_record(record))
    return done.returncode, [line.strip() for line in (done.stdout + done.stderr).splitlines()]


def claims(record: Record, *arguments: str) -> list[str]:
    """The claims about the rounds of a game."""
    _, lines = conclusions(record, *arguments)
    return [line.split(": ", 1)[1] for line in lines if line.startswith("Round ")]


VERIFIED = "Game 1: 3 rounds, the record agrees with itself: every deal matches its commitment."


def test_a_record_alone_does_not_prove_an_honest_server() -> None:
    for record in (a_game(), a_derived_game()):
        assert conclusions(record) == (0, [VERIFIED, NOTHING_NOTED])


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
    assert done.stdout.splitlines()[1] == VERIFIED.replace("Game 1", "Game 2")


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
def test_a_noted_commitment_to_a_deal_proves_that_the_deal_was_fixed(count: int) -> None:
    record = a_game()
    fixed = "the deal was fixed when you noted the commitment. The server drew it alone."
    values = noted(record)[:count]
    assert claims(record, "--commitment", *values) == [fixed] * count + [NOTHING] * (3 - count)
    assert conclusions(record, "--commitment", *values)[1][-2:] == [ASSUMED, NOT_PROVED]


def test_noted_commitments_may_be_given_one_by_one_and_in_capitals() -> None:
    record = a_game()
    values = [word for one in noted(record) for word in ("--commitment", one.upper())]
    assert verify(record, *values) == (0, VERIFIED)


def test_each_claim_says_what_the_noted_values_of_a_round_prove() -> None:
    """Both seats contributed to round 1, seat 0 alone to round 2, and nobody to round 3."""
    record = a_derived_game()
    own, other, second = "a" * 64, "b" * 64, "c" * 64
    salt_alone = (
        "the salt was fixed when you noted the commitment. "
        "The server could choose the contributions afterwards, because you noted none."
    )
    deal_alone = (
        "the deal was fixed when you noted the commitment. "
        "The server could choose it before, because nobody contributed."
    )
    contribution_alone = (
        "the deal contains your contribution. "
        "The server could choose the salt afterwards, because you did not note the commitment."
    )
    all_but_one = (
        "the salt was fixed before your contribution, and the deal contains both. "
        "The server could choose the other contribution, because you did not note it."
    )
    proven = "the server could not choose the deal."
    commitments = "--commitment", *noted(record)
    assert claims(record, *commitments) == [salt_alone, salt_alone, deal_alone]
    found = claims(record, *commitments, "--contribution", own, second)
    assert found == [all_but_one, proven, deal_alone]
    found = claims(record, *commitments, "--contribution", own, second, other)
    assert found == [proven, proven, deal_alone]
    found = claims(record, "--contribution", second)
    assert found == [NOTHING, contribution_alone, NOTHING]
    assert ASSUMED not in conclusions(record, "--contribution", second)[1]


def test_a_contribution_that_is_in_no_deal_is_wrong() -> None:
    message = f"jaipur: game 1: No deal contains the contribution {'0' * 64}."
    for record in (a_game(), a_derived_game()):
        assert verify(record, "--contribution", "0" * 64) == (1, message)


@pytest.mark.parametrize("name", ["salt", "commitment", "contributions"])
def test_a_changed_value_of_a_derived_deal_is_wrong(name: str) -> None:
    record = a_derived_game()
    fair(record, 2)[name] = [None, None] if name == "contributions" else "0" * 64  # type: ignore[assignment]
    status, message = verify(record)
    assert (status, message.split(", fair")[0]) == (1, "jaipur: game 1, round 2")


def test_a_deal_of_another_round_or_table_is_wrong() -> None:
    record = a_derived_game()
    second = record.rounds[1]
    misplaced = RoundRecord(second.deal, [], None, second.extra)
    record = Record(record.players, [misplaced], (0, 0), None)
    assert verify(record) == (1, "jaipur: game 1, round 1: The deal belongs to round 2.")
    record = one_deal(a_derived_game())
    record.extra["table"] = "another"
    assert verify(record) == (1, "jaipur: game 1, round 1: The deal belongs to another table.")


def test_a_contribution_of_a_computer_is_wrong() -> None:
    record = a_derived_game()
    record.extra["seats"] = ["person", "computer"]
    message = "Seat 1 is a computer, but the deal has its contribution."
    assert verify(record) == (1, f"jaipur: game 1, round 1: {message}")


def test_noted_commitments_detect_a_deal_changed_together_with_its_commitment() -> None:
    record = a_game()
    before = noted(record)
    record.rounds[1].extra |= fair_extra(record.rounds[1].deal, "5" * 64)
    assert verify(record) == (0, VERIFIED)
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
        done.stderr
        == "jaipur: --commitment and --contribution need a file with one game, and this file has more.\n"
    )


@pytest.mark.parametrize("option", ["--commitment", "--contribution"])
@pytest.mark.parametrize("values", ["", "abc", "g" * 64, "0" * 65, "\x1b[2J"])
def test_a_malformed_noted_value_is_an_error(option: str, values: str) -> None:
    status, message = verify(a_game(), option, values)
    assert status == 2
    assert message.startswith(f"jaipur: {option}: These are not 64 digits")
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
    assert verify(one_deal()) == (0, VERIFIED.replace("3 rounds", "1 round"))


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
