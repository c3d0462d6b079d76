"""The player `grand-maharaja`: the maharaja's best few moves, tried in many worlds that it cannot tell apart.

All that are still in the race are tried in the same worlds, and a move that has clearly fallen behind drops out.
"""

import math
from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from jaipur.players.budget import Meter
from jaipur.players.neural.belief import expected_hidden
from jaipur.players.neural.maharaja import answers_after
from jaipur.players.neural.network import HIDDEN, WIN, Network, chances_of
from jaipur.players.neural.rollouts import Chances, Lookahead, ready
from jaipur.players.player import Budget
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.cards import GOODS, count

CANDIDATES = 8
MARGIN = 2.0
"""How far behind the best, in logits, a move may look and still be tried."""
PLIES = ((16, 4), (128, 6), (math.inf, 10))
"""Moves after the one that is tried, each two the other's reply and one's own answer: so many until there are so
many worlds. Further away there is more to see and more luck, which takes more worlds to even out."""
TRIES = 32
"""So many are made side by side."""
TRUST = 16
"""How many worlds the network's own word counts for."""
ODDS = 1000
"""The odds of a good of which all unseen cards are hidden for sure."""
CLEAR = 3.0
"""Standard errors behind the leader with which a move drops out."""
FEW = 32
"""Before so many worlds nothing is clear."""


class GrandMaharaja:
    """Searches until one move is left or the budget is spent."""

    def __init__(self, network: Network, lookahead: Lookahead | None = None) -> None:
        self._network = network
        self._given = lookahead

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        meter = Meter(budget)
        codes = [move.code for move in moves]
        answers = answers_after(self._network, view, codes).astype(np.float64)
        logits = answers[:, WIN]
        live = np.argsort(-logits, kind="stable")[:CANDIDATES]
        live = live[logits[live] >= logits[live[0]] - MARGIN]
        race = Race(chances_of(logits[live]))
        position, odds = deal_unseen(view, rng), odds_of(view, answers[live[0], HIDDEN:])
        # The same for all of a move, also when Numba is done meanwhile: what it says is equal only but for rounding.
        lookahead = self._given or ready(self._network).now
        while len(race.live) > 1 and meter.used() < 1:
            tried = [codes[live[runner]] for runner in race.live]
            seeds = [rng.getrandbits(62) for _ in range(max(1, TRIES // len(tried)))]
            plies = next(plies for worlds, plies in PLIES if race.worlds < worlds)
            race.run(lookahead.chances(position, tried, seeds, plies, odds))
            meter.step(len(tried) * len(seeds))
        return moves[int(live[race.leader()])]

    def close(self) -> None:
        pass


def odds_of(view: View, guessed: NDArray[np.float64]) -> tuple[int, ...]:
    """How likely a card of each kind is to be among the hidden ones, by what the network guesses of their number."""
    unseen = [count(view.unseen(), good) for good in GOODS]
    hidden = expected_hidden(view, guessed)
    odds = [
        round(ODDS * cards / left) if left else 1
        for cards, left in zip(hidden, unseen, strict=True)
    ]
    return (*(max(1, number) for number in odds), 0)


class Race:
    """Moves and what worlds said of them, those that have dropped out left behind."""

    def __init__(self, expected: NDArray[np.float64]) -> None:
        self._expected = expected
        self.live = np.arange(len(expected))
        self._seen = np.zeros((0, len(expected)))

    def run(self, chances: Chances) -> None:
        """More worlds, a row each; who is clearly behind drops out."""
        self._seen = np.concatenate([self._seen, chances])
        if self.worlds < FEW:
            return
        means = self._means()
        behind = self._seen[:, [int(means.argmax())]] - self._seen
        error = (1 - self._trust()) * behind.std(0) / np.sqrt(self.worlds)
        stays = means >= means.max() - CLEAR * error
        self.live, self._seen = self.live[stays], self._seen[:, stays]

    @property
    def worlds(self) -> int:
        return len(self._seen)

    def leader(self) -> int:
        return int(self.live[int(self._means().argmax())])

    def _means(self) -> NDArray[np.float64]:
        trust, expected = self._trust(), self._expected[self.live]
        means: NDArray[np.float64] = trust * expected
        if len(self._seen):
            means = means + (1 - trust) * self._seen.mean(0)
        return means

    def _trust(self) -> float:
        """The weight of what the network says itself."""
        return TRUST / (TRUST + self.worlds)
