"""The player `vizier`: information-set search over worlds dealt from its view, for as long as it is given.

The moves that look best are tried side by side in the same worlds, and those that fall behind drop out by halves.
"""

from collections.abc import Sequence
from random import Random

from jaipur.players.budget import Budget, BudgetMeter
from jaipur.players.heuristic.evaluation import likely
from jaipur.players.heuristic.merchant import appraise
from jaipur.players.search.tree import TRUST, Search
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.moves import MOVES, Code

CANDIDATES = 12
HALVINGS = 3


class Vizier:
    """Searches until the budget is spent; a move without an alternative is played at once."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        meter = BudgetMeter(budget)
        if len(moves) == 1:
            return moves[0]
        race = Race(view, rng)
        for halving in range(1, HALVINGS + 1):
            while meter.used() < halving / HALVINGS:
                race.run(meter)
            race.drop(halving == HALVINGS)
        return MOVES[race.live[0]]

    def close(self) -> None:
        pass


class Race:
    """The candidates for one move, and what the search has found of them."""

    def __init__(self, view: View, rng: Random) -> None:
        self._view = view
        self._rng = rng
        self._search = Search(view.seat)
        weighed = appraise(view, rng)
        ranked = sorted(range(len(weighed.codes)), key=lambda move: -weighed.worths[move])
        self.live = [weighed.codes[move] for move in ranked[:CANDIDATES]]
        """The moves still in the race, the best at the last halving first."""
        self._guesses = {
            weighed.codes[move]: likely(weighed.worths[move], weighed.stage)
            for move in ranked[:CANDIDATES]
        }

    def run(self, meter: BudgetMeter) -> None:
        """Try every live candidate once, all in one world, so that its luck is the same for all."""
        world = deal_unseen(self._view, self._rng)
        for code in self.live:
            if meter.used() >= 1:
                return
            self._search.simulate(world, code)
            meter.step()

    def drop(self, last: bool) -> None:
        """Put the candidates in order, and keep the better half but for the last time."""
        self.live.sort(key=self._hope, reverse=True)
        if not last:
            del self.live[max(2, len(self.live) // 2) :]

    def _hope(self, code: Code) -> float:
        root = self._search.root
        found, visits = root.wins.get(code, 0.0), root.visits.get(code, 0)
        return (TRUST * self._guesses[code] + found) / (TRUST + visits)
