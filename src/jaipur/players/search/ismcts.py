"""The reference player `ismcts`: information-set Monte Carlo tree search (single-observer ISMCTS) as in the textbook.

Each iteration samples a world, descends the tree, adds a node and finishes the round with random moves. All worlds
share one tree. The player knows nothing about the game except the rules.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from math import log, sqrt
from random import Random

from jaipur.players.player import Budget, BudgetMeter, Player
from jaipur.rules import Move, Position, View, deal_unseen
from jaipur.rules.cards import NOBODY, Seat
from jaipur.rules.endings import RUNNING
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import MOVES, MoveCode
from jaipur.rules.scoring import round_winner
from jaipur.rules.turn import carry_out
from jaipur.simulation.batch import Batch

EXPLORATION = 0.7
"""The exploration constant of UCB, from the paper by Cowling, Powley and Whitehouse (2012)."""


class IsmctsNode:
    """A move in the tree. `wins` counts the wins of the seat that makes the move.

    `available` counts the visits to the parent node in which the move was legal.
    """

    __slots__ = ("available", "children", "visits", "wins")

    def __init__(self) -> None:
        self.children: dict[MoveCode, IsmctsNode] = {}
        self.visits, self.wins, self.available = 0, 0.0, 0

    def upper_bound(self) -> float:
        return self.wins / self.visits + EXPLORATION * sqrt(log(self.available) / self.visits)


class Ismcts(Player):
    """Searches until the budget is spent, then plays the most visited move."""

    def __init__(self) -> None:
        self._rollout = Batch(1, auto_reset=False, device="cpu" if find_spec("numba") else "plain")
        self._codes = [0] * MOST_MOVES

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        meter, root = BudgetMeter(budget), IsmctsNode()
        self._rollout.reset(rng.getrandbits(62))
        while len(moves) > 1 and meter.used() < 1:
            self._iterate(root, deal_unseen(view, rng), rng)
            meter.step()
        if not root.children:
            return moves[0]
        return MOVES[max(root.children, key=lambda code: root.children[code].visits)]

    def _iterate(self, node: IsmctsNode, position: Position, rng: Random) -> None:
        path: list[tuple[IsmctsNode, Seat]] = []
        while position.ended == RUNNING:
            codes = self._codes[: list_moves(position, self._codes)]
            untried = [code for code in codes if code not in node.children]
            if untried:
                code = rng.choice(untried)
                node.children[code] = IsmctsNode()
            for tried in codes:
                if tried in node.children:
                    node.children[tried].available += 1
            if not untried:
                code = max(codes, key=lambda tried: node.children[tried].upper_bound())
            node = node.children[code]
            path.append((node, position.turn))
            carry_out(position, code)
            if untried:
                break
        winner = self._random_winner(position)
        for node, seat in path:
            node.visits += 1
            node.wins += 0.5 if winner == NOBODY else winner == seat

    def _random_winner(self, position: Position) -> Seat:
        if position.ended != RUNNING:
            return round_winner(position)
        self._rollout.set_positions([position])
        self._rollout.play_randomly(1)
        return int(self._rollout.field("winner")[0])
