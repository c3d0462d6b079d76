"""Exact values of moves that end the round.

Only the values of some bonus tokens are unknown. We try all combinations.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from jaipur.rules import Rupees, View, deal_unseen
from jaipur.rules.cards import NOBODY
from jaipur.rules.moves import MoveCode
from jaipur.rules.scoring import bonus_rupees, round_winner, rupees
from jaipur.rules.tokens import BONUS_TOKENS
from jaipur.rules.turn import carry_out


class EndgameValue(NamedTuple):
    """The value of a move that ends the round."""

    win_probability: float
    """The probability of winning the round. A tied round counts as half a win."""
    expected_lead: float
    """The expected final lead in rupees."""


def endgame_value(view: View, code: MoveCode) -> EndgameValue:
    """Return the value of a move that ends the round: the average over all possible values of hidden bonus tokens."""
    seat, other = view.seat, 1 - view.seat
    final = deal_unseen(view, Random(0))
    carry_out(final, code)
    # The lead in this position includes sampled bonus tokens. Subtract them to get the known part of the lead. The loop
    # below adds each possible lead in bonus tokens.
    sampled_bonus = bonus_rupees(final, seat) - bonus_rupees(final, other)
    known_lead = rupees(final, seat) - rupees(final, other) - sampled_bonus
    earned = [now - before for now, before in zip(final.bonus_taken, view.bonus_taken, strict=True)]
    ways = _bonus_leads(view.own.bonus_values or (), view.other.bonuses, tuple(earned))
    goods, wins, leads = final.rupees[seat], 0.0, 0.0
    for bonus_lead, number in ways.items():
        final.rupees[seat] = goods + bonus_lead - sampled_bonus
        winner = round_winner(final)
        wins += number * (0.5 if winner == NOBODY else winner == seat)
        leads += number * (known_lead + bonus_lead)
    return EndgameValue(wins / ways.total(), leads / ways.total())


@lru_cache
def _bonus_leads(
    own: tuple[int, ...], others: tuple[int, ...], earned: tuple[int, ...]
) -> Counter[Rupees]:
    """Count, for each possible lead in bonus tokens (in rupees), the combinations of hidden tokens that give this lead.

    `own` are the values of the seat's bonus tokens. `others` counts the opponent's tokens by pile. `earned` counts the
    tokens by pile that the seat gets for the last move.
    """
    leads = Counter({sum(own): 1})
    for tokens, theirs, new in zip(BONUS_TOKENS, others, earned, strict=True):
        unseen = Counter(tokens) - Counter(value for value in own if value in tokens)
        ways = _pile_leads(tuple(unseen.elements()), theirs, new)
        sums: Counter[Rupees] = Counter()
        for lead, number in leads.items():
            for more, times in ways.items():
                sums[lead + more] += number * times
        leads = sums
    return leads


def _pile_leads(unseen: tuple[int, ...], theirs: int, new: int) -> Counter[Rupees]:
    """Like `_bonus_leads`, for one pile.

    The opponent has `theirs` tokens of the pile, and the seat gets `new` tokens.
    """
    ways: Counter[Rupees] = Counter()
    for held in combinations(range(len(unseen)), theirs + new):
        for mine in combinations(held, new):
            ways[2 * sum(unseen[t] for t in mine) - sum(unseen[t] for t in held)] += 1
    return ways
