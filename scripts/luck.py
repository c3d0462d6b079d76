"""Shares of an arena without the luck of the draw: what the deck gave to either side is taken off again.

`python scripts/luck.py FILE … [--jobs N]`; the files are the records that `jaipur arena`
leaves of its matches of single rounds. A pair takes about a second of one core.

What comes from the deck is chance, and the maharaja can say what it did to the chances: what it thinks of the table as
it came, beside what it thinks of all that could have come. These differences are nobody's merit and nothing on average,
whatever the maharaja is worth. So a share less their sum is as right as before, with half of the variance. Who studies
poker knows this as AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, 2018).
"""

import os
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from jaipur.analysis.evaluation import evaluate
from jaipur.arena.process_pool import cores, map_ordered
from jaipur.cli.output import progress
from jaipur.notation import Record, RoundRecord, read_records
from jaipur.rules import Move, Position, Seat, new_round
from jaipur.rules.cards import Kind
from jaipur.rules.turn import carry_out

SAMPLES = 10
"""Where several cards come at once, so many ways in which the deck could have lain stand for all."""


class Score(NamedTuple):
    """What a player took of the rounds of a pair, and what of it the deck gave."""

    share: float
    luck: float


def pairs_of(file: Path) -> list[list[Record]]:
    """The records of a match, pair by pair."""
    pairs: dict[object, list[Record]] = {}
    with file.open("rb") as stream:
        for record in read_records(stream):
            pairs.setdefault(record.extra["pair"], []).append(record)
    return list(pairs.values())


def score(pair: list[Record]) -> Score:
    """The pair as the player sees it that is the second one in the first round."""
    rng, player = Random(1), pair[0].players[1]
    seats = [record.players.index(player) for record in pair]
    rounds = [record.rounds[0] for record in pair]
    return Score(
        float(np.mean([_won(*each) for each in zip(rounds, seats, strict=True)])),
        float(np.mean([luck(*each, rng) for each in zip(rounds, seats, strict=True)])),
    )


def _won(played: RoundRecord, seat: Seat) -> float:
    winner = None if played.result is None else played.result.seal
    return 0.5 if winner is None else float(winner == seat)


def luck(played: RoundRecord, seat: Seat, rng: Random) -> float:
    """By how much the deck raised the chance of a seat, over all of a round."""
    position, total = new_round(played.deal), 0.0
    for move in played.moves:
        before = position.copy()
        carry_out(position, move.code)
        came = position.drawn - before.drawn
        if came and not position.ended:
            total += chance(position, seat) - sum(
                weight * chance(_with(deck, before, move), seat)
                for weight, deck in decks(before.deck[before.drawn :], came, rng)
            )
    return total


def chance(position: Position, seat: Seat) -> float:
    """The chance of a seat to win, as the maharaja sees it from the seat that is to move."""
    best = evaluate(position.view(position.turn)).best.win_probability
    return best if position.turn == seat else 1 - best


def decks(left: Sequence[Kind], come: int, rng: Random) -> Iterator[tuple[float, list[Kind]]]:
    """Orders in which the deck could have lain, with their weights: by the card that comes, or some by chance."""
    if come > 1:
        yield from ((1 / SAMPLES, rng.sample(left, len(left))) for _ in range(SAMPLES))
        return
    for kind in sorted(set(left)):
        others = list(left)
        others.remove(kind)
        yield left.count(kind) / len(left), [kind, *others]


def _with(deck: list[Kind], before: Position, move: Move) -> Position:
    position = before.copy()
    position.deck = [*before.deck[: before.drawn], *deck]
    carry_out(position, move.code)
    return position


def in_words(numbers: Sequence[float]) -> str:
    return f"{100 * np.mean(numbers):.1f} % ± {196 * np.std(numbers) / len(numbers) ** 0.5:.1f}"


def main() -> None:
    parser = ArgumentParser(description="Shares of an arena without the luck of the draw.")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=cores())
    asked = parser.parse_args()
    # For the processes that do the work, as for those of the command (jaipur/__main__.py).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    print("| player | from | pairs | share | without luck |\n| --- | --- | ---: | ---: | ---: |")
    for file in asked.files:
        pairs = pairs_of(file)
        scores = []
        with progress("pairs", len(pairs)) as done:
            for found in map_ordered(score, pairs, asked.jobs):
                scores.append(found)
                done(1)
        other, player = pairs[0][0].players
        shares = [each.share for each in scores]
        clean = [each.share - each.luck for each in scores]
        print(f"| {player} | {other} | {len(pairs)} | {in_words(shares)} | {in_words(clean)} |")


if __name__ == "__main__":
    main()
