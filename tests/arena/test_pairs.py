"""A pair is one deal played twice with seats swapped, and its records replay."""

from collections.abc import Sequence
from random import Random

from jaipur import Move, View
from jaipur.arena.pairs import Pair, play_pair, play_pairs
from jaipur.notation import read_record
from jaipur.players import NO_BUDGET, Budget, player_named
from jaipur.rules import Game

NAMES = ("greedy", "random")


def some_pairs(pairs: int = 6) -> list[Pair]:
    return list(play_pairs([player_named(name) for name in NAMES], NAMES, pairs, seed=3))


class Cheat:
    """Sells five diamonds whether it has them or not."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        return Move.parse("-DDDDD") if view.moves_played > 6 else moves[0]

    def close(self) -> None:
        pass


class Dawdler:
    """Exchanges cards whenever it can, so the round never ends."""

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:  # noqa: ARG002
        exchanges = [move for move in moves if move.taken and move.given]
        return exchanges[int(rng.random() * len(exchanges))] if exchanges else moves[0]

    def close(self) -> None:
        pass


def test_both_rounds_have_the_same_deal_and_starting_seat_and_the_players_change_seats() -> None:
    for pair in some_pairs():
        first, second = map(read_record, pair.records)
        assert first.rounds[0].deal == second.rounds[0].deal
        assert (first.players, second.players) == (NAMES, NAMES[::-1])
        assert [outcome.started for outcome in pair.outcomes].count(True) == 1


def test_every_pair_has_a_different_deal() -> None:
    deals = {read_record(pair.records[0]).rounds[0].deal for pair in some_pairs()}
    assert len(deals) == 6


def test_the_two_rounds_have_independent_random_streams() -> None:
    twins = [player_named("random"), player_named("random")]
    pair = play_pair(twins, ("random", "random"), 0, 0, NO_BUDGET)
    first, second = map(read_record, pair.records)
    assert first.rounds[0].moves != second.rounds[0].moves


def test_a_round_is_a_record_that_replays() -> None:
    for pair in some_pairs():
        for line in pair.records:
            record = read_record(line)
            assert len(Game.from_record(record).rounds) == 1
            assert record.winner is None
            assert sum(record.seals) <= 1


def test_outcomes_are_seen_from_the_first_player() -> None:
    for pair in some_pairs():
        for seat, (line, outcome) in enumerate(zip(pair.records, pair.outcomes, strict=True)):
            result = read_record(line).rounds[0].result
            assert result is not None
            assert outcome.lead == result.rupees[seat] - result.rupees[1 - seat]
            assert outcome.score == (result.seal == seat)


def test_an_illegal_move_forfeits_the_round_and_the_record_notes_it() -> None:
    pair = play_pair([Cheat(), player_named("random")], ("cheat", "random"), 0, 1, NO_BUDGET)
    for seat, (line, outcome) in enumerate(zip(pair.records, pair.outcomes, strict=True)):
        record = read_record(line)
        assert (outcome.score, outcome.lead, outcome.forfeit) == (0, None, (0, "illegal"))
        forfeit = record.rounds[0].extra["forfeit"]
        assert isinstance(forfeit, dict)
        assert (forfeit["seat"], forfeit["reason"]) == (seat, "illegal")
        assert Game.from_record(record).running is not None


def test_an_endless_round_is_abandoned_and_counts_half() -> None:
    outcomes = [
        outcome
        for pair in play_pairs([Dawdler(), Dawdler()], ("one", "other"), 8)
        for outcome in pair.outcomes
    ]
    abandoned = [outcome for outcome in outcomes if outcome.ended == "abandoned"]
    assert abandoned
    assert {(outcome.score, outcome.tied) for outcome in abandoned} == {(0.5, False)}


def test_thinking_time_is_measured_for_each_player() -> None:
    pair = some_pairs(1)[0]
    moves = sum(len(read_record(line).rounds[0].moves) for line in pair.records)
    assert sum(each.moves for each in pair.thinking) == moves
    assert all(each.seconds > 0 for each in pair.thinking)


def test_both_games_of_a_pair_have_the_same_deals_in_the_same_order() -> None:
    players = [player_named(name) for name in NAMES]
    for number in range(6):
        pair = play_pair(players, NAMES, 3, number, NO_BUDGET, games=True)
        packs = [[played.deal.pack for played in read_record(line).rounds] for line in pair.records]
        assert min(map(len, packs)) > 1
        assert all(one == other for one, other in zip(*packs, strict=False))
        assert len({*packs[0]}) == len(packs[0])


def test_the_outcome_of_a_game_sums_all_rounds_for_the_first_player() -> None:
    players = [player_named(name) for name in NAMES]
    for number in range(6):
        pair = play_pair(players, NAMES, 3, number, NO_BUDGET, games=True)
        for seat, (line, outcome) in enumerate(zip(pair.records, pair.outcomes, strict=True)):
            record = read_record(line)
            assert outcome.score == (record.winner == seat)
            results = [played.result for played in Game.from_record(record).rounds]
            leads = [won.rupees[seat] - won.rupees[1 - seat] for won in results if won is not None]
            assert outcome.lead == sum(leads)
            assert outcome.started == (record.rounds[0].deal.starts == seat)


def test_a_game_with_an_abandoned_round_has_no_winner() -> None:
    pair = play_pair([Dawdler(), Dawdler()], ("one", "other"), 0, 1, NO_BUDGET, games=True)
    assert [(outcome.score, outcome.ended) for outcome in pair.outcomes] == [(0.5, "abandoned")] * 2
