"""Information-set search: one tree over what a seat sees happen, grown through many worlds it cannot tell apart.

A node is a course of moves and refills since the view, which both traders have seen; a world fills in the rest and is
used for one turn of the candidates only. A simulation walks down the tree, plays on by appraisal for a few moves, and
takes the chances there for the outcome. Walks go further once there have been many.
"""

from math import sqrt
from typing import NamedTuple

from jaipur.players.heuristic.evaluation import Appraisal, chance, lead_of, likely
from jaipur.players.heuristic.weights import SPREAD
from jaipur.rules.cards import Pile, Seat
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import Code
from jaipur.rules.position import Position
from jaipur.rules.turn import carry_out

TRUST = 4.0
CURIOSITY = 0.1


class Reach(NamedTuple):
    """How far a walk goes, and how wide."""

    plies: int
    """Moves after the first until the chances are taken."""
    in_tree: int
    """How many of them are learnt from in the tree; the rest follow the appraisal."""
    within: float
    """How far behind the best appraisal a move may lie to be tried, in spreads."""


NEAR = Reach(plies=4, in_tree=2, within=0.7)
FAR = Reach(plies=8, in_tree=4, within=1.2)
NEAR_WALKS = 600
"""From here on more of the near walks would teach little, and a far one takes twice the time."""


class Node:
    """What was found out after one course of events: visits and winnings of each move tried from there."""

    __slots__ = ("after", "total", "visits", "wins")

    def __init__(self) -> None:
        self.total = 0
        self.visits: dict[Code, int] = {}
        self.wins: dict[Code, float] = {}
        """For whoever is to move here."""
        self.after: dict[tuple[Code, Pile], Node] = {}

    def learn(self, code: Code, won: float) -> None:
        self.total += 1
        self.visits[code] = self.visits.get(code, 0) + 1
        self.wins[code] = self.wins.get(code, 0.0) + won

    def follow(self, code: Code, market: Pile) -> "Node":
        key = (code, market)
        node = self.after.get(key)
        if node is None:
            node = self.after[key] = Node()
        return node

    def pick(self, appraisal: Appraisal, within: float) -> Code:
        """The most promising move of those this world allows: found winnings, the appraisal as a first guess."""
        if not self.total:
            return appraisal.best()
        worths, codes, stage = appraisal.worths, appraisal.codes, appraisal.stage
        floor = max(worths) - within * SPREAD[stage]
        bold = CURIOSITY * sqrt(self.total)
        best, most = 0, -1.0
        for move, worth in enumerate(worths):
            if worth < floor:
                continue
            code = codes[move]
            visits = self.visits.get(code, 0)
            hope = TRUST * likely(worth, stage) + bold
            if visits:
                hope += self.wins[code]
            hope /= TRUST + visits
            if hope > most:
                best, most = code, hope
        return best


class Search:
    """The tree of one decision and the walks through it."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.root = Node()
        self._codes = [0] * MOST_MOVES

    def simulate(self, world: Position, first: Code) -> None:
        """Try a first move in a copy of a world, and remember how it went."""
        table = world.copy()
        carry_out(table, first)
        plies, in_tree, within = NEAR if self.root.total < NEAR_WALKS else FAR
        path = [(self.root, first)]
        node = self.root.follow(first, table.market)
        for ply in range(plies):
            listed = list_moves(table, self._codes)
            if not listed:
                break
            turn = table.turn
            appraisal = Appraisal(
                table, self._codes, listed, table.holdings[1 - turn], lead_of(table, turn)
            )
            if ply < in_tree:
                code = node.pick(appraisal, within)
                path.append((node, code))
                carry_out(table, code)
                node = node.follow(code, table.market)
            else:
                carry_out(table, appraisal.best())
        won = chance(table, self.seat)
        for passed, code in path:
            passed.learn(code, won)
            won = 1.0 - won
