"""Every level of the registry: legal moves, secrecy, determinism, budgets and the order of strength.

Strength is only smoke-tested here, over fixed deals; the arena measures it.
"""

import os
import subprocess
import sys
import time
from itertools import pairwise
from random import Random

import pytest

from jaipur.players import LEVELS, NO_BUDGET, Budget, Level, NoSuchPlayer, Player, player_named
from jaipur.players.registry import REFERENCE_LEVELS
from jaipur.players.search.tree import SHALLOW_SIMULATIONS
from jaipur.rules import Deal, Move, View, deal_unseen, new_round
from jaipur.rules.turn import MOVE_LIMIT, carry_out
from jaipur.words import Words

SMALL = Budget(iterations=24)
every_level = pytest.mark.parametrize(
    "level", [*LEVELS, *REFERENCE_LEVELS], ids=lambda level: level.name
)


def views(rounds: int, every: int, herds_hidden: bool = False) -> list[tuple[View, list[Move]]]:
    """Every n-th view of rounds between a peddler and a random player, with its legal moves."""
    sampled = []
    for number in range(rounds):
        rng = Random(number)
        position = new_round(Deal.shuffled(rng))
        seats = player_named("peddler"), player_named("random")
        while not position.ended and position.moves_played < MOVE_LIMIT:
            moves = position.legal_moves()
            view = position.view(position.turn, "hidden" if herds_hidden else "open")
            if position.moves_played % every == number % every:
                sampled.append((view, moves))
            carry_out(position, seats[position.turn].choose(view, moves, rng, SMALL).code)
    return sampled


def win_rate(one: str, other: str, pairs: int, budget: Budget = NO_BUDGET) -> float:
    """The win rate of one player against another; each deal is played twice with seats swapped."""
    players = player_named(one), player_named(other)
    wins = 0.0
    for pair in range(pairs):
        deal = Deal.shuffled(Random(pair))
        for swapped in (0, 1):
            wins += _result(deal, players, swapped, Random(pair), budget)
    return wins / (2 * pairs)


def _result(
    deal: Deal, players: tuple[Player, Player], swapped: int, rng: Random, budget: Budget
) -> float:
    position = new_round(deal)
    while not position.ended and position.moves_played < MOVE_LIMIT:
        view = position.view(position.turn)
        player = players[position.turn ^ swapped]
        carry_out(position, player.choose(view, position.legal_moves(), rng, budget).code)
    result = position.result()
    if result is None or result.seal is None:
        return 0.5
    return float(result.seal == swapped)


def test_levels_have_distinct_names_and_one_line_of_description() -> None:
    assert len({level.name for level in LEVELS}) == len(LEVELS)
    for level in LEVELS:
        description = Words("en").say(f"level.{level.name}")
        assert description.endswith(".")
        assert "\n" not in description


def test_an_unknown_name_is_refused_with_the_list_of_levels() -> None:
    with pytest.raises(NoSuchPlayer, match="apprentice"):
        player_named("nobody")


@every_level
@pytest.mark.parametrize("herds_hidden", [False, True], ids=["open herds", "hidden herds"])
def test_a_player_chooses_a_legal_move(level: Level, herds_hidden: bool) -> None:
    player = level.make()
    for view, moves in views(rounds=4, every=5, herds_hidden=herds_hidden):
        assert player.choose(view, moves, Random(1), SMALL) in moves
    player.close()


@every_level
def test_hidden_cards_do_not_change_the_choice(level: Level) -> None:
    """Two positions with the same view and different hidden cards get the same move."""
    for number, (view, moves) in enumerate(views(rounds=3, every=5)):
        worlds = [deal_unseen(view, Random(seed)) for seed in (1, 2)]
        chosen = {
            level.make().choose(world.view(view.seat), moves, Random(number), SMALL)
            for world in worlds
        }
        assert len(chosen) == 1


@every_level
def test_the_same_random_numbers_and_iterations_give_the_same_move(level: Level) -> None:
    """Earlier decisions do not change later ones."""
    player = level.make()
    sample = views(rounds=2, every=6)
    first = [player.choose(view, moves, Random(3), SMALL) for view, moves in sample]
    again = [player.choose(view, moves, Random(3), SMALL) for view, moves in reversed(sample)]
    assert first == again[::-1]


def test_the_vizier_is_deterministic_and_ignores_hidden_cards_in_deep_simulations() -> None:
    many = Budget(iterations=SHALLOW_SIMULATIONS + 100)
    for view, moves in views(rounds=1, every=12):
        worlds = [deal_unseen(view, Random(seed)) for seed in (1, 1, 2)]
        chosen = {
            player_named("vizier").choose(world.view(view.seat), moves, Random(4), many)
            for world in worlds
        }
        assert len(chosen) == 1


MOVES_IN_ANOTHER_PROCESS = """
from random import Random
from jaipur.players import LEVELS, Budget
from jaipur.rules import Deal, new_round
from jaipur.rules.turn import carry_out

for level in LEVELS:
    player, rng = level.make(), Random(5)
    position = new_round(Deal.shuffled(rng))
    for _ in range(12):
        view, moves = position.view(position.turn), position.legal_moves()
        move = player.choose(view, moves, rng, Budget(iterations=40))
        carry_out(position, move.code)
        print(level.name, move)
"""


def test_hash_randomization_does_not_change_a_move() -> None:
    played = {
        subprocess.run(
            [sys.executable, "-c", MOVES_IN_ANOTHER_PROCESS],
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(played) == 1
    assert played.pop().count("\n") == 12 * len(LEVELS)


def test_the_vizier_uses_its_time_and_no_more() -> None:
    player = player_named("vizier")
    for view, moves in views(rounds=1, every=9):
        if len(moves) > 1:
            start, cpu_start = time.perf_counter(), time.process_time()
            player.choose(view, moves, Random(1), Budget(seconds=0.1))
            assert time.perf_counter() - start >= 0.1
            # CPU time does not depend on other processes.
            assert time.process_time() - cpu_start < 0.8


def test_the_vizier_plays_a_forced_move_at_once() -> None:
    view, moves = views(rounds=1, every=9)[0]
    start = time.process_time()
    player_named("vizier").choose(view, moves[:1], Random(1), Budget(seconds=5.0))
    assert time.process_time() - start < 1.0


def test_the_vizier_chooses_a_move_with_an_empty_budget() -> None:
    view, moves = views(rounds=1, every=9)[0]
    for empty in (Budget(seconds=0.0), Budget(iterations=0)):
        assert player_named("vizier").choose(view, moves, Random(1), empty) in moves


LADDER = ["random", "idler", "apprentice", "peddler", "greedy", "broker", "merchant", "maharaja"]


@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(LADDER)))
def test_each_level_is_stronger_than_the_one_below(weaker: str, stronger: str) -> None:
    assert win_rate(stronger, weaker, pairs=30) > 0.6


def test_the_vizier_beats_the_levels_below_with_few_iterations() -> None:
    few = Budget(iterations=40)
    assert win_rate("vizier", "greedy", pairs=4, budget=few) > 0.8
    assert win_rate("vizier", "merchant", pairs=12, budget=few) > 0.5


@every_level
def test_heuristic_levels_are_quick_and_all_others_are_slow(level: Level) -> None:
    assert level.slow != type(level.make()).__module__.startswith("jaipur.players.heuristic.")
