"""Compares the speed of random play with python-chess and with OpenSpiel's gin_rummy, in one process on one core.

In every position all legal moves are listed, and a random one is played. The measurements of the games alternate, so
that other load on the machine affects all games in the same way.
"""

import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter

import chess
import pyspiel

from jaipur.rules import Deal, new_round
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.turn import carry_out

TURNS = 5


def jaipur_codes(rng: Random) -> int:
    """Play a round with move codes, as in simulation and search."""
    position = new_round(Deal.shuffled(rng))
    codes = [0] * MOST_MOVES
    while legal := list_moves(position, codes):
        carry_out(position, codes[int(rng.random() * legal)])
    return position.moves_played


def jaipur_moves(rng: Random) -> int:
    """Play a round with the public API: with `Move` objects that are checked when they are played."""
    position = new_round(Deal.shuffled(rng))
    while moves := position.legal_moves():
        position.play(moves[int(rng.random() * len(moves))])
    return position.moves_played


def python_chess(rng: Random) -> int:
    """Play chess until a side cannot move, or for 200 moves. Draw claims are not checked, because that is slow."""
    board = chess.Board()
    for played in range(200):
        moves = list(board.legal_moves)
        if not moves:
            return played
        board.push(moves[int(rng.random() * len(moves))])
    return 200


def gin_rummy(rng: Random) -> int:
    """Play a game of gin rummy. Cards dealt and drawn count as moves, because OpenSpiel counts them as steps."""
    state = GIN_RUMMY.new_initial_state()
    played = 0
    while not state.is_terminal():
        chance = state.is_chance_node()
        actions = [a for a, _ in state.chance_outcomes()] if chance else state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])
        played += 1
    return played


GIN_RUMMY = pyspiel.load_game("gin_rummy")

GAMES: dict[str, Callable[[Random], int]] = {
    "jaipur, codes": jaipur_codes,
    "jaipur, public": jaipur_moves,
    "python-chess": python_chess,
    "OpenSpiel gin_rummy": gin_rummy,
}


def speed(game: Callable[[Random], int], rng: Random, seconds: float) -> float:
    """Play whole games for this many seconds, and return the moves per second."""
    began = perf_counter()
    moves = 0
    while perf_counter() - began < seconds:
        moves += game(rng)
    return moves / (perf_counter() - began)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    rng = Random(1)
    speeds: dict[str, list[float]] = {name: [] for name in GAMES}
    for _ in range(TURNS):
        for name, game in GAMES.items():
            speeds[name].append(speed(game, rng, seconds))
    print(f"Python {sys.version.split()[0]}, one core, median of {TURNS} turns of {seconds:g} s\n")
    print("| random play | moves per second | jaipur codes is | jaipur public is |")
    print("| --- | ---: | ---: | ---: |")
    for name in GAMES:
        ratios = [
            median(ours / theirs for ours, theirs in zip(speeds[mine], speeds[name], strict=True))
            for mine in ("jaipur, codes", "jaipur, public")
        ]
        print(f"| {name} | {median(speeds[name]):,.0f} | {ratios[0]:.1f} × | {ratios[1]:.1f} × |")


if __name__ == "__main__":
    main()
