"""Positions of rounds between computer players, for tests of players and analysis."""

from random import Random

from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Deal, Position, View, new_round
from jaipur.rules.turn import carry_out


def sample_positions(rounds: int = 3, every: int = 7, opponent: str = "greedy") -> list[Position]:
    """Every n-th position of rounds that the maharaja plays against an opponent, and the last one of each round."""
    sampled = []
    seats = player_named("maharaja"), player_named(opponent)
    for number in range(rounds):
        rng = Random(number)
        position = new_round(Deal.shuffled(rng))
        while not position.ended:
            before = position.copy()
            view = position.view(position.turn)
            move = seats[position.turn].choose(view, position.legal_moves(), rng, NO_BUDGET)
            carry_out(position, move.code)
            if before.moves_played % every == number % every or position.ended:
                sampled.append(before)
    return sampled


def sample_views() -> list[View]:
    return [position.view(position.turn) for position in sample_positions()]
