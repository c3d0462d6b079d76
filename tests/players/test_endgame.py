"""Exact values of moves that end the round agree with sampled results."""

from random import Random
from statistics import fmean

import pytest

from jaipur.analysis.evaluation import evaluate
from jaipur.players import NO_BUDGET, player_named
from jaipur.players.neural.endgame import endgame_value
from jaipur.players.neural.maharaja import maharaja
from jaipur.rules import Deal, Move, Position, Seat, deal_unseen, new_round
from jaipur.rules.scoring import rupees
from jaipur.rules.turn import carry_out


def ended(position: Position, move: Move) -> Position:
    after = position.copy()
    carry_out(after, move.code)
    return after


def last_moves(rounds: int) -> list[tuple[Position, Move]]:
    """Positions of sensible rounds, each with a move that ends the round."""
    found, player = [], player_named("merchant")
    for number in range(rounds):
        rng = Random(number)
        position = new_round(Deal.shuffled(rng))
        while not position.ended:
            moves, view = position.legal_moves(), position.view(position.turn)
            found += [(position, move) for move in moves if ended(position, move).ended][:2]
            position = ended(position, player.choose(view, moves, rng, NO_BUDGET))
    return found


def wins_of(position: Position, seat: Seat) -> float:
    result = position.result()
    assert result is not None
    return 0.5 if result.seal is None else float(result.seal == seat)


def test_the_exact_value_is_the_mean_over_sampled_worlds() -> None:
    uncertain = 0
    for position, move in last_moves(15):
        seat = position.turn
        view = position.view(seat)
        worlds = [ended(deal_unseen(view, Random(seed)), move) for seed in range(250)]
        value = endgame_value(view, move.code)
        wins = fmean(wins_of(each, seat) for each in worlds)
        assert value.win_probability == pytest.approx(wins, abs=0.13)
        leads = [rupees(each, seat) - rupees(each, 1 - seat) for each in worlds]
        assert value.expected_lead == pytest.approx(fmean(leads), abs=0.8)
        uncertain += 0 < value.win_probability < 1
    assert uncertain > 3


def bonus_of(*values: int) -> int:
    return sum(1 << 4 * value for value in values)


def one_token_of_three_each(lead: int, own: int) -> Position:
    """A position before a last move: one bonus token for three cards each, and `lead` rupees ahead without them."""
    position, move = next((position, move) for position, move in last_moves(9) if move.taken)
    seat, after = position.turn, ended(position, move)
    position.bonus_taken = [2, 0, 0]
    position.bonuses[seat], position.bonuses[1 - seat] = bonus_of(own), bonus_of(2)
    after.bonuses = [0, 0]
    position.rupees[seat] += lead - rupees(after, seat) + rupees(after, 1 - seat)
    position.goods_tokens[seat] = position.goods_tokens[1 - seat]
    return position


@pytest.mark.parametrize(
    ("lead", "own", "win"),
    [
        # The opponent's token is one of the other six: 1, 2, 2, 2, 3, 3.
        (0, 1, 1 / 2 * 1 / 6),
        (1, 1, (1 + 3 / 2) / 6),
        (2, 1, (4 + 2 / 2) / 6),
        (3, 1, 1.0),
        # One of 1, 1, 2, 2, 2, 3.
        (0, 3, (5 + 1 / 2) / 6),
        (-3, 3, 0.0),
    ],
)
def test_an_unknown_bonus_token_decides(lead: int, own: int, win: float) -> None:
    position = one_token_of_three_each(lead, own)
    view = position.view(position.turn)
    move = next(move for move in position.legal_moves() if ended(position, move).ended)
    assert endgame_value(view, move.code).win_probability == pytest.approx(win)


def test_the_maharaja_ends_a_won_round_and_does_not_end_a_lost_one() -> None:
    player = maharaja()
    for position, move in last_moves(15):
        view, moves = position.view(position.turn), position.legal_moves()
        evaluations = {each.move: each for each in evaluate(view).moves}
        value = endgame_value(view, move.code)
        probability = evaluations[move].win_probability
        assert probability == pytest.approx(value.win_probability, abs=1e-6)
        assert evaluations[move].expected_lead == pytest.approx(value.expected_lead, abs=1e-4)
        chosen = player.choose(view, moves, Random(1), NO_BUDGET)
        if value.win_probability == 1:
            assert wins_of(ended(position, chosen), position.turn) == 1
        if value.win_probability == 0:
            assert chosen != move or evaluate(view).best.win_probability < 1e-6
