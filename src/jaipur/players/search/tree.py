"""Information-set tree search: one tree over public events, grown through many sampled worlds.

A node stands for a sequence of moves and refills, which both players see. A simulation descends the tree in one world,
plays a few more plies by linear evaluation, and backs up the final win probability. Later simulations are deeper.
"""

from math import sqrt
from typing import NamedTuple

from jaipur.players.heuristic.evaluation import (
    MoveValues,
    lead_to_probability,
    token_lead,
    win_probability,
)
from jaipur.players.heuristic.weights import SPREAD
from jaipur.rules.cards import PileCode, Seat
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import MoveCode
from jaipur.rules.position import Position
from jaipur.rules.turn import carry_out

PRIOR_VISITS = 4.0
"""The weight of the linear evaluation of a move, as a number of visits."""
EXPLORATION = 0.1


class SearchDepth(NamedTuple):
    """Depth and width of a simulation."""

    plies: int
    """The number of moves between the first move and the evaluation."""
    tree_plies: int
    """How many of these moves are selected in the tree. The linear evaluation chooses the others."""
    margin: float
    """A move is tried if its value is at most `margin * SPREAD[stage]` below the value of the best move."""


SHALLOW = SearchDepth(plies=4, tree_plies=2, margin=0.7)
DEEP = SearchDepth(plies=8, tree_plies=4, margin=1.2)
SHALLOW_SIMULATIONS = 600
"""After this many simulations, use deep ones. They take twice the time, but more shallow ones improve play little."""


class TreeNode:
    """The visits and wins of each move tried after one sequence of events. Wins are those of the player to move."""

    __slots__ = ("children", "total", "visits", "wins")

    def __init__(self) -> None:
        self.total = 0
        self.visits: dict[MoveCode, int] = {}
        self.wins: dict[MoveCode, float] = {}
        self.children: dict[tuple[MoveCode, PileCode], TreeNode] = {}

    def update(self, code: MoveCode, wins: float) -> None:
        self.total += 1
        self.visits[code] = self.visits.get(code, 0) + 1
        self.wins[code] = self.wins.get(code, 0.0) + wins

    def child(self, code: MoveCode, market: PileCode) -> "TreeNode":
        key = (code, market)
        node = self.children.get(key)
        if node is None:
            node = self.children[key] = TreeNode()
        return node

    def select(self, moves: MoveValues, margin: float) -> MoveCode:
        """The legal move with the highest upper confidence bound: mean of prior and wins, plus exploration term."""
        if not self.total:
            return moves.best()
        values, codes, stage = moves.values, moves.codes, moves.stage
        lowest = max(values) - margin * SPREAD[stage]
        exploration = EXPLORATION * sqrt(self.total)
        best, highest = 0, -1.0
        for move, value in enumerate(values):
            if value < lowest:
                continue
            code = codes[move]
            visits = self.visits.get(code, 0)
            bound = PRIOR_VISITS * lead_to_probability(value, stage) + exploration
            if visits:
                bound += self.wins[code]
            bound /= PRIOR_VISITS + visits
            if bound > highest:
                best, highest = code, bound
        return best


class SearchTree:
    """The tree of one decision."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.root = TreeNode()
        self._codes = [0] * MOST_MOVES

    def simulate(self, world: Position, first: MoveCode) -> None:
        """Play a first move in a copy of a sampled world, continue, and back up the result."""
        position = world.copy()
        carry_out(position, first)
        plies, tree_plies, margin = SHALLOW if self.root.total < SHALLOW_SIMULATIONS else DEEP
        path = [(self.root, first)]
        node = self.root.child(first, position.market)
        for ply in range(plies):
            listed = list_moves(position, self._codes)
            if not listed:
                break
            turn = position.turn
            other_cards, lead = position.holdings[1 - turn], token_lead(position, turn)
            moves = MoveValues(position, self._codes, listed, other_cards, lead)
            if ply < tree_plies:
                code = node.select(moves, margin)
                path.append((node, code))
                carry_out(position, code)
                node = node.child(code, position.market)
            else:
                carry_out(position, moves.best())
        wins = win_probability(position, self.seat)
        for visited, code in path:
            visited.update(code, wins)
            wins = 1.0 - wins
