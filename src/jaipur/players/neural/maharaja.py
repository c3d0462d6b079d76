"""The players `maharaja`, `raja` and `baseline`. A network evaluates the afterstate of each move. There is no search.

The maharaja plays the move with the highest win probability. The raja plays a random one of the moves that are almost
as good. The baseline uses a smaller network.
"""

from collections.abc import Sequence
from random import Random

import numpy as np

from jaipur.players.neural.afterstates import exact_outputs, network_outputs
from jaipur.players.neural.network import WIN, Network, bundled_network
from jaipur.players.player import Budget, Player
from jaipur.rules import Move, View

RAJA_TOLERANCE = 0.17
"""The tolerance of the raja, in logits.

The raja treats win probabilities of 46 % and 50 %, or 94.1 % and 95 %, as equal.
"""


class Maharaja(Player):
    """Plays the move with the best afterstate.

    Moves within `tie_tolerance` logits of the best count as equally good.
    """

    def __init__(
        self, network: Network, tie_tolerance: float = 0.0, exact_endgame: bool = True
    ) -> None:
        self._network = network
        self._tie_tolerance = tie_tolerance
        self._outputs = exact_outputs if exact_endgame else network_outputs

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        logits = self._outputs(self._network, view, [move.code for move in moves])[:, WIN]
        if not self._tie_tolerance:
            return moves[int(logits.argmax())]
        ties = np.flatnonzero(logits >= logits.max() - self._tie_tolerance)
        return moves[int(ties[int(rng.random() * len(ties))])]


def maharaja() -> Maharaja:
    return Maharaja(bundled_network("maharaja"))


def raja() -> Maharaja:
    return Maharaja(bundled_network("maharaja"), RAJA_TOLERANCE)


def baseline() -> Maharaja:
    return Maharaja(bundled_network("baseline"), exact_endgame=False)
