"""What the pairs of a series come to: shares, rupees and ratings with their intervals, and what is counted apart."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jaipur.arena.bootstrap import REPLICATES, Estimate, Numbers, estimate, share_estimate, sums
from jaipur.arena.pairs import Pair
from jaipur.arena.play import Thought
from jaipur.arena.ratings import Ratings, Tally, rate


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """One match from the side of its first player."""

    players: tuple[int, int]
    pairs: int
    share: Estimate
    rupees: Estimate | None
    """Ahead by, a round; None where no round came to an end."""
    won: int
    lost: int
    tied: int
    abandoned: int
    forfeits: tuple[Counter[str], Counter[str]]
    """By player, by reason; they are among the lost rounds of whoever forfeited."""
    thought: tuple[Thought, Thought]

    def __str__(self) -> str:
        share = self.share
        return (
            f"{share.value:.1%} of {2 * self.pairs} rounds "
            f"(95 % interval {share.low:.1%} to {share.high:.1%})"
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """All matches and the ratings that follow from them."""

    matches: tuple[MatchFigures, ...]
    ratings: Ratings


def match_figures(pairs: Sequence[Pair], seed: int = 0) -> MatchFigures:
    """The figures of a single match."""
    return figures([pairs], [(0, 1)], 2, seed).matches[0]


def figures(
    pairs: Sequence[Sequence[Pair]], matches: Sequence[tuple[int, int]], players: int, seed: int
) -> Figures:
    """The figures of matches whose pairs have the same numbers in the same order."""
    columns = np.hstack([_columns(match) for match in pairs])
    found, again = columns.sum(axis=0)[None], sums(columns, seed)
    drawn = np.random.Generator(np.random.PCG64([seed, 1])).standard_exponential(
        (REPLICATES, len(matches))
    )
    ratings = rate(
        players, matches, _tally(found, np.ones((1, len(matches)))), _tally(again, drawn)
    )
    width = len(_COLUMNS)
    each = tuple(
        _match(
            pairs[match],
            who,
            found[:, width * match : width * (match + 1)],
            again[:, width * match : width * (match + 1)],
        )
        for match, who in enumerate(matches)
    )
    return Figures(each, ratings)


# The columns of a match, a row a pair: one, the first player's score where it started and where it replied, its lead,
# and how many rounds had one.
_COLUMNS = _ONE, _STARTING, _REPLYING, _LEAD, _LEADS = range(5)


def _columns(pairs: Sequence[Pair]) -> Numbers:
    rows = np.zeros((len(pairs), len(_COLUMNS)))
    rows[:, _ONE] = 1
    for row, pair in zip(rows, pairs, strict=True):
        for outcome in pair.outcomes:
            row[_STARTING if outcome.started else _REPLYING] += outcome.score
            if outcome.lead is not None:
                row[_LEAD] += outcome.lead
                row[_LEADS] += 1
    return rows


def _tally(totals: Numbers, drawn: Numbers) -> Tally:
    width = len(_COLUMNS)
    return Tally(
        totals[:, _ONE::width], totals[:, _STARTING::width], totals[:, _REPLYING::width], drawn
    )


def _match(
    pairs: Sequence[Pair], players: tuple[int, int], found: Numbers, again: Numbers
) -> MatchFigures:
    outcomes = [outcome for pair in pairs for outcome in pair.outcomes]
    scores = Counter(outcome.score for outcome in outcomes)
    forfeits: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for outcome in outcomes:
        if outcome.forfeit is not None:
            forfeits[outcome.forfeit[0]][outcome.forfeit[1]] += 1
    thought = [sum((pair.thought[chair] for pair in pairs), Thought()) for chair in (0, 1)]
    rupees = None
    if found[0, _LEADS]:
        with_leads = again[again[:, _LEADS] > 0]
        rupees = estimate(_leads(found)[0], _leads(with_leads))
    return MatchFigures(
        players=players,
        pairs=len(pairs),
        share=share_estimate(float(_shares(found)[0]), _shares(again), len(pairs)),
        rupees=rupees,
        won=scores[1.0],
        lost=scores[0.0],
        tied=sum(outcome.tied for outcome in outcomes),
        abandoned=sum(outcome.ended == "abandoned" for outcome in outcomes),
        forfeits=forfeits,
        thought=(thought[0], thought[1]),
    )


def _shares(totals: Numbers) -> Numbers:
    return (totals[:, _STARTING] + totals[:, _REPLYING]) / (2 * totals[:, _ONE])


def _leads(totals: Numbers) -> Numbers:
    return totals[:, _LEAD] / totals[:, _LEADS]
