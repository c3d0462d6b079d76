"""Plays rounds and games between players. A player gets views, and never a position."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter

from jaipur.players import Budget, Player
from jaipur.rules import MOVE_LIMIT, Deal, Game


@dataclass(slots=True)
class ThinkingTime:
    """The total time that a player used, and the number of its moves."""

    seconds: float = 0.0
    moves: int = 0

    def __add__(self, other: "ThinkingTime") -> "ThinkingTime":
        return ThinkingTime(self.seconds + other.seconds, self.moves + other.moves)


def play_rounds(
    game: Game,
    deals: Random,
    players: Sequence[Player],
    rngs: Sequence[Random],
    budget: Budget,
    thinking: Sequence[ThinkingTime],
    *,
    whole_game: bool = True,
) -> None:
    """Play rounds until the game is won. If `whole_game` is false, play a single round.

    All sequences are indexed by seat.

    A round is abandoned as a draw at the move limit. The game then ends without a winner, because the same players
    might reach the move limit again and again. An exception of a player is not caught. The round then stays unfinished.
    """
    while game.winner is None:
        running = game.start(Deal.shuffled(deals, game.next_starter()))
        position = running.position
        while not position.ended:
            if len(running.moves) == MOVE_LIMIT:
                game.abandon()
                return
            seat = position.turn
            view, moves = game.view(seat), game.legal_moves()
            began = perf_counter()
            try:
                move = players[seat].choose(view, moves, rngs[seat], budget)
            finally:
                thinking[seat].seconds += perf_counter() - began
                thinking[seat].moves += 1
            game.play(move)
        if not whole_game:
            return


def play_game(players: Sequence[Player], seed: str, budget: Budget) -> Game:
    """Play a whole game. The deals depend only on the seed, and not on how many random numbers the players use."""
    deals, rng = Random(f"{seed} deals"), Random(f"{seed} players")
    game = Game()
    play_rounds(game, deals, players, (rng, rng), budget, (ThinkingTime(), ThinkingTime()))
    return game
