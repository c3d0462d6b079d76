"""A player of your own as a Python class, and a match against `greedy`: python examples/own_player.py

The player gets the view of its seat and the legal moves, and never the whole table.
"""

from collections.abc import Sequence
from random import Random

from jaipur import Card, Good, Move, Pile, View
from jaipur.arena.pairs import play_pairs
from jaipur.arena.statistics import match_statistics
from jaipur.players import Budget, Player, player_named


class Patient(Player):
    """Waits until it can sell three cards of a good.

    Until then it collects camels and the goods that it has most of.
    """

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return max(moves, key=lambda move: (self.score(view, move), rng.random()))

    def score(self, view: View, move: Move) -> float:
        if not move.taken:
            rupees, cards = sum(view.payment(move.given).tokens), len(move.given)
            return rupees + 3 * cards if cards >= 3 else rupees - 5
        after = view.hand.minus(move.given.goods).plus(move.taken.goods)
        camels = view.market.count(Card.CAMEL) if Card.CAMEL in move.taken else 0
        camels -= move.given.count(Card.CAMEL)
        return self.collected(after) - self.collected(view.hand) + camels

    def collected(self, hand: Pile) -> float:
        return sum((4 - good / 2) * hand.count(good) ** 2 for good in Good) / 4


if __name__ == "__main__":
    players = (Patient(), player_named("greedy"))
    pairs = list(play_pairs(players, ("patient", "greedy"), pairs=25, seed=1))
    print(f"The patient player takes {match_statistics(pairs)} from greedy.")
