"""Statistics of a tournament: win shares, leads in rupees and ratings, each with a confidence interval, and counts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jaipur.arena.bootstrap import (
    REPLICATES,
    Estimate,
    Numbers,
    estimate,
    share_estimate,
    weighted_sums,
)
from jaipur.arena.pairs import Pair
from jaipur.arena.play import ThinkingTime
from jaipur.arena.ratings import Ratings, Tally, rate


@dataclass(frozen=True, slots=True)
class MatchStatistics:
    """The statistics of one match, from the point of view of its first player."""

    players: tuple[int, int]
    pairs: int
    share: Estimate
    rupees: Estimate | None
    """The mean lead in rupees per round. None if all rounds were forfeited."""
    won: int
    lost: int
    tied: int
    abandoned: int
    forfeits: tuple[Counter[str], Counter[str]]
    """The number of forfeits by player and reason. A forfeit also counts as a lost round."""
    thinking: tuple[ThinkingTime, ThinkingTime]

    def __str__(self) -> str:
        share = self.share
        return (
            f"{share.value:.1%} of {2 * self.pairs} rounds "
            f"(95 % interval {share.low:.1%} to {share.high:.1%})"
        )


@dataclass(frozen=True, slots=True)
class TournamentStatistics:
    """All matches, and the ratings computed from them."""

    matches: tuple[MatchStatistics, ...]
    ratings: Ratings


def match_statistics(pairs: Sequence[Pair], seed: int = 0) -> MatchStatistics:
    return tournament_statistics([pairs], [(0, 1)], 2, seed).matches[0]


def tournament_statistics(
    pairs: Sequence[Sequence[Pair]], matches: Sequence[tuple[int, int]], players: int, seed: int
) -> TournamentStatistics:
    """Compute the statistics of all matches. Every match must have the same pair numbers in the same order."""
    columns = np.hstack([_columns(match) for match in pairs])
    totals, replicates = columns.sum(axis=0)[None], weighted_sums(columns, seed)
    drawn = np.random.Generator(np.random.PCG64([seed, 1])).standard_exponential(
        (REPLICATES, len(matches))
    )
    ratings = rate(
        players, matches, _tally(totals, np.ones((1, len(matches)))), _tally(replicates, drawn)
    )
    width = len(_COLUMNS)
    each = tuple(
        _match(
            pairs[match],
            seats,
            totals[:, width * match : width * (match + 1)],
            replicates[:, width * match : width * (match + 1)],
        )
        for match, seats in enumerate(matches)
    )
    return TournamentStatistics(each, ratings)


# The columns of the table that has one row per pair: the number 1, the first player's score in the round that this
# player started, the score in the other round, the lead in rupees, and the number of rounds without a forfeit.
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
    pairs: Sequence[Pair], players: tuple[int, int], totals: Numbers, replicates: Numbers
) -> MatchStatistics:
    outcomes = [outcome for pair in pairs for outcome in pair.outcomes]
    scores = Counter(outcome.score for outcome in outcomes)
    forfeits: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for outcome in outcomes:
        if outcome.forfeit is not None:
            forfeits[outcome.forfeit[0]][outcome.forfeit[1]] += 1
    thinking = [sum((pair.thinking[side] for pair in pairs), ThinkingTime()) for side in (0, 1)]
    rupees = None
    if totals[0, _LEADS]:
        with_leads = replicates[replicates[:, _LEADS] > 0]
        rupees = estimate(_leads(totals)[0], _leads(with_leads))
    return MatchStatistics(
        players=players,
        pairs=len(pairs),
        share=share_estimate(float(_shares(totals)[0]), _shares(replicates), len(pairs)),
        rupees=rupees,
        won=scores[1.0],
        lost=scores[0.0],
        tied=sum(outcome.tied for outcome in outcomes),
        abandoned=sum(outcome.ended == "abandoned" for outcome in outcomes),
        forfeits=forfeits,
        thinking=(thinking[0], thinking[1]),
    )


def _shares(totals: Numbers) -> Numbers:
    return (totals[:, _STARTING] + totals[:, _REPLYING]) / (2 * totals[:, _ONE])


def _leads(totals: Numbers) -> Numbers:
    return totals[:, _LEAD] / totals[:, _LEADS]
