"""A batch plays the game of the rules in every lane: the same lists, positions and results as one round at a time."""

from collections import Counter
from collections.abc import Iterator
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
from jaipur.simulation import WIDTH, Batch
from jaipur.simulation import kernels as loops
from jaipur.simulation.kernels import first_index, stride
from jaipur.simulation.layout import EnvState
from jaipur.simulation.rng import SORTED_PACK, random_below, seed_rng
from simulation.picking import random_codes

LANES, MANY = 40, 300


def deals_of(rng: Random, lanes: int = LANES) -> list[Deal]:
    return [Deal.shuffled(rng) for _ in range(lanes)]


def test_every_lane_lists_and_plays_as_the_rules_do() -> None:
    rng, draws = Random(1), np.random.default_rng(1)
    deals = deals_of(rng, MANY)
    batch = Batch(MANY, auto_reset=False)
    batch.reset_from_deals(deals)
    positions = [new_round(deal) for deal in deals]
    results = batch.results()
    while any(not position.ended for position in positions):
        offsets, codes = batch.moves()
        for lane, position in enumerate(positions):
            assert batch.position(lane) == position
            listed = codes[offsets[lane] : offsets[lane + 1]].tolist()
            assert listed == [move.code for move in position.legal_moves()]
        chosen = random_codes(batch, draws)
        for position, code in zip(positions, chosen.tolist(), strict=True):
            if not position.ended:
                position.play(Move.from_code(code))
        results = batch.step(chosen)
    for lane, position in enumerate(positions):
        ended = position.result()
        assert ended is not None
        assert tuple(results.score[lane].tolist()) == ended.rupees
        assert somebody(int(results.winner[lane])) == ended.seal
        assert results.length[lane] == position.moves_played
        assert results.ending[lane] == position.ended
    assert batch.field("moves").sum() > 20_000


def test_the_same_seeds_give_the_same_rounds_wherever_their_lane_is() -> None:
    batch, other = Batch(8, seed=100), Batch(4, seed=104)
    batch.play_randomly(3)
    other.play_randomly(3)
    for field in ("checksum", "moves", "score"):
        assert batch.field(field)[4:].tolist() == other.field(field).tolist()
    batch.reset([7] * 8)
    batch.play_randomly(1)
    assert len(set(batch.field("checksum").tolist())) == 1


def test_threads_change_nothing() -> None:
    one, three = Batch(50, plays="games"), Batch(50, plays="games", threads=3)
    for batch in (one, three):
        batch.play_randomly(4)
    assert one.field("checksum").tolist() == three.field("checksum").tolist()
    assert (one.features() == three.features()).all()


def test_random_play_is_the_same_without_a_compiler() -> None:
    """The loops are plain Python: run as such, over objects and lists, they deal and play the same rounds."""
    lane, room = EnvState(), [0] * MOST_MOVES
    lane.seals, lane.score, lane.rng = [0, 0], [0, 0], [0] * 4
    batch = Batch(1, seed=77, plays="games")
    loops.start_from_seeds(0, 1, [lane], [room], [77])
    loops.play_randomly(0, 1, [lane], [room], loops.GAMES, 1, 5)
    batch.play_randomly(5)
    assert batch.position(0) == position_of_lane(lane)
    for field in ("moves", "rounds", "checksum", "score", "seals", "winner", "rng"):
        assert batch.field(field)[0].tolist() == getattr(lane, field), field


def position_of_lane(lane: EnvState) -> Position:
    position = Position()
    for name in Position.__slots__:
        setattr(position, name, getattr(lane, name))
    return position


def test_chance_draws_evenly() -> None:
    lane = EnvState()
    lane.rng = [0] * 4
    seed_rng(lane, 2**62 + 1)
    drawn = np.bincount([random_below(lane, 7) for _ in range(14_000)], minlength=7)
    # Seven numbers, 2,000 of each expected: far out would be a sum of squares above 30.
    assert ((drawn - 2000.0) ** 2 / 2000).sum() < 30


def test_random_rounds_are_as_long_as_they_are_known_to_be() -> None:
    batch = Batch(4000, auto_reset=False)
    batch.play_randomly(1)
    assert (batch.field("rounds") == 1).all()
    assert 70 < batch.field("length").mean() < 85
    assert abs((batch.field("winner") == 0).mean() - 0.5) < 0.04


def test_a_batch_of_rounds_goes_on_with_new_deals() -> None:
    batch, draws = Batch(LANES), np.random.default_rng(2)
    ended = np.zeros(LANES, int)
    for _ in range(300):
        results = batch.step(random_codes(batch, draws))
        ended += results.round_ended
        assert (batch.field("ended") == 0).all()
        assert (batch.field("moves_played")[results.round_ended == 1] == 0).all()
    assert (ended >= 1).all()
    assert (batch.field("rounds") == ended).all()
    assert batch.field("moves").tolist() == [300] * LANES


def test_games_end_with_two_seals_and_the_loser_starts() -> None:
    batch, draws = Batch(LANES, plays="games", auto_reset=False), np.random.default_rng(3)
    while (batch.field("game_ended") == 0).any() and batch.moves().codes.size:
        starter = batch.field("starter").copy()
        seals = batch.field("seals").copy()
        results = batch.step(random_codes(batch, draws))
        for lane in np.flatnonzero(results.round_ended):
            winner = int(results.winner[lane])
            if winner != NOBODY:
                seals[lane][winner] += 1
            assert batch.field("seals")[lane].tolist() == seals[lane].tolist()
            if results.game_ended[lane]:
                assert seals[lane][results.game_winner[lane]] == 2
            else:
                assert batch.field("starter")[lane] == starter_after(int(starter[lane]), winner)
    assert (batch.field("seals").max(axis=1) == 2).all()
    assert set(batch.field("game_winner").tolist()) == {0, 1}


def test_games_that_go_on_begin_without_seals() -> None:
    batch, draws = Batch(LANES, plays="games"), np.random.default_rng(4)
    games = 0
    for _ in range(400):
        results = batch.step(random_codes(batch, draws))
        over = results.game_ended == 1
        games += int(over.sum())
        assert (batch.field("seals")[over] == 0).all()
    assert games > LANES // 2


def test_dealt_packs_are_whole_and_every_place_is_as_likely() -> None:
    lanes = 4000
    batch = Batch(lanes)
    decks, holdings = batch.field("deck"), batch.field("holdings")
    wanted = np.bincount(SORTED_PACK) / len(SORTED_PACK)
    for place in (0, 20, 39):
        seen = np.bincount(decks[:, place], minlength=7) / lanes
        assert np.abs(seen - wanted).max() < 0.03
    dealt = np.bincount(decks.ravel(), minlength=7)[6] + (holdings >> 24).sum()
    assert dealt + ((batch.field("market") >> 24) - 3).sum() == 8 * lanes
    assert abs(batch.field("starter").mean() - 0.5) < 0.04
    assert sorted(batch.field("bonus")[0][:7].tolist()) == [1, 1, 2, 2, 2, 3, 3]
    assert len({bonus.tobytes() for bonus in batch.field("bonus")}) > lanes // 2


def test_positions_can_be_set_up() -> None:
    positions = [new_round(deal) for deal in deals_of(Random(5), 3)]
    positions[1].play(positions[1].legal_moves()[0])
    batch = Batch(3)
    batch.set_positions(positions)
    assert [batch.position(lane) for lane in range(3)] == positions


def test_one_position_can_be_set_up_in_every_lane() -> None:
    position = new_round(Deal.shuffled(Random(5)))
    batch = Batch(3)
    batch.set_positions(position)
    assert [batch.position(lane) for lane in range(3)] == [position] * 3


@pytest.mark.parametrize("device", ["cpu", "plain"])
def test_dealing_anew_changes_nothing_that_the_seat_to_move_has_seen(
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
        worlds = [batch.position(lane) for lane in range(6)]
        assert worlds[0] == worlds[1]
        seen = position.view(position.turn)
        assert all(world.view(position.turn) == seen for world in worlds)


def test_shuffling_anew_changes_nothing_that_anybody_has_seen() -> None:
    source = Batch(3, seed=4)
    for _ in range(25):
        source.step(source.moves().codes[source.moves().offsets[:-1]])
    batch = Batch(6)
    batch.load_states(source.states()[[1, 1, 1, 2, 2, 0]])
    assert [batch.position(lane) for lane in range(6)] == [
        source.position(lane) for lane in (1, 1, 1, 2, 2, 0)
    ]
    batch.reshuffle([7, 7, 8, 7, 9, 7])
    worlds = [batch.position(lane) for lane in range(6)]
    assert worlds[0] == worlds[1]
    assert worlds[0].deck_left() != worlds[2].deck_left()
    for world, lane in zip(worlds, (1, 1, 1, 2, 2, 0), strict=True):
        before = source.position(lane)
        for seat in range(2):
            assert world.view(seat) == before.view(seat)
        assert sorted(world.deck_left()) == sorted(before.deck_left())
        for pile in range(3):
            assert sorted(world.bonus_left(pile)) == sorted(before.bonus_left(pile))
    # Nor does it change what is hidden: only the order of what is still to come.
    assert {world.holdings[0] for world in worlds[:3]} == {source.position(1).holdings[0]}


def test_dealing_anew_is_even_where_a_card_may_lie() -> None:
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
    dealt = [batch.position(lane) for lane in range(worlds)]
    drawn = [deal_unseen(seen, Random(seed)) for seed in range(worlds)]

    def tell(world: Position) -> Iterator[tuple[str, object]]:
        yield "hand", world.hand(1 - seat)
        yield "next card", world.deck_left()[0]
        yield "last card", world.deck_left()[-1]
        yield "bonuses", world.bonuses[1 - seat]
        for pile in range(3):
            yield f"pile {pile}", tuple(world.bonus_left(pile)[:1])

    one, other = (Counter(each for world in ws for each in tell(world)) for ws in (dealt, drawn))
    assert len(one) > 15
    for thing in one | other:
        # Both are drawn: their difference has the spread of twice what is expected.
        assert abs(one[thing] - other[thing]) < 5 * (one[thing] + other[thing]) ** 0.5, thing


def test_odds_say_what_is_likelier_to_be_hidden() -> None:
    position = new_round(Deal.shuffled(Random(3)))
    while size(position.hand(1 - position.turn)) < 2:
        position.play(position.legal_moves()[0])
    other = 1 - position.turn
    batch = Batch(2000)
    hidden = []
    for odds in ((1, 1, 1, 1, 1, 1, 0), (1, 1, 9, 1, 1, 1, 0)):
        batch.set_positions(position)
        batch.redeal(range(2000), odds)
        worlds = [batch.position(lane) for lane in range(2000)]
        assert {sum(world.holdings[other] >> 4 * n & 15 for n in range(6)) for world in worlds} == {
            size(position.hand(other))
        }
        hidden.append(sum(world.holdings[other] >> 8 & 15 for world in worlds))
    assert hidden[1] > 3 * hidden[0] > 0


def test_plain_lanes_list_look_and_play_as_compiled_ones_do() -> None:
    compiled, plain = Batch(5, seed=3), Batch(5, seed=3, device="plain")
    draws = np.random.default_rng(1)
    for _ in range(60):
        moves = compiled.moves()
        assert plain.moves().codes.tolist() == moves.codes.tolist()
        assert (plain.afterstate_features() == compiled.afterstate_features()).all()
        places = moves.sample(draws.random(5))
        assert plain.argmax(-np.arange(len(moves.codes))).tolist() == moves.offsets[:-1].tolist()
        for one, other in zip(
            compiled.step(moves.codes[places]), plain.step(moves.codes[places]), strict=True
        ):
            assert np.array(one).tolist() == np.array(other).tolist()
    for lane in range(5):
        assert plain.position(lane) == compiled.position(lane)


def test_the_best_move_of_a_lane_is_its_first_of_the_highest_worth() -> None:
    batch = Batch(5)
    moves, worths = batch.moves(), np.random.default_rng(6).integers(0, 3, len(batch.moves().codes))
    wanted = [
        int(first) + int(worths[first:end].argmax()) for first, end in pairwise(moves.offsets)
    ]
    assert batch.argmax(worths).tolist() == wanted
    some = Batch(3, auto_reset=False)
    some.play_randomly(1)
    running = batch.position(0)
    some.set_positions([some.position(0), running, some.position(1)])
    assert some.argmax(np.arange(len(some.moves().codes)))[1] == len(some.moves().codes) - 1


def test_features_can_be_written_into_room_of_ones_own() -> None:
    batch = Batch(7, seed=3)
    wanted = batch.afterstate_features()
    room = np.full((len(wanted) + 5, WIDTH), -1, np.float32)
    assert batch.afterstate_features(room) is room
    assert (room[: len(wanted)] == wanted).all()
    assert (room[len(wanted) :] == -1).all()


def test_a_loop_of_ones_own_runs_over_the_lanes() -> None:
    batch, seen = Batch(9, seed=4), np.zeros(9, np.int32)
    batch.run_kernel(note_market, seen)
    assert seen.tolist() == [batch.position(lane).market for lane in range(9)]


def test_a_loop_of_ones_own_runs_over_some_of_the_moves() -> None:
    batch = Batch(9, seed=4)
    codes = batch.moves().codes
    seen = np.zeros(len(codes), np.int32)
    batch.run_move_kernel(note_codes, seen, start=3, stop=20)
    assert seen[3:20].tolist() == codes[3:20].tolist()
    assert not seen[:3].any()
    assert not seen[20:].any()


def note_codes(
    first: int,
    last: int,
    lanes: list[EnvState],
    copies: list[EnvState],  # noqa: ARG001
    owners: list[int],
    codes: list[int],
    seen: list[int],
) -> None:
    for move in range(first_index(first), last, stride()):
        seen[move] = codes[move] if lanes[owners[move]].ended == 0 else 0


def note_market(first: int, last: int, lanes: list[EnvState], seen: list[int]) -> None:
    for i in range(first_index(first), last, stride()):
        seen[i] = lanes[i].market
