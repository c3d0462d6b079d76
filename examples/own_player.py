"""A player of your own as a Python class, measured against `greedy`: python examples/own_player.py

It gets what its seat may know and the legal moves, never the table itself.
"""

from collections.abc import Sequence
from random import Random

from jaipur import CAMEL, Move, Pile, View, count
from jaipur.arena.pairs import play_pairs
from jaipur.arena.statistics import match_statistics
from jaipur.players import Budget, player_named
from jaipur.rules.cards import GOODS, ONE_CAMEL
from jaipur.rules.tokens import GOODS_TOKENS


class Patient:
    """Waits until it can sell three of a kind; until then it gathers what it has most of, and camels."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return max(moves, key=lambda move: (self.appeal(view, move), rng.random()))

    def appeal(self, view: View, move: Move) -> float:
        if not move.taken:
            good = next(good for good in GOODS if count(move.given, good))
            cards = count(move.given, good)
            tokens = GOODS_TOKENS[good][view.tokens_taken[good] :][:cards]
            return sum(tokens) + 3 * cards if cards >= 3 else sum(tokens) - 5
        after = view.hand + move.taken - move.given % ONE_CAMEL
        camels = count(move.taken, CAMEL) * count(view.market, CAMEL) - count(move.given, CAMEL)
        return self.gathered(after) - self.gathered(view.hand) + camels

    def gathered(self, hand: Pile) -> float:
        return sum((4 - good / 2) * count(hand, good) ** 2 for good in GOODS) / 4

    def close(self) -> None:
        """There is nothing to let go of."""


if __name__ == "__main__":
    players = (Patient(), player_named("greedy"))
    pairs = list(play_pairs(players, ("patient", "greedy"), pairs=25, seed=1))
    print(f"The patient one takes {match_statistics(pairs)} from greedy.")
