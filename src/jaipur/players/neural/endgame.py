"""Moves that end the round: what they bring is counted rather than guessed, for only bonus tokens are still unknown."""

from collections import Counter
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from jaipur.rules import Rupees, View, deal_unseen
from jaipur.rules.cards import NOBODY
from jaipur.rules.moves import Code
from jaipur.rules.scoring import bonus_rupees, round_winner, rupees
from jaipur.rules.tokens import BONUS_TOKENS
from jaipur.rules.turn import carry_out


class Ending(NamedTuple):
    """What comes of a move that ends the round."""

    win: float
    """The chance to win it; half where nobody wins."""
    lead: float
    """By how many rupees, on average."""


def ending_after(view: View, code: Code) -> Ending:
    """Count what a move brings that ends the round, over all that bonus tokens may be."""
    seat, other = view.seat, 1 - view.seat
    table = deal_unseen(view, Random(0))
    carry_out(table, code)
    # In this world bonus tokens make some difference; in the others goods and camels make the same, and they another.
    here = bonus_rupees(table, seat) - bonus_rupees(table, other)
    sure = rupees(table, seat) - rupees(table, other) - here
    earned = [now - before for now, before in zip(table.bonus_taken, view.bonus_taken, strict=True)]
    ways = _bonus_leads(view.own.bonus_values or (), view.other.bonuses, tuple(earned))
    goods, win, lead = table.rupees[seat], 0.0, 0.0
    for bonus, number in ways.items():
        table.rupees[seat] = goods + bonus - here
        winner = round_winner(table)
        win += number * (0.5 if winner == NOBODY else winner == seat)
        lead += number * (sure + bonus)
    return Ending(win / ways.total(), lead / ways.total())


@lru_cache
def _bonus_leads(
    own: tuple[int, ...], others: tuple[int, ...], earned: tuple[int, ...]
) -> Counter[Rupees]:
    """In how many ways one is so far ahead by bonus tokens: one's own values, theirs by pile, and new ones by pile."""
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
    """The same for one pile, of which the other holds some tokens and one earns some."""
    ways: Counter[Rupees] = Counter()
    for held in combinations(range(len(unseen)), theirs + new):
        for mine in combinations(held, new):
            ways[2 * sum(unseen[t] for t in mine) - sum(unseen[t] for t in held)] += 1
    return ways
