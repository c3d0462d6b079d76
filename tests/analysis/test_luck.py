"""`analysis.luck`: the luck of a round is zero-sum, and the alternative decks are a distribution."""

from random import Random

import pytest

from jaipur.analysis.luck import PairScore, group_pairs, possible_decks, round_luck, score_pair
from jaipur.notation import Record, RoundRecord
from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Deal, new_round


def played_round(deal: Deal) -> RoundRecord:
    rng, player = Random(5), player_named("greedy")
    position, moves = new_round(deal), []
    while choice := position.legal_moves():
        moves.append(player.choose(position.view(position.turn), choice, rng, NO_BUDGET))
        position.play(moves[-1])
    return RoundRecord(deal, moves, position.result())


def test_the_luck_of_both_seats_adds_up_to_zero() -> None:
    record = played_round(Deal.shuffled(Random(5)))
    one, other = (round_luck(record, seat, Random(1)) for seat in (0, 1))
    assert one == pytest.approx(-other)
    assert one != 0


@pytest.mark.parametrize("drawn", [1, 3])
def test_possible_decks_have_the_same_cards_and_probabilities_that_add_up(drawn: int) -> None:
    rest = list(Deal.shuffled(Random(5)).pack[:9])
    decks = list(possible_decks(rest, drawn, Random(2)))
    assert sum(weight for weight, _ in decks) == pytest.approx(1)
    assert all(sorted(deck) == sorted(rest) for _, deck in decks)


def test_a_pair_is_scored_for_the_player_who_sits_second_in_its_first_record() -> None:
    deal = Deal.shuffled(Random(7))
    records = [
        Record(players, [played_round(deal)], (0, 0), None, extra={"pair": 3})
        for players in (("one", "other"), ("other", "one"))
    ]
    (pair,) = group_pairs(records)
    score = score_pair(pair)
    # The two rounds are equal: with seats swapped, results and luck cancel out.
    assert score == pytest.approx(PairScore(0.5, 0.0), abs=0.05)
    assert score.corrected == score.win_rate - score.luck
