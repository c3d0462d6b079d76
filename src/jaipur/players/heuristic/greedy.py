"""The player `greedy`: plays what looks richest this very turn.

It knows what a hand would fetch and no more: not the other trader, not what it uncovers, not the end of the round.
"""

from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget
from jaipur.players.heuristic.value_tables import expected_bonus
from jaipur.rules import Move, View, count
from jaipur.rules.cards import CAMEL, GOODS, GOODS_MASK, Pile
from jaipur.rules.tokens import tokens_paid

# A card in the hand counts for less than the tokens it would fetch, which somebody may take first.
IN_HAND = 0.8
CAMEL_WORTH = 1.5


class Greedy:
    """Plays the move with the most gain; among equals, any."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        held = price(view, view.hand)
        gains = [gain(view, held, move) for move in moves]
        most = max(gains)
        equal = [move for move, gained in zip(moves, gains, strict=True) if gained == most]
        return equal[int(rng.random() * len(equal))]

    def close(self) -> None:
        pass


def gain(view: View, held: float, move: Move) -> float:
    """Rupees in tokens, and a good part of what the hand would fetch more or less than now."""
    if move.taken == 1 << 4 * CAMEL:
        return CAMEL_WORTH * count(view.market, CAMEL)
    hand = view.hand + move.taken - (move.given & GOODS_MASK)
    gained = IN_HAND * (price(view, hand) - held) - CAMEL_WORTH * count(move.given, CAMEL)
    return gained if move.taken else gained + price(view, move.given)


def price(view: View, cards: Pile) -> float:
    """What cards would fetch now, each good in one sale, with the bonus at its average."""
    total = 0.0
    for good in GOODS:
        held = cards >> 4 * good & 15
        if held:
            total += tokens_paid(good, view.tokens_taken[good], held) + expected_bonus(held)
    return total
