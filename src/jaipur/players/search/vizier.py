"""The player `vizier`: information-set tree search with sequential halving of the candidate moves.

All candidates are simulated in the same sampled worlds. After each of the first two thirds of the budget, the worse
half of the candidates is dropped.
"""

from collections.abc import Sequence
from random import Random

from jaipur.players.heuristic.evaluation import lead_to_probability
from jaipur.players.heuristic.merchant import move_values
from jaipur.players.player import Budget, BudgetMeter, Player
from jaipur.players.search.tree import PRIOR_VISITS, SearchTree
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.moves import MOVES, MoveCode

CANDIDATES = 12  # the number of moves at the start
HALVINGS = 3  # the budget is divided into this many parts; `halve` is called after each part


class Vizier(Player):
    """Searches until the budget is spent. If only one move is legal, it plays without search."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        meter = BudgetMeter(budget)
        if len(moves) == 1:
            return moves[0]
        search = SequentialHalving(view, rng)
        for halving in range(1, HALVINGS + 1):
            while meter.used() < halving / HALVINGS:
                search.simulate(meter)
            search.halve(halving == HALVINGS)
        return MOVES[search.live[0]]


class SequentialHalving:
    """The candidates of one decision and the search tree below them."""

    def __init__(self, view: View, rng: Random) -> None:
        self._view = view
        self._rng = rng
        self._tree = SearchTree(view.seat)
        moves = move_values(view, rng)
        ranked = sorted(range(len(moves.codes)), key=lambda move: -moves.values[move])[:CANDIDATES]
        self.live = [moves.codes[move] for move in ranked]
        """The remaining candidates, best first according to the last call of `halve`."""
        self._priors = {
            moves.codes[move]: lead_to_probability(moves.values[move], moves.stage)
            for move in ranked
        }

    def simulate(self, meter: BudgetMeter) -> None:
        """Sample one world and simulate each candidate once in it."""
        world = deal_unseen(self._view, self._rng)
        for code in self.live:
            if meter.used() >= 1:
                return
            self._tree.simulate(world, code)
            meter.step()

    def halve(self, last: bool) -> None:
        """Rank the candidates and drop the worse half, but keep at least two. If `last` is true, only rank them."""
        self.live.sort(key=self._mean, reverse=True)
        if not last:
            del self.live[max(2, len(self.live) // 2) :]

    def _mean(self, code: MoveCode) -> float:
        root = self._tree.root
        wins, visits = root.wins.get(code, 0.0), root.visits.get(code, 0)
        return (PRIOR_VISITS * self._priors[code] + wins) / (PRIOR_VISITS + visits)
