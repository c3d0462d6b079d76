"""The players that stand on networks: what they evaluate, and where their networks come from."""

import json
import re
import subprocess
import sys
from hashlib import sha256
from math import log
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from jaipur.analysis.evaluation import STARTERS_SHARE, evaluate, game_chance
from jaipur.players import player_named
from jaipur.players.neural import rollouts
from jaipur.players.neural.grand_maharaja import GrandMaharaja, Race, odds_of
from jaipur.players.neural.maharaja import BLUR, KEPT, kept
from jaipur.players.neural.network import Network
from jaipur.players.neural.rollouts import Chances, Lookahead
from jaipur.players.player import NO_BUDGET, Budget
from jaipur.rules import (
    Deal,
    Position,
    View,
    deal_unseen,
    legal_moves,
    new_round,
    view_of,
)
from jaipur.rules.cards import GOODS, count, size
from jaipur.rules.scoring import round_winner
from jaipur.rules.turn import carry_out

LARGEST = 2_000_000


def positions(rounds: int = 3, every: int = 7, other: str = "greedy") -> list[Position]:
    """Positions of rounds that a maharaja plays against a greedy one or another, and the last of each round."""
    seen = []
    seats = player_named("maharaja"), player_named(other)
    for number in range(rounds):
        rng = Random(number)
        position = new_round(Deal.shuffled(rng))
        while not position.ended:
            before = position.copy()
            view = view_of(position, position.turn)
            move = seats[position.turn].choose(view, legal_moves(position), rng, NO_BUDGET)
            carry_out(position, move.code)
            if before.moves_played % every == number % every or position.ended:
                seen.append(before)
    return seen


def views() -> list[View]:
    return [view_of(position, position.turn) for position in positions()]


def test_a_judgement_ranks_every_legal_move_by_its_chance() -> None:
    for position in positions():
        view = view_of(position, position.turn)
        judged = evaluate(view)
        moves = legal_moves(position)
        assert sorted(map(str, moves)) == sorted(str(each.move) for each in judged.moves)
        chances = [each.round for each in judged.moves]
        assert chances == sorted(chances, reverse=True)
        assert all(0 < chance < 1 for chance in chances)
        best = player_named("maharaja").choose(view, moves, Random(1), NO_BUDGET)
        assert judged.best.move == best


def test_who_leads_at_the_end_is_expected_to_win() -> None:
    seen = [view_of(position, position.turn) for position in positions(rounds=8, every=5)]
    moves = [each for view in seen for each in evaluate(view).moves]
    ahead = [each.round for each in moves if each.lead > 5]
    behind = [each.round for each in moves if each.lead < -5]
    assert len(ahead) > 20 < len(behind)
    assert min(ahead) > 0.5 > max(behind)


def test_the_belief_adds_up_to_the_hidden_cards_and_knows_what_can_be_hidden() -> None:
    hidden_once = 0
    for view in views():
        believed = evaluate(view).hidden
        hidden = view.other.hand - size(view.other.shown)
        assert sum(believed) == pytest.approx(hidden, abs=1e-3)
        for good in GOODS:
            assert 0 <= believed[good] <= count(view.unseen(), good) + 1e-9
        hidden_once += hidden > 0
    assert hidden_once > 3


def test_the_belief_is_closer_to_the_hidden_cards_than_counting_alone() -> None:
    said, counted = 0.0, 0.0
    for position in positions(rounds=12, every=5, other="maharaja"):
        view = view_of(position, position.turn)
        other = 1 - view.seat
        hidden = position.hand(other) - position.shown[other]
        unseen = view.unseen()
        goods = sum(count(unseen, good) for good in GOODS)
        for good, believed in enumerate(evaluate(view).hidden):
            truth = count(hidden, good)
            said += (believed - truth) ** 2
            counted += (size(hidden) * count(unseen, good) / max(1, goods) - truth) ** 2
    assert said < counted


def test_a_judgement_is_blind_to_what_is_hidden() -> None:
    for view in views():
        worlds = [deal_unseen(view, Random(seed)) for seed in (1, 2)]
        one, other = (evaluate(view_of(world, view.seat)) for world in worlds)
        assert one == other == evaluate(view)


def test_only_the_seat_to_move_is_judged() -> None:
    position = new_round(Deal.shuffled(Random(1)))
    with pytest.raises(ValueError, match="the seat that is to move"):
        evaluate(view_of(position, 1 - position.turn))


def test_the_chance_to_win_the_game_follows_from_the_seals() -> None:
    position = new_round(Deal.shuffled(Random(1)))
    seat = position.turn

    def game(own: int, other: int, chance: float) -> float:
        seals = (own, other) if seat == 0 else (other, own)
        return game_chance(view_of(position, seat, seals=seals), chance)

    # In the third round the round is the game; one seal ahead, a lost round leads to a third one, which one starts.
    assert game(1, 1, 0.3) == pytest.approx(0.3)
    assert game(1, 0, 0.6) == pytest.approx(0.6 + 0.4 * STARTERS_SHARE)
    assert game(0, 1, 0.6) == pytest.approx(0.6 * (1 - STARTERS_SHARE))
    # Whoever wins the first round does not start the second: a won round is worth a little less than it seems.
    won = (1 - STARTERS_SHARE) + STARTERS_SHARE * STARTERS_SHARE
    lost = STARTERS_SHARE * (1 - STARTERS_SHARE)
    assert game(0, 0, 0.6) == pytest.approx(0.6 * won + 0.4 * lost)


@pytest.mark.parametrize("seals", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_the_better_chance_in_the_round_is_always_the_better_one_in_the_game(
    seals: tuple[int, int],
) -> None:
    view = view_of(new_round(Deal.shuffled(Random(1))), 0, seals=seals)
    chances = [game_chance(view, chance) for chance in np.linspace(0, 1, 50)]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]


def test_near_equals_are_all_the_same_to_the_raja() -> None:
    several = 0
    for view in views():
        moves = legal_moves(deal_unseen(view, Random(0)))
        worths = {each.move: log(each.round / (1 - each.round)) for each in evaluate(view).moves}
        picked = {
            player_named("raja").choose(view, moves, Random(seed), NO_BUDGET) for seed in range(12)
        }
        assert all(worths[move] >= max(worths.values()) - BLUR - 1e-4 for move in picked)
        several += len(picked) > 1
    assert several > 3


def lookaheads() -> tuple[Lookahead, Lookahead]:
    return Lookahead(kept("maharaja"), "cpu"), Lookahead(kept("maharaja"), "plain")


def test_looking_ahead_says_the_same_with_and_without_a_compiler() -> None:
    compiled, plain = lookaheads()
    for position in positions(rounds=1, every=6):
        codes = [move.code for move in legal_moves(position)][:3]
        said = compiled.chances(position, codes, [1, 2, 3, 4], 4)
        np.testing.assert_allclose(
            plain.chances(position, codes, [1, 2, 3, 4], 4), said, rtol=1e-3, atol=1e-4
        )


def test_looking_ahead_is_sure_of_a_round_that_has_ended() -> None:
    _, plain = lookaheads()
    last_moves = 0
    for position in positions(rounds=3, every=3):
        view, seeds = view_of(position, position.turn), range(8)
        for move in legal_moves(position):
            after = position.copy()
            carry_out(after, move.code)
            if not after.ended:
                continue
            last_moves += 1
            chances = plain.chances(position, [move.code], seeds, 4)
            assert set(chances.flat) <= {0.0, 0.5, 1.0}
            won = set()
            for seed in seeds:
                world = deal_unseen(view, Random(seed))
                carry_out(world, move.code)
                won.add(float(round_winner(world) == view.seat))
            if len(won) == 1:
                assert set(chances.flat) == won
    assert last_moves > 3


def test_the_grand_maharaja_plays_the_same_with_and_without_a_compiler() -> None:
    grand = [GrandMaharaja(kept("maharaja"), lookahead) for lookahead in lookaheads()]
    thought_again = 0
    for position in positions(rounds=1, every=3):
        view, moves = view_of(position, position.turn), legal_moves(position)
        one, other = (
            player.choose(view, moves, Random(1), Budget(iterations=32)) for player in grand
        )
        assert one == other
        thought_again += one != evaluate(view).best.move
    assert thought_again


def test_the_grand_maharaja_answers_with_no_budget_and_keeps_to_its_seconds() -> None:
    player = GrandMaharaja(kept("maharaja"), lookaheads()[0])
    for position in positions(rounds=1, every=9):
        view, moves = view_of(position, position.turn), legal_moves(position)
        spent = player.choose(view, moves, Random(1), Budget(iterations=0))
        assert spent == evaluate(view).best.move
        # Whatever is still to be compiled is compiled before the clock runs.
        player.choose(view, moves, Random(1), Budget(iterations=1))
        start = perf_counter()
        assert player.choose(view, moves, Random(1), Budget(seconds=0.2)) in moves
        assert perf_counter() - start < 1.0


def test_without_odds_hands_stay_as_they_are() -> None:
    compiled, _ = lookaheads()
    told_apart = 0
    for position in positions(rounds=2, every=2):
        sales = [
            move.code for move in legal_moves(position) if not move.taken and size(move.given) < 3
        ]
        for code in sales[:1]:
            known = compiled.chances(position, [code], range(8), 1, odds=None)
            assert len(set(known.flat)) == 1
            told_apart += len(set(compiled.chances(position, [code], range(8), 1).flat)) > 1
    assert told_apart > 3


def test_odds_follow_what_the_network_believes() -> None:
    position = new_round(Deal.shuffled(Random(2)))
    view = view_of(position, position.turn)
    unseen = [count(view.unseen(), good) for good in GOODS]
    even = odds_of(view, np.array(unseen, np.float64))
    assert max(even[:6]) - min(even[:6]) <= 1
    silver = odds_of(view, np.array([0, 0, 5, 0, 0, 0], np.float64))
    assert silver[2] > 10 * max(silver[:2] + silver[3:])
    assert min(silver[:6]) >= 1
    assert silver[6] == even[6] == 0


def test_the_grand_maharaja_and_the_tree_search_play_where_numba_is_missing() -> None:
    python = """
import sys
sys.modules["numba"] = None
from random import Random
from jaipur.players import Budget, player_named
from jaipur.rules import Deal, legal_moves, new_round, view_of
position = new_round(Deal.shuffled(Random(4)))
view, moves = view_of(position, position.turn), legal_moves(position)
for name in ("grand-maharaja", "ismcts"):
    print(player_named(name).choose(view, moves, Random(1), Budget(iterations=40)))
"""
    done = subprocess.run(
        [sys.executable, "-c", python], capture_output=True, text=True, check=True
    )
    position = new_round(Deal.shuffled(Random(4)))
    view, moves = view_of(position, position.turn), legal_moves(position)
    grand = GrandMaharaja(kept("maharaja"), lookaheads()[0])
    answers = done.stdout.split()
    assert answers[0] == str(grand.choose(view, moves, Random(1), Budget(iterations=40)))
    assert answers[1] in map(str, moves)


def test_a_race_drops_who_is_clearly_behind_and_not_who_may_still_win() -> None:
    race = Race(np.array([0.5, 0.5, 0.5]))
    draws = np.random.default_rng(1)
    luck, own = draws.normal(0.5, 0.2, (64, 1)), draws.normal(0, 0.05, (64, 3))
    race.run(luck + own - [0, 0, 0.1])
    assert race.live.tolist() == [0, 1]
    race.run(luck + own[:, :2] + [0, 0.1])
    assert race.leader() == 1
    assert race.live.tolist() == [1]


def test_what_the_network_says_decides_where_worlds_are_few() -> None:
    race = Race(np.array([0.6, 0.5]))
    race.run(np.array([[0.5, 0.6]]))
    assert race.live.tolist() == [0, 1]
    assert race.leader() == 0


def test_what_many_worlds_say_outweighs_what_the_network_says() -> None:
    for worlds, leader in ((20, 0), (200, 1)):
        race = Race(np.array([0.6, 0.5]))
        race.run(np.tile([0.5, 0.52], (worlds, 1)))
        assert race.leader() == leader


def test_the_grand_maharaja_looks_further_the_longer_it_thinks() -> None:
    class Noted(Lookahead):
        def chances(self, *arguments: Any) -> Chances:  # noqa: ANN401
            plies.append(arguments[3])
            return super().chances(*arguments)

    player = GrandMaharaja(kept("maharaja"), Noted(kept("maharaja"), "cpu"))
    position = new_round(Deal.shuffled(Random(6)))
    view, moves = view_of(position, position.turn), legal_moves(position)
    for iterations, looked in ((100, [4]), (300, [4, 6]), (1500, [4, 6, 10])):
        plies: list[int] = []
        player.choose(view, moves, Random(1), Budget(iterations=iterations))
        assert list(dict.fromkeys(plies)) == looked


def test_the_grand_maharaja_keeps_secrets_and_repeats_itself_where_it_looks_furthest() -> None:
    player = GrandMaharaja(kept("maharaja"), lookaheads()[0])
    for position in positions(rounds=1, every=8)[1:3]:
        view, moves = view_of(position, position.turn), legal_moves(position)
        answers = {
            player.choose(view_of(world, view.seat), moves, Random(4), Budget(iterations=1500))
            for world in (deal_unseen(view, Random(seed)) for seed in (1, 1, 2))
        }
        assert len(answers) == 1


def test_who_moves_last_does_not_matter_to_whom_a_chance_belongs() -> None:
    """Whoever is sure to win is so after an odd number of moves too."""
    compiled, _ = lookaheads()
    clear = 0
    for position in positions(rounds=2, every=4):
        best = evaluate(view_of(position, position.turn)).best
        if 0.05 < best.round < 0.95:
            continue
        clear += 1
        for plies in (1, 2, 3, 4):
            said = compiled.chances(position, [best.move.code], range(32), plies).mean()
            assert abs(said - best.round) < 0.2
    assert clear > 3


def test_networks_are_small_and_say_how_they_came_to_be() -> None:
    files = sorted(KEPT.glob("*.npz"))
    assert [file.stem for file in files] == ["baseline", "maharaja"]
    for file in files:
        assert file.stat().st_size <= LARGEST
        origin = json.loads(file.with_suffix(".json").read_text("utf-8"))
        assert origin["sha256"] == sha256(file.read_bytes()).hexdigest()
        assert origin["rounds"] > 0 < origin["minutes"]
        weights = Network.load(file).weights
        assert origin["config"]["layers"] == [
            layer.shape[1] for layer, _ in (weights.first, *weights.full[:-1])
        ]


def test_the_python_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "champion.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    exec(code, {})
    assert re.search(r"\+D 6\d% of rounds, \+\d\.\d rupees\n", capsys.readouterr().out)


def test_a_file_without_a_network_is_refused(tmp_path: Path) -> None:
    half, array = tmp_path / "half.npz", tmp_path / "array.npy"
    half.write_bytes((KEPT / "baseline.npz").read_bytes()[:5000])
    np.save(array, np.zeros(3))
    for file in (rollouts.__file__, half, array):
        with pytest.raises(ValueError, match="holds no network"):
            player_named(f"net:{file}")
