"""A batch gives the same moves, positions and results as the rules on single rounds."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Literal

import numpy as np
import pytest

from jaipur.rules import Deal, Position, deal_unseen, new_round
from jaipur.rules.cards import NOBODY, size
from jaipur.rules.game import starter_after
from jaipur.rules.listing import MOST_MOVES
from jaipur.rules.moves import Move
from jaipur.rules.scoring import somebody
from jaipur.simulation import WIDTH, Batch, kernels
from jaipur.simulation.kernels import first_index, stride
from jaipur.simulation.layout import Array, EnvState
from jaipur.simulation.rng import SORTED_PACK, random_below, seed_rng
from simulation.picking import random_codes

SIZE, MANY = 40, 300


def deals_of(rng: Random, size: int = SIZE) -> list[Deal]:
    return [Deal.shuffled(rng) for _ in range(size)]


def test_every_entry_lists_and_plays_as_the_rules_do() -> None:
    rng, generator = Random(1), np.random.default_rng(1)
    deals = deals_of(rng, MANY)
    batch = Batch(MANY, auto_reset=False)
    batch.reset_from_deals(deals)
    positions = [new_round(deal) for deal in deals]
    results = batch.results()
    while any(not position.ended for position in positions):
        offsets, codes = batch.moves()
        for index, position in enumerate(positions):
            assert batch.position(index) == position
            listed = codes[offsets[index] : offsets[index + 1]].tolist()
            assert listed == [move.code for move in position.legal_moves()]
        chosen = random_codes(batch, generator)
        for position, code in zip(positions, chosen.tolist(), strict=True):
            if not position.ended:
                position.play(Move.from_code(code))
        results = batch.step(chosen)
    for index, position in enumerate(positions):
        ended = position.result()
        assert ended is not None
        assert tuple(results.score[index].tolist()) == ended.rupees
        assert somebody(int(results.winner[index])) == ended.seal
        assert results.length[index] == position.moves_played
        assert results.ending[index] == position.ended
    assert batch.field("moves").sum() > 20_000


def test_the_same_seeds_give_the_same_rounds_in_any_entry() -> None:
    batch, other = Batch(8, seed=100), Batch(4, seed=104)
    batch.play_randomly(3)
    other.play_randomly(3)
    for field in ("checksum", "moves", "score"):
        assert batch.field(field)[4:].tolist() == other.field(field).tolist()
    batch.reset([7] * 8)
    batch.play_randomly(1)
    assert len(set(batch.field("checksum").tolist())) == 1


def test_seeds_give_the_same_rounds_as_in_version_0_1() -> None:
    batch = Batch(64, seed=5, plays="games")
    batch.play_randomly(6)
    names = [
        "checksum",
        "moves",
        "rounds",
        "score",
        "winner",
        "seals",
        "deck",
        "holdings",
        "bonus",
        "rng",
    ]
    assert digest(*map(batch.field, names)).startswith("2ebb4b15a2b7d77c")
    batch.redeal(range(64), (1, 2, 3, 4, 5, 6, 0))
    names = ["deck", "holdings", "bonuses", "bonus"]
    assert digest(*map(batch.field, names)).startswith("e6c6060264214641")
    batch.reshuffle(range(64))
    arrays = batch.field("deck"), batch.field("bonus"), batch.moves().codes
    assert digest(*arrays).startswith("f6996b272dd13207")


def digest(*arrays: Array) -> str:
    return sha256(b"".join(array.astype("<i8").tobytes() for array in arrays)).hexdigest()


def test_the_number_of_threads_does_not_change_results() -> None:
    one, three = Batch(50, plays="games"), Batch(50, plays="games", threads=3)
    for batch in (one, three):
        batch.play_randomly(4)
    assert one.field("checksum").tolist() == three.field("checksum").tolist()
    assert (one.features() == three.features()).all()


def test_random_play_is_the_same_without_a_compiler() -> None:
    """Kernels run as plain Python on objects and lists deal and play the same rounds."""
    state, buffer = EnvState(), [0] * MOST_MOVES
    state.seals, state.score, state.rng = [0, 0], [0, 0], [0] * 4
    batch = Batch(1, seed=77, plays="games")
    kernels.start_from_seeds(0, 1, [state], [buffer], [77])
    kernels.play_randomly(0, 1, [state], [buffer], kernels.GAMES, 1, 5)
    batch.play_randomly(5)
    assert batch.position(0) == position_of(state)
    for field in ("moves", "rounds", "checksum", "score", "seals", "winner", "rng"):
        assert batch.field(field)[0].tolist() == getattr(state, field), field


def position_of(state: EnvState) -> Position:
    position = Position()
    for name in Position.__slots__:
        setattr(position, name, getattr(state, name))
    return position


def test_random_numbers_are_uniform() -> None:
    state = EnvState()
    state.rng = [0] * 4
    seed_rng(state, 2**62 + 1)
    counts = np.bincount([random_below(state, 7) for _ in range(14_000)], minlength=7)
    # Chi-squared with 6 degrees of freedom.
    assert ((counts - 2000.0) ** 2 / 2000).sum() < 30


def test_random_rounds_have_the_known_mean_length() -> None:
    batch = Batch(4000, auto_reset=False)
    batch.play_randomly(1)
    assert (batch.field("rounds") == 1).all()
    assert 70 < batch.field("length").mean() < 85
    assert abs((batch.field("winner") == 0).mean() - 0.5) < 0.04


def test_auto_reset_deals_new_rounds() -> None:
    batch, generator = Batch(SIZE), np.random.default_rng(2)
    ended = np.zeros(SIZE, int)
    for _ in range(300):
        results = batch.step(random_codes(batch, generator))
        ended += results.round_ended
        assert (batch.field("ended") == 0).all()
        assert (batch.field("moves_played")[results.round_ended == 1] == 0).all()
    assert (ended >= 1).all()
    assert (batch.field("rounds") == ended).all()
    assert batch.field("moves").tolist() == [300] * SIZE


def test_games_end_with_two_seals_and_the_loser_starts() -> None:
    batch, generator = Batch(SIZE, plays="games", auto_reset=False), np.random.default_rng(3)
    while (batch.field("game_ended") == 0).any() and batch.moves().codes.size:
        starter = batch.field("starter").copy()
        seals = batch.field("seals").copy()
        results = batch.step(random_codes(batch, generator))
        for index in np.flatnonzero(results.round_ended):
            winner = int(results.winner[index])
            if winner != NOBODY:
                seals[index][winner] += 1
            assert batch.field("seals")[index].tolist() == seals[index].tolist()
            if results.game_ended[index]:
                assert seals[index][results.game_winner[index]] == 2
            else:
                assert batch.field("starter")[index] == starter_after(int(starter[index]), winner)
    assert (batch.field("seals").max(axis=1) == 2).all()
    assert set(batch.field("game_winner").tolist()) == {0, 1}


def test_auto_reset_starts_games_without_seals() -> None:
    batch, generator = Batch(SIZE, plays="games"), np.random.default_rng(4)
    games = 0
    for _ in range(400):
        results = batch.step(random_codes(batch, generator))
        over = results.game_ended == 1
        games += int(over.sum())
        assert (batch.field("seals")[over] == 0).all()
    assert games > SIZE // 2


def test_deals_are_complete_and_uniform() -> None:
    size = 4000
    batch = Batch(size)
    decks, holdings = batch.field("deck"), batch.field("holdings")
    expected = np.bincount(SORTED_PACK) / len(SORTED_PACK)
    for place in (0, 20, 39):
        seen = np.bincount(decks[:, place], minlength=7) / size
        assert np.abs(seen - expected).max() < 0.03
    dealt = np.bincount(decks.ravel(), minlength=7)[6] + (holdings >> 24).sum()
    assert dealt + ((batch.field("market") >> 24) - 3).sum() == 8 * size
    assert abs(batch.field("starter").mean() - 0.5) < 0.04
    assert sorted(batch.field("bonus")[0][:7].tolist()) == [1, 1, 2, 2, 2, 3, 3]
    assert len({bonus.tobytes() for bonus in batch.field("bonus")}) > size // 2


def test_set_positions_with_one_per_entry() -> None:
    positions = [new_round(deal) for deal in deals_of(Random(5), 3)]
    positions[1].play(positions[1].legal_moves()[0])
    batch = Batch(3)
    batch.set_positions(positions)
    assert [batch.position(index) for index in range(3)] == positions


def test_set_positions_with_one_for_all_entries() -> None:
    position = new_round(Deal.shuffled(Random(5)))
    batch = Batch(3)
    batch.set_positions(position)
    assert [batch.position(index) for index in range(3)] == [position] * 3


@pytest.mark.parametrize("device", ["cpu", "plain"])
def test_redealing_keeps_the_view_of_the_seat_to_move(
    device: Literal["cpu", "plain"],
) -> None:
    rng = Random(8)
    for _ in range(6):
        position = new_round(Deal.shuffled(rng))
        for _ in range(rng.randrange(45)):
            if len(moves := position.legal_moves()):
                position.play(rng.choice(moves))
        batch = Batch(6, device=device)
        batch.set_positions(position)
        batch.redeal([1, 1, 2, 3, 4, 5])
        worlds = [batch.position(index) for index in range(6)]
        assert worlds[0] == worlds[1]
        seen = position.view(position.turn)
        assert all(world.view(position.turn) == seen for world in worlds)


def test_reshuffling_keeps_the_views_of_both_seats() -> None:
    source = Batch(3, seed=4)
    for _ in range(25):
        source.step(source.moves().codes[source.moves().offsets[:-1]])
    batch = Batch(6)
    batch.load_states(source.states()[[1, 1, 1, 2, 2, 0]])
    assert [batch.position(index) for index in range(6)] == [
        source.position(index) for index in (1, 1, 1, 2, 2, 0)
    ]
    batch.reshuffle([7, 7, 8, 7, 9, 7])
    worlds = [batch.position(index) for index in range(6)]
    assert worlds[0] == worlds[1]
    assert worlds[0].deck_left() != worlds[2].deck_left()
    for world, index in zip(worlds, (1, 1, 1, 2, 2, 0), strict=True):
        before = source.position(index)
        for seat in range(2):
            assert world.view(seat) == before.view(seat)
        assert sorted(world.deck_left()) == sorted(before.deck_left())
        for pile in range(3):
            assert sorted(world.bonus_left(pile)) == sorted(before.bonus_left(pile))
    # Hidden cards stay; only the order of the deck and the bonus piles changes.
    assert {world.holdings[0] for world in worlds[:3]} == {source.position(1).holdings[0]}


def test_redealing_has_the_distribution_of_deal_unseen() -> None:
    for seed in range(100):
        rng = Random(seed)
        position = new_round(Deal.shuffled(rng))
        for _ in range(30):
            position.play(rng.choice(position.legal_moves()))
        seat, worlds = position.turn, 6000
        seen = position.view(seat)
        if seen.other.hand > size(seen.other.shown) + 1 and sum(seen.other.bonuses) > 1:
            break
    batch = Batch(worlds)
    batch.set_positions(position)
    batch.redeal(range(worlds))
    dealt = [batch.position(index) for index in range(worlds)]
    drawn = [deal_unseen(seen, Random(seed)) for seed in range(worlds)]

    def statistics(world: Position) -> Iterator[tuple[str, object]]:
        yield "hand", world.hand(1 - seat)
        yield "next card", world.deck_left()[0]
        yield "last card", world.deck_left()[-1]
        yield "bonuses", world.bonuses[1 - seat]
        for pile in range(3):
            yield f"pile {pile}", tuple(world.bonus_left(pile)[:1])

    one, other = (
        Counter(each for world in ws for each in statistics(world)) for ws in (dealt, drawn)
    )
    assert len(one) > 15
    for thing in one | other:
        # Both counts are samples, so the variance of their difference is the sum of both.
        assert abs(one[thing] - other[thing]) < 5 * (one[thing] + other[thing]) ** 0.5, thing


def test_odds_weight_the_hidden_cards() -> None:
    position = new_round(Deal.shuffled(Random(3)))
    while size(position.hand(1 - position.turn)) < 2:
        position.play(position.legal_moves()[0])
    other = 1 - position.turn
    batch = Batch(2000)
    hidden = []
    for odds in ((1, 1, 1, 1, 1, 1, 0), (1, 1, 9, 1, 1, 1, 0)):
        batch.set_positions(position)
        batch.redeal(range(2000), odds)
        worlds = [batch.position(index) for index in range(2000)]
        assert {sum(world.holdings[other] >> 4 * n & 15 for n in range(6)) for world in worlds} == {
            size(position.hand(other))
        }
        hidden.append(sum(world.holdings[other] >> 8 & 15 for world in worlds))
    assert hidden[1] > 3 * hidden[0] > 0


def test_the_plain_device_gives_the_same_results_as_the_compiled_one() -> None:
    compiled, plain = Batch(5, seed=3), Batch(5, seed=3, device="plain")
    generator = np.random.default_rng(1)
    for _ in range(60):
        moves = compiled.moves()
        assert plain.moves().codes.tolist() == moves.codes.tolist()
        assert (plain.afterstate_features() == compiled.afterstate_features()).all()
        indices = moves.sample(generator.random(5))
        assert plain.argmax(-np.arange(len(moves.codes))).tolist() == moves.offsets[:-1].tolist()
        for one, other in zip(
            compiled.step(moves.codes[indices]), plain.step(moves.codes[indices]), strict=True
        ):
            assert np.array(one).tolist() == np.array(other).tolist()
    for index in range(5):
        assert plain.position(index) == compiled.position(index)


def test_argmax_returns_the_first_move_with_the_highest_value() -> None:
    batch = Batch(5)
    moves, values = batch.moves(), np.random.default_rng(6).integers(0, 3, len(batch.moves().codes))
    expected = [
        int(first) + int(values[first:end].argmax()) for first, end in pairwise(moves.offsets)
    ]
    assert batch.argmax(values).tolist() == expected
    some = Batch(3, auto_reset=False)
    some.play_randomly(1)
    running = batch.position(0)
    some.set_positions([some.position(0), running, some.position(1)])
    assert some.argmax(np.arange(len(some.moves().codes)))[1] == len(some.moves().codes) - 1


def test_features_can_be_written_into_a_given_array() -> None:
    batch = Batch(7, seed=3)
    expected = batch.afterstate_features()
    buffer = np.full((len(expected) + 5, WIDTH), -1, np.float32)
    assert batch.afterstate_features(buffer) is buffer
    assert (buffer[: len(expected)] == expected).all()
    assert (buffer[len(expected) :] == -1).all()


def test_a_user_kernel_runs_over_the_entries() -> None:
    batch, seen = Batch(9, seed=4), np.zeros(9, np.int32)
    batch.run_kernel(copy_market, seen)
    assert seen.tolist() == [batch.position(index).market for index in range(9)]


def test_a_user_kernel_runs_over_a_range_of_moves() -> None:
    batch = Batch(9, seed=4)
    codes = batch.moves().codes
    seen = np.zeros(len(codes), np.int32)
    batch.run_move_kernel(copy_codes, seen, start=3, stop=20)
    assert seen[3:20].tolist() == codes[3:20].tolist()
    assert not seen[:3].any()
    assert not seen[20:].any()


def copy_codes(
    start: int,
    stop: int,
    states: list[EnvState],
    scratch: list[EnvState],  # noqa: ARG001
    owners: list[int],
    codes: list[int],
    seen: list[int],
) -> None:
    for move in range(first_index(start), stop, stride()):
        seen[move] = codes[move] if states[owners[move]].ended == 0 else 0


def copy_market(start: int, stop: int, states: list[EnvState], seen: list[int]) -> None:
    for i in range(first_index(start), stop, stride()):
        seen[i] = states[i].market
