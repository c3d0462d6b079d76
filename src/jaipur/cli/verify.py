"""`jaipur verify FILE`: checks the deal of every round, and says what the check proves.

A file alone does not prove that the server was honest, because the writer of the file could choose everything in it
afterwards. Values that the user noted during the game do prove something. `_claim` has one sentence for each case.
"""

import argparse
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from jaipur.cli.arguments import add_file, replay_records
from jaipur.notation import Record, check_fair
from jaipur.notation.fair import CommittedDeal, DerivedDeal, FairData, read_digits
from jaipur.rules import Game, WrongRecord
from jaipur.rules.input_errors import within

HELP = "check that every deal follows from its salt and contributions"
DESCRIPTION = (
    "Replay every game and check the deal of every round. The exit status is 1 if a round has no commitment or a "
    "wrong one, and 2 if the file cannot be read. The file alone does not prove that the server "
    "was honest, because its writer could choose everything in it. Give the values that you noted at the table: then "
    "the output says what they prove."
)
COMMITMENTS = (
    "the commitments you noted at the table, in order from the first round; FILE must have one game"
)
CONTRIBUTIONS = (
    "the contributions you sent or noted at the table, in any order; FILE must have one game"
)
NOTHING_NOTED = (
    "This does not prove that the server was honest: give the values that you noted at the table."
)
ASSUMED = (
    "This assumes that you noted the commitment of each round before you sent a contribution that the deal "
    "of this round contains."
)
NOT_PROVED = (
    "Not proved: that the server did not cooperate with a player, or show hidden cards to a player."
)


class Noted(NamedTuple):
    """The values that the user noted at the table."""

    commitments: Sequence[str]
    contributions: Sequence[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    for option, text in (("--commitment", COMMITMENTS), ("--contribution", CONTRIBUTIONS)):
        parser.add_argument(
            option, metavar="HEX", nargs="+", action="extend", default=[], help=text
        )


def run(arguments: argparse.Namespace) -> int:
    noted = Noted(
        _read_noted("--commitment", arguments.commitment),
        _read_noted("--contribution", arguments.contribution),
    )
    status = number = 0
    for number, (record, _) in enumerate(_games(arguments.file, alone=any(noted)), 1):
        with within(f"game {number}"):
            checked = _check(record)
            _compare_commitments(checked, noted.commitments)
            _find_contributions(checked, noted.contributions)
        print(f"Game {number}: {_summary(checked)}")
        for line in _conclusions(checked, noted):
            print(line)
        status |= None in checked
    if not number:
        raise WrongRecord("There is no game to verify.")
    if not any(noted):
        print(NOTHING_NOTED)
    return status


def _read_noted(option: str, values: Iterable[str]) -> list[str]:
    with within(option):
        return [read_digits(text.lower()) for text in values]


def _games(file: str, alone: bool) -> Iterable[tuple[Record, Game]]:
    """Return the games of a file. If `alone` is true, the file must have only one game."""
    games = replay_records(file)
    if not alone:
        return games
    first = list(islice(games, 2))
    if len(first) > 1:
        raise argparse.ArgumentTypeError(
            "--commitment and --contribution need a file with one game, and this file has more."
        )
    return first


def _check(record: Record) -> list[FairData | None]:
    """Return the checked `fair` field of each round, or None for a round without this field."""
    checked = []
    for number, played in enumerate(record.rounds, 1):
        with within(f"round {number}"):
            fair = check_fair(played)
            if isinstance(fair, DerivedDeal):
                _check_place(record, number, fair)
            checked.append(fair)
    return checked


def _check_place(record: Record, number: int, fair: DerivedDeal) -> None:
    """Check that the deal belongs to this round of this table, and that only people contributed."""
    if fair.round != number:
        raise WrongRecord(f"The deal belongs to round {fair.round}.")
    if record.extra.get("table", fair.table) != fair.table:
        raise WrongRecord("The deal belongs to another table.")
    seats = record.extra.get("seats")
    for seat, value in enumerate(fair.contributions):
        if value is not None and isinstance(seats, list) and seats[seat : seat + 1] == ["computer"]:
            raise WrongRecord(f"Seat {seat} is a computer, but the deal has its contribution.")


def _compare_commitments(checked: Sequence[FairData | None], noted: Sequence[str]) -> None:
    if len(noted) > len(checked):
        raise WrongRecord(f"Commitments noted: {len(noted)}, rounds in the record: {len(checked)}.")
    for number, (fair, value) in enumerate(zip(checked, noted, strict=False), 1):
        recorded = "no commitment" if fair is None else fair.commitment
        if recorded != value:
            wrong = WrongRecord(f"The record has {recorded}, but {value} was noted.")
            wrong.where = [f"round {number}"]
            raise wrong


def _find_contributions(checked: Sequence[FairData | None], noted: Sequence[str]) -> None:
    contained = {value for fair in checked for value in _contributions(fair)}
    for value in noted:
        if value not in contained:
            raise WrongRecord(f"No deal contains the contribution {value}.")


def _contributions(fair: FairData | None) -> list[str]:
    values = fair.contributions if isinstance(fair, DerivedDeal) else ()
    return [value for value in values if value is not None]


def _summary(checked: Sequence[FairData | None]) -> str:
    if not checked:
        return "no round was dealt."
    rounds = f"{len(checked)} round{'s' if len(checked) > 1 else ''}"
    missing = [
        f"round {number} has no commitment" for number, one in enumerate(checked, 1) if not one
    ]
    if missing:
        return ", ".join([rounds, *missing]) + "."
    return f"{rounds}, the record agrees with itself: every deal matches its commitment."


def _conclusions(checked: Sequence[FairData | None], noted: Noted) -> list[str]:
    if not any(noted):
        return []
    claims = []
    for number, fair in enumerate(checked, 1):
        committed = number <= len(noted.commitments)
        claims.append(f"Round {number}: {_claim(fair, committed, noted.contributions)}")
    return [*claims, *([ASSUMED] if noted.commitments else []), NOT_PROVED]


def _claim(fair: FairData | None, committed: bool, noted: Sequence[str]) -> str:
    """Return a sentence that says what the noted values prove about one round."""
    contributions = _contributions(fair)
    compared = [value for value in contributions if value in noted]
    match fair, committed, bool(compared):
        case (None, _, _) | (_, False, False):
            return "nothing is proved."
        case CommittedDeal(), _, _:
            return "the deal was fixed when you noted the commitment. The server drew it alone."
        case _, False, True:
            return (
                "the deal contains your contribution. "
                "The server could choose the salt afterwards, because you did not note the commitment."
            )
        case _, True, False if contributions:
            return (
                "the salt was fixed when you noted the commitment. "
                "The server could choose the contributions afterwards, because you noted none."
            )
        case _, True, False:
            return (
                "the deal was fixed when you noted the commitment. "
                "The server could choose it before, because nobody contributed."
            )
    if len(compared) < len(contributions):
        return (
            "the salt was fixed before your contribution, and the deal contains both. "
            "The server could choose the other contribution, because you did not note it."
        )
    return "the server could not choose the deal."
