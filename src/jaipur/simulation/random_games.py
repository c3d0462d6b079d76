"""Games between two players `random`, as `jaipur simulate` plays them and many times faster: same seed, same games.

Deals come from Python's generator as they do there; the moves are listed, picked and carried out by compiled rules.
"""

from collections.abc import Iterator
from random import Random

import numpy as np

from jaipur.rules import MOVE_LIMIT, Deal, Game, Round
from jaipur.rules.listing import MOST_MOVES
from jaipur.rules.moves import MOVES
from jaipur.rules.position import ABANDONED
from jaipur.simulation.compiler import door_for_cpu
from jaipur.simulation.kernels import lay, play_drawn
from jaipur.simulation.layout import LANE, arrays_of, position_of


def random_games(seed: int, first: int, games: int) -> Iterator[Game]:
    """So many games of a simulation with this seed, from the first on."""
    play_out = _Table().play_out
    for number in range(first, first + games):
        deals, chance = Random(f"{seed} {number} deals"), _Ahead(f"{seed} {number} players")
        game = Game()
        while game.winner is None:
            deal = Deal.shuffled(deals, game.next_starter())
            game.rounds.append(play_out(deal, game.seals, chance))
            if game.rounds[-1].position.ended == ABANDONED:
                break
        yield game


class _Ahead:
    """Python's random numbers, drawn before it is known how many of them a round needs."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed).random
        self._drawn: list[float] = []

    def look(self, numbers: int) -> list[float]:
        self._drawn += [self._random() for _ in range(numbers - len(self._drawn))]
        return self._drawn

    def use(self, numbers: int) -> None:
        del self._drawn[:numbers]


class _Table:
    """A lane at which one round after the other is played."""

    def __init__(self) -> None:
        self._lanes = np.zeros(1, LANE)
        self._rows = np.zeros((1, MOST_MOVES), np.int32)
        self._played = np.zeros(MOVE_LIMIT, np.int32)
        self._lay, self._play = door_for_cpu(lay), door_for_cpu(play_drawn)

    def play_out(self, deal: Deal, seals: tuple[int, int], chance: _Ahead) -> Round:
        """Play a deal to its end."""
        self._lay(0, 1, self._lanes, *arrays_of([deal]))
        draws = np.array(chance.look(MOVE_LIMIT))
        self._play(0, 1, self._lanes, self._rows, draws, self._played)
        position = position_of(self._lanes[0])
        chance.use(position.moves_played)
        played = self._played[: position.moves_played].tolist()
        return Round(deal, position, seals, [MOVES[code] for code in played])
