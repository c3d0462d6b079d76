"""`analysis.evaluation`: ranking, belief, secrecy, and the conversion from rounds to games."""

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from jaipur.analysis.evaluation import FIRST_PLAYER_WIN_RATE, evaluate, game_win_probability
from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Deal, deal_unseen, new_round
from jaipur.rules.cards import GOODS, count, size
from players.positions import sample_positions, sample_views

CHAMPION_PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "champion.md"


def test_every_legal_move_is_ranked_by_win_probability() -> None:
    for position in sample_positions():
        view = position.view(position.turn)
        evaluation = evaluate(view)
        moves = position.legal_moves()
        assert sorted(map(str, moves)) == sorted(str(each.move) for each in evaluation.moves)
        probabilities = [each.win_probability for each in evaluation.moves]
        assert probabilities == sorted(probabilities, reverse=True)
        assert all(0 < probability < 1 for probability in probabilities)
        chosen = player_named("maharaja").choose(view, moves, Random(1), NO_BUDGET)
        assert evaluation.best.move == chosen


def test_a_clear_lead_means_a_win_probability_above_one_half() -> None:
    views = [position.view(position.turn) for position in sample_positions(rounds=8, every=5)]
    moves = [each for view in views for each in evaluate(view).moves]
    ahead = [each.win_probability for each in moves if each.expected_lead > 5]
    behind = [each.win_probability for each in moves if each.expected_lead < -5]
    assert len(ahead) > 20 < len(behind)
    assert min(ahead) > 0.5 > max(behind)


def test_the_belief_adds_up_to_the_hidden_cards_and_respects_card_counting() -> None:
    views_with_hidden_cards = 0
    for view in sample_views():
        belief = evaluate(view).belief
        hidden = view.other.hand - size(view.other.shown)
        assert sum(belief) == pytest.approx(hidden, abs=1e-3)
        for good in GOODS:
            assert 0 <= belief[good] <= count(view.unseen(), good) + 1e-9
        views_with_hidden_cards += hidden > 0
    assert views_with_hidden_cards > 3


def test_the_belief_has_a_smaller_error_than_card_counting() -> None:
    belief_error, counting_error = 0.0, 0.0
    for position in sample_positions(rounds=12, every=5, opponent="maharaja"):
        view = position.view(position.turn)
        other = 1 - view.seat
        hidden = position.hand(other) - position.shown[other]
        unseen = view.unseen()
        goods = sum(count(unseen, good) for good in GOODS)
        for good, expected in enumerate(evaluate(view).belief):
            truth = count(hidden, good)
            belief_error += (expected - truth) ** 2
            counting_error += (size(hidden) * count(unseen, good) / max(1, goods) - truth) ** 2
    assert belief_error < counting_error


def test_hidden_cards_do_not_change_the_evaluation() -> None:
    for view in sample_views():
        worlds = [deal_unseen(view, Random(seed)) for seed in (1, 2)]
        one, other = (evaluate(world.view(view.seat)) for world in worlds)
        assert one == other == evaluate(view)


def test_a_view_of_the_waiting_seat_is_refused() -> None:
    position = new_round(Deal.shuffled(Random(1)))
    with pytest.raises(ValueError, match="the seat to move"):
        evaluate(position.view(1 - position.turn))


def test_the_game_win_probability_follows_from_the_seals() -> None:
    position = new_round(Deal.shuffled(Random(1)))
    seat = position.turn

    def game(own: int, other: int, win_probability: float) -> float:
        seals = (own, other) if seat == 0 else (other, own)
        return game_win_probability(position.view(seat, seals=seals), win_probability)

    # At 1:1 the round decides the game. At 1:0 a lost round leads to a third one, which the loser starts.
    assert game(1, 1, 0.3) == pytest.approx(0.3)
    assert game(1, 0, 0.6) == pytest.approx(0.6 + 0.4 * FIRST_PLAYER_WIN_RATE)
    assert game(0, 1, 0.6) == pytest.approx(0.6 * (1 - FIRST_PLAYER_WIN_RATE))
    # The winner of the first round does not start the second.
    won = (1 - FIRST_PLAYER_WIN_RATE) + FIRST_PLAYER_WIN_RATE * FIRST_PLAYER_WIN_RATE
    lost = FIRST_PLAYER_WIN_RATE * (1 - FIRST_PLAYER_WIN_RATE)
    assert game(0, 0, 0.6) == pytest.approx(0.6 * won + 0.4 * lost)


@pytest.mark.parametrize("seals", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_the_game_win_probability_increases_with_that_of_the_round(seals: tuple[int, int]) -> None:
    view = new_round(Deal.shuffled(Random(1))).view(0, seals=seals)
    probabilities = [game_win_probability(view, each) for each in np.linspace(0, 1, 50)]
    assert probabilities == sorted(probabilities)
    assert probabilities[0] < probabilities[-1]


def test_the_python_example_of_the_champion_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(
        r"^```python\n(.*?)^```", CHAMPION_PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    exec(code, {})
    assert re.search(r"\+D 6\d% of rounds, \+\d\.\d rupees\n", capsys.readouterr().out)


def test_the_analysis_package_needs_neither_numba_nor_jax() -> None:
    program = """
import sys
sys.modules["numba"] = sys.modules["jax"] = None
import jaipur.analysis.calibration, jaipur.analysis.evaluation, jaipur.analysis.luck
"""
    subprocess.run([sys.executable, "-c", program], check=True)
