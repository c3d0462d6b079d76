"""Steps per second of Jaipur and of well-known games in the same frameworks, with uniformly random legal moves.

Run this benchmark with benchmarks/run environments [SECONDS]. It uses one core, except for pgx, which uses all cores. A
step is the unit that the framework counts: in PettingZoo and Gymnasium a move with its observation, in OpenSpiel a move
or a chance outcome. Before each move, all legal moves are listed.
"""

import random
import sys
import warnings
from collections.abc import Callable
from time import perf_counter
from typing import Any

import chess
import jax
import numpy as np
import pgx
import pyspiel
from pgx.experimental.wrappers import auto_reset

warnings.simplefilter("ignore")  # the other games warn when they are imported

import rlcard  # noqa: E402
from pettingzoo.classic import leduc_holdem_v4, texas_holdem_v4  # noqa: E402

import jaipur.envs.openspiel  # noqa: E402, F401  # registers the game
from jaipur.envs.gymnasium import JaipurEnv  # noqa: E402
from jaipur.envs.pettingzoo import env  # noqa: E402
from jaipur.simulation import Batch  # noqa: E402

Play = Callable[[], int]
"""Plays a round and returns the number of steps."""


def pick(legal: Any) -> int:  # noqa: ANN401
    return int(legal[int(random.random() * len(legal))])


def pettingzoo(table: Any) -> Play:  # noqa: ANN401
    """Play with PettingZoo. Choose from `info["actions"]` if the environment has this list, otherwise from the mask."""
    table.reset(seed=1)

    def play() -> int:
        steps = 0
        table.reset()
        for _ in table.agent_iter():
            observation, _, terminated, truncated, info = table.last()
            if terminated or truncated:
                table.step(None)
                continue
            mask = observation["action_mask"]
            legal = info["actions"] if "actions" in info else np.flatnonzero(mask)
            table.step(pick(legal))
            steps += 1
        return steps

    return play


def gymnasium_round() -> int:
    table = GYMNASIUM
    _, info = table.reset()
    steps, over = 0, False
    while not over:
        _, _, terminated, truncated, info = table.step(pick(info["actions"]))
        over = terminated or truncated
        steps += 1
    return steps


def openspiel(name: str) -> Play:
    game = pyspiel.load_game(name)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, probabilities)[0])
            else:
                state.apply_action(pick(state.legal_actions()))
            steps += 1
        return steps

    return play


def rlcard_round(name: str) -> Play:
    table = rlcard.make(name, {"seed": 1})

    def play() -> int:
        state, _ = table.reset()
        steps = 0
        while not table.is_over():
            state, _ = table.step(pick(list(state["legal_actions"])))
            steps += 1
        return steps

    return play


def compiled() -> Play:
    """Play with the compiled loop: a batch of 256 rounds on one core."""
    batch = Batch(256)

    def play() -> int:
        before = int(batch.field("moves").sum())
        batch.play_randomly(10)
        return int(batch.field("moves").sum()) - before

    return play


def pgx_batch(name: str, size: int = 1024, steps: int = 100) -> Play:
    """Play many steps of a batch in one compiled loop. Games that end are reset automatically."""
    game = pgx.make(name)
    step = jax.vmap(auto_reset(game.step, game.init))

    def advance(state: Any, key: Any) -> tuple[Any, None]:  # noqa: ANN401
        picking, resetting = jax.random.split(key)
        legal = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(picking, legal, axis=-1)
        return step(state, action, jax.random.split(resetting, size)), None

    run_steps = jax.jit(
        lambda state, key: jax.lax.scan(advance, state, jax.random.split(key, steps))[0]
    )
    keys = jax.random.split(jax.random.PRNGKey(1), size)
    running = [jax.jit(jax.vmap(game.init))(keys)]

    def play() -> int:
        running[0] = run_steps(running[0], jax.random.PRNGKey(random.getrandbits(32)))
        jax.block_until_ready(running[0].rewards)
        return size * steps

    return play


def chess_game() -> int:
    board, moves = chess.Board(), 0
    while moves < 200 and (legal := list(board.legal_moves)):
        board.push(legal[int(random.random() * len(legal))])
        moves += 1
    return moves


GYMNASIUM = JaipurEnv("random")
GYMNASIUM.reset(seed=1)


def measure(play: Play, seconds: float) -> float:
    play()
    steps, start = 0, perf_counter()
    while perf_counter() - start < seconds:
        steps += play()
    return steps / (perf_counter() - start)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    rows: list[tuple[str, str, Play]] = [
        ("PettingZoo", "jaipur", pettingzoo(env())),
        ("jaipur.simulation", "jaipur, compiled loop", compiled()),
        ("PettingZoo", "leduc_holdem", pettingzoo(leduc_holdem_v4.env())),
        ("PettingZoo", "texas_holdem", pettingzoo(texas_holdem_v4.env())),
        ("Gymnasium", "jaipur against random", gymnasium_round),
        ("RLCard", "leduc-holdem", rlcard_round("leduc-holdem")),
        ("RLCard", "gin-rummy", rlcard_round("gin-rummy")),
        ("OpenSpiel", "jaipur", openspiel("jaipur")),
        ("OpenSpiel", "gin_rummy", openspiel("gin_rummy")),
        ("OpenSpiel", "leduc_poker", openspiel("leduc_poker")),
        ("OpenSpiel", "backgammon", openspiel("backgammon")),
        ("pgx, batch of 1,024", "leduc_holdem", pgx_batch("leduc_holdem")),
        ("pgx, batch of 1,024", "backgammon", pgx_batch("backgammon")),
        ("python-chess", "chess", chess_game),
    ]
    print("| framework | game | steps per second | jaipur in PettingZoo is |")
    print("| --- | --- | ---: | ---: |")
    ours = 0.0
    for framework, name, play in rows:
        rate = measure(play, seconds)
        ours = ours or rate
        print(f"| {framework} | {name} | {rate:,.0f} | {ours / rate:.1f} × |")


if __name__ == "__main__":
    main()
