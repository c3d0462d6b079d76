"""Letting players play: a round from a deal, a game from a seed. Players see views and nothing else."""

from collections.abc import Sequence
from random import Random

from jaipur.players import Budget, Player
from jaipur.rules import MOVE_LIMIT, Deal, Game


def play_round(
    game: Game, deal: Deal, players: Sequence[Player], rng: Random, budget: Budget
) -> None:
    """Start a round and play it to its end, or to the move limit, where it is abandoned as a draw."""
    running = game.start(deal)
    while running.result is None:
        if len(running.moves) == MOVE_LIMIT:
            game.abandon()
            return
        seat = running.position.turn
        moves = game.legal_moves()
        game.play(players[seat].choose(game.view(seat), moves, rng, budget))


def play_game(players: Sequence[Player], seed: str, budget: Budget) -> Game:
    """Play a whole game. The deals depend on the seed alone, not on how the players use chance.

    A game with an abandoned round is left there: the same players would go on for ever.
    """
    deals, chance = Random(f"{seed} deals"), Random(f"{seed} players")
    game = Game()
    while game.winner is None:
        deal = Deal.shuffled(deals, game.next_starter())
        play_round(game, deal, players, chance, budget)
        ended = game.rounds[-1].result
        if ended is not None and ended.ended == "abandoned":
            break
    return game
