"""Games of the player `random` against itself, for the command `jaipur simulate --fast`.

The games are the same as without `--fast`: the deals and the random numbers come from the same Python generators. Only
the moves are played by compiled code.
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
    """Yield the games with the numbers `first` to `first + games - 1` of the simulation with this seed."""
    states = np.zeros(1, STATE_DTYPE)
    buffers = np.zeros((1, MOST_MOVES), np.int32)
    played = np.zeros(MOVE_LIMIT, np.int32)
    start, play = cpu_kernel(start_from_deals), cpu_kernel(play_with_draws)
    for number in range(first, first + games):
        deals, players = Random(f"{seed} {number} deals"), Random(f"{seed} {number} players")
        draws: list[float] = []
        game = Game()
        while game.winner is None:
            deal = Deal.shuffled(deals, game.next_starter())
            start(0, 1, states, *deal_arrays([deal]))
            # Draw enough numbers for the longest round. The next round uses the numbers that are left.
            draws += [players.random() for _ in range(MOVE_LIMIT - len(draws))]
            play(0, 1, states, buffers, np.array(draws), played)
            position = position_of(states[0])
            del draws[: position.moves_played]
            moves = [MOVES[code] for code in played[: position.moves_played].tolist()]
            game.rounds.append(Round(deal, position, game.seals, moves))
            if position.ended == ABANDONED:
                break
        yield game
