"""Luck correction of results: a control variate in the manner of AIVAT.

After each draw from the deck, the champion evaluates the position, and also the positions after all other possible
draws. The difference is the luck of that draw. Its mean is zero for all players and evaluations, so the win rate minus
luck is unbiased. Its variance is about half of the variance of the win rate.

Burch, Schmid, Moravčík, Morrill, Bowling: AIVAT, a new variance reduction technique for agent evaluation (2018).
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from jaipur.analysis.evaluation import evaluate
from jaipur.notation import Record, RoundRecord
from jaipur.rules import Move, Position, Seat, new_round
from jaipur.rules.cards import Kind
from jaipur.rules.turn import carry_out

DECK_SAMPLES = 10
"""The number of sampled deck orders if several cards are drawn. For one card, all cases are enumerated."""


class PairScore(NamedTuple):
    """The result of a pair of rounds for one player."""

    win_rate: float
    luck: float
    """The part of the win rate that is due to the deck."""

    @property
    def corrected(self) -> float:
        return self.win_rate - self.luck


def group_pairs(records: Iterable[Record]) -> list[list[Record]]:
    """Group the records of an arena match by pair: the same deal, played twice with seats swapped."""
    pairs: dict[object, list[Record]] = {}
    for record in records:
        pairs.setdefault(record.extra["pair"], []).append(record)
    return list(pairs.values())


def score_pair(pair: Sequence[Record]) -> PairScore:
    """Score a pair for the player who has seat 1 in the first record. Each record has one round."""
    rng, player = Random(1), pair[0].players[1]
    rounds = [(record.rounds[0], record.players.index(player)) for record in pair]
    return PairScore(
        fmean(_wins(round_, seat) for round_, seat in rounds),
        fmean(round_luck(round_, seat, rng) for round_, seat in rounds),
    )


def round_luck(record: RoundRecord, seat: Seat, rng: Random) -> float:
    """The sum of a seat's luck over all draws of a round, as a win probability."""
    position, total = new_round(record.deal), 0.0
    for move in record.moves:
        before = position.copy()
        carry_out(position, move.code)
        drawn = position.drawn - before.drawn
        if drawn and not position.ended:
            expected = sum(
                weight * _win_probability(_after(before, move, deck), seat)
                for weight, deck in possible_decks(before.deck[before.drawn :], drawn, rng)
            )
            total += _win_probability(position, seat) - expected
    return total


def possible_decks(
    rest: Sequence[Kind], drawn: int, rng: Random
) -> Iterator[tuple[float, list[Kind]]]:
    """Orders of the remaining deck with their probabilities: one per kind of the next card, or a random sample."""
    if drawn > 1:
        yield from ((1 / DECK_SAMPLES, rng.sample(rest, len(rest))) for _ in range(DECK_SAMPLES))
        return
    for kind in sorted(set(rest)):
        others = list(rest)
        others.remove(kind)
        yield rest.count(kind) / len(rest), [kind, *others]


def _wins(record: RoundRecord, seat: Seat) -> float:
    winner = None if record.result is None else record.result.seal
    return 0.5 if winner is None else float(winner == seat)


def _win_probability(position: Position, seat: Seat) -> float:
    """A seat's win probability. The network evaluates the view of the seat to move."""
    best = evaluate(position.view(position.turn)).best.win_probability
    return best if position.turn == seat else 1 - best


def _after(before: Position, move: Move, deck: list[Kind]) -> Position:
    position = before.copy()
    position.deck = [*before.deck[: before.drawn], *deck]
    carry_out(position, move.code)
    return position
