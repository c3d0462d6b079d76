"""The lab's player `ismcts`: single-observer information-set tree search as the textbooks have it, a yardstick.

Every iteration deals the unseen cards anew, walks down one tree that all worlds share, adds a move and plays the rest
of the round by chance. Nothing here knows what is good in this game.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from math import log, sqrt
from random import Random

from jaipur.players.budget import Meter
from jaipur.players.player import Budget
from jaipur.rules import Move, Position, View, deal_unseen
from jaipur.rules.cards import NOBODY, Seat
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import MOVES, Code
from jaipur.rules.position import RUNNING
from jaipur.rules.scoring import round_winner
from jaipur.rules.turn import carry_out
from jaipur.simulation.batch import Batch

EXPLORATION = 0.7
"""How much is tried that has not won so far, as Cowling, Powley and Whitehouse have it."""


class Node:
    """A move in the tree, from the side of whoever makes it."""

    __slots__ = ("available", "children", "visits", "wins")

    def __init__(self) -> None:
        self.children: dict[Code, Node] = {}
        self.visits, self.wins, self.available = 0, 0.0, 0

    def promise(self) -> float:
        return self.wins / self.visits + EXPLORATION * sqrt(log(self.available) / self.visits)


class Ismcts:
    """Searches until the budget is spent, then plays what was tried most."""

    def __init__(self) -> None:
        self._rest = Batch(1, auto_reset=False, device="cpu" if find_spec("numba") else "plain")
        self._room = [0] * MOST_MOVES

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        meter, root = Meter(budget), Node()
        self._rest.reset(rng.getrandbits(62))
        while len(moves) > 1 and meter.used() < 1:
            self._try(root, deal_unseen(view, rng), rng)
            meter.step()
        if not root.children:
            return moves[0]
        return MOVES[max(root.children, key=lambda code: root.children[code].visits)]

    def close(self) -> None:
        pass

    def _try(self, node: Node, position: Position, rng: Random) -> None:
        walked: list[tuple[Node, Seat]] = []
        while position.ended == RUNNING:
            codes = self._room[: list_moves(position, self._room)]
            untried = [code for code in codes if code not in node.children]
            if untried:
                code = rng.choice(untried)
                node.children[code] = Node()
            for known in codes:
                if known in node.children:
                    node.children[known].available += 1
            if not untried:
                code = max(codes, key=lambda known: node.children[known].promise())
            node = node.children[code]
            walked.append((node, position.turn))
            carry_out(position, code)
            if untried:
                break
        winner = self._played_out(position)
        for node, seat in walked:
            node.visits += 1
            node.wins += 0.5 if winner == NOBODY else winner == seat

    def _played_out(self, position: Position) -> Seat:
        if position.ended != RUNNING:
            return round_winner(position)
        self._rest.set_positions([position])
        self._rest.play_randomly(1)
        return int(self._rest.field("winner")[0])
