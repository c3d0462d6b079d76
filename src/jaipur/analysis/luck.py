"""Luck correction of results: subtract the luck of the deck from the win rate, with the method AIVAT.

The luck of a draw from the deck is a difference: the champion's evaluation after this draw, minus the average of the
evaluations after all possible draws. The expected luck is zero for all players and for every evaluation, good or bad.
Therefore the corrected win rate is unbiased. Its variance is about half of the variance of the win rate.

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
"""If a move draws several cards, this many deck orders are sampled. If it draws one card, all kinds are tried."""


class PairScore(NamedTuple):
    """The result of a pair of rounds for one player."""

    win_rate: float
    luck: float
    """The part of the win rate that is due to the deck."""

    @property
    def corrected(self) -> float:
        return self.win_rate - self.luck


def group_pairs(records: Iterable[Record]) -> list[list[Record]]:
    """Group the records of an arena match by pair. A pair is the same deal played twice, with the seats swapped."""
    pairs: dict[object, list[Record]] = {}
    for record in records:
        pairs.setdefault(record.extra["pair"], []).append(record)
    return list(pairs.values())


def score_pair(pair: Sequence[Record]) -> PairScore:
    """Score a pair for the player who has seat 1 in the first record. Each record must have exactly one round."""
    rng, player = Random(1), pair[0].players[1]
    rounds = [(record.rounds[0], record.players.index(player)) for record in pair]
    return PairScore(
        fmean(_wins(round_, seat) for round_, seat in rounds),
        fmean(round_luck(round_, seat, rng) for round_, seat in rounds),
    )


def round_luck(record: RoundRecord, seat: Seat, rng: Random) -> float:
    """Return the luck of a seat in a round: the sum over all draws, in units of win probability."""
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
    """Yield possible orders of the remaining deck, each with its probability.

    If one card is drawn, yield one order for each kind of this card. Otherwise yield a random sample of orders.
    """
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
    """Return a seat's win probability. The network evaluates the view of the seat to move."""
    best = evaluate(position.view(position.turn)).best.win_probability
    return best if position.turn == seat else 1 - best


def _after(before: Position, move: Move, deck: list[Kind]) -> Position:
    position = before.copy()
    position.deck = [*before.deck[: before.drawn], *deck]
    carry_out(position, move.code)
    return position
