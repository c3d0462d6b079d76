"""The player `greedy`, which plays the move with the largest gain in this turn.

It considers only tokens and its own cards. It ignores the opponent, the refill of the market and the end of the round.
"""

from collections.abc import Sequence
from random import Random

from jaipur.players.heuristic.value_tables import expected_bonus
from jaipur.players.player import Budget, Player
from jaipur.rules import Move, View
from jaipur.rules.cards import CAMEL, GOODS, GOODS_MASK, PileCode, count
from jaipur.rules.tokens import tokens_paid

HAND_DISCOUNT = 0.8
"""Cards in the hand count this fraction of their sale price, because the opponent may take the tokens first."""
CAMEL_VALUE = 1.5  # rupees


class Greedy(Player):
    """Plays the move with the largest gain, or a random one of several such moves."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        hand_price = sale_price(view, view.hand)
        gains = [gain(view, hand_price, move) for move in moves]
        largest = max(gains)
        best = [move for move, gained in zip(moves, gains, strict=True) if gained == largest]
        return best[int(rng.random() * len(best))]


def gain(view: View, hand_price: float, move: Move) -> float:
    """Return the gain of a move in rupees: tokens earned, plus the discounted change in the value of the own cards."""
    if move.taken == 1 << 4 * CAMEL:
        return CAMEL_VALUE * count(view.market, CAMEL)
    hand = view.hand + move.taken - (move.given & GOODS_MASK)
    change = HAND_DISCOUNT * (sale_price(view, hand) - hand_price)
    gained = change - CAMEL_VALUE * count(move.given, CAMEL)
    return gained if move.taken else gained + sale_price(view, move.given)


def sale_price(view: View, cards: PileCode) -> float:
    """Return the rupees for selling all these cards now in one sale per good, including expected bonus tokens."""
    total = 0.0
    for good in GOODS:
        sold = cards >> 4 * good & 15
        if sold:
            total += tokens_paid(good, view.tokens_taken[good], sold) + expected_bonus(sold)
    return total
