"""Information-set tree search: many sampled worlds share one tree.

A node stands for a sequence of public events: moves and refills of the market. A simulation descends the tree in one
world. Then it plays a few more moves, which the linear evaluation chooses, and evaluates the last position. It adds
this win probability to the nodes on its path. Later simulations are deeper.
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
"""The linear evaluation of a move counts as much as this many visits."""
EXPLORATION = 0.1  # the factor of the exploration term


class SearchDepth(NamedTuple):
    """The depth of a simulation, and how many moves it considers."""

    plies: int
    """The number of moves between the first move and the evaluation."""
    tree_plies: int
    """The tree selects this many of these moves. The linear evaluation chooses the others."""
    margin: float
    """A move is tried if its value is at most `margin * SPREAD[stage]` below the value of the best move."""


SHALLOW = SearchDepth(plies=4, tree_plies=2, margin=0.7)
DEEP = SearchDepth(plies=8, tree_plies=4, margin=1.2)
SHALLOW_SIMULATIONS = 600
"""After this many shallow simulations, the search runs deep ones.

Deep simulations take twice the time, but further shallow simulations would hardly improve the move.
"""


class TreeNode:
    """One sequence of events, with the visits and the wins of each move tried next.

    Wins count for the player to move.
    """

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
        """Return the legal move with the highest upper confidence bound.

        The bound is the mean of the prior and the wins, plus an exploration term. Moves far below the best are ignored.
        """
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
        """Run one simulation: play the move `first` in a copy of `world`, continue, and update the nodes."""
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
