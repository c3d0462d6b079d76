"""Games of `random` against `random` for `jaipur simulate --fast`: the same games as without `--fast`, but faster.

Deals and random numbers come from Python's generator, as without `--fast`. Compiled code plays the moves.
"""

from collections.abc import Iterator
from random import Random

import numpy as np

from jaipur.rules import MOVE_LIMIT, Deal, Game, Round
from jaipur.rules.endings import ABANDONED
from jaipur.rules.listing import MOST_MOVES
from jaipur.rules.moves import MOVES
from jaipur.simulation.compiler import cpu_kernel
from jaipur.simulation.kernels import play_with_draws, start_from_deals
from jaipur.simulation.layout import STATE_DTYPE, deal_arrays, position_of


def random_games(seed: int, first: int, games: int) -> Iterator[Game]:
    """The games with the numbers `first` to `first + games - 1` of the simulation with this seed."""
    play_round = _RoundPlayer().play
    for number in range(first, first + games):
        deals, stream = Random(f"{seed} {number} deals"), _RandomStream(f"{seed} {number} players")
        game = Game()
        while game.winner is None:
            deal = Deal.shuffled(deals, game.next_starter())
            game.rounds.append(play_round(deal, game.seals, stream))
            if game.rounds[-1].position.ended == ABANDONED:
                break
        yield game


class _RandomStream:
    """Random numbers of Python's generator, drawn in advance because the length of a round is not known."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed).random
        self._buffer: list[float] = []

    def peek(self, numbers: int) -> list[float]:
        self._buffer += [self._random() for _ in range(numbers - len(self._buffer))]
        return self._buffer

    def consume(self, numbers: int) -> None:
        del self._buffer[:numbers]


class _RoundPlayer:
    """Plays rounds one after another in the same buffers."""

    def __init__(self) -> None:
        self._states = np.zeros(1, STATE_DTYPE)
        self._buffers = np.zeros((1, MOST_MOVES), np.int32)
        self._played = np.zeros(MOVE_LIMIT, np.int32)
        self._start, self._play = cpu_kernel(start_from_deals), cpu_kernel(play_with_draws)

    def play(self, deal: Deal, seals: tuple[int, int], stream: _RandomStream) -> Round:
        self._start(0, 1, self._states, *deal_arrays([deal]))
        draws = np.array(stream.peek(MOVE_LIMIT))
        self._play(0, 1, self._states, self._buffers, draws, self._played)
        position = position_of(self._states[0])
        stream.consume(position.moves_played)
        codes = self._played[: position.moves_played].tolist()
        return Round(deal, position, seals, [MOVES[code] for code in codes])
