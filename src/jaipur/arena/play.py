"""Letting players play: a round from a deal, rounds of a game. Players see views and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter

from jaipur.players import Budget, Player
from jaipur.rules import MOVE_LIMIT, Deal, Game


@dataclass(slots=True)
class Thought:
    """How long a player thought, and over how many moves."""

    seconds: float = 0.0
    moves: int = 0

    def __add__(self, other: "Thought") -> "Thought":
        return Thought(self.seconds + other.seconds, self.moves + other.moves)


def play_round(
    game: Game,
    deal: Deal,
    players: Sequence[Player],
    rngs: Sequence[Random],
    budget: Budget,
    thought: Sequence[Thought],
) -> None:
    """Start a round and play it to its end, or to the move limit, where it is abandoned as a draw.

    All sequences are by seat. What a player raises goes through, and leaves the round as it was.
    """
    running = game.start(deal)
    position, played = running.position, running.moves
    while not position.ended:
        if len(played) == MOVE_LIMIT:
            game.abandon()
            return
        seat = position.turn
        view, moves = game.view(seat), game.legal_moves()
        clock = thought[seat]
        began = perf_counter()
        try:
            move = players[seat].choose(view, moves, rngs[seat], budget)
        finally:
            clock.seconds += perf_counter() - began
            clock.moves += 1
        game.play(move)


def play_to_the_end(
    game: Game,
    deals: Random,
    players: Sequence[Player],
    rngs: Sequence[Random],
    budget: Budget,
    thought: Sequence[Thought],
) -> None:
    """Play rounds until the game is won.

    A game with an abandoned round is left there: the same players would go on for ever.
    """
    while game.winner is None:
        deal = Deal.shuffled(deals, game.next_starter())
        play_round(game, deal, players, rngs, budget, thought)
        ended = game.rounds[-1].result
        if ended is not None and ended.ended == "abandoned":
            return


def play_game(players: Sequence[Player], seed: str, budget: Budget) -> Game:
    """Play a whole game. The deals depend on the seed alone, not on how the players use chance."""
    deals, chance = Random(f"{seed} deals"), Random(f"{seed} players")
    game = Game()
    play_to_the_end(game, deals, players, (chance, chance), budget, (Thought(), Thought()))
    return game
