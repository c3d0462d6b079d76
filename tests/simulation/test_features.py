"""Features match the view, do not depend on hidden cards, and describe the afterstate of a move."""

from random import Random

import numpy as np
import pytest

from jaipur.rules import Position, View, deal_unseen
from jaipur.rules.cards import COPIES, GOODS, KINDS, NAMES, count
from jaipur.rules.moves import Move, given_by
from jaipur.rules.tokens import BONUS_SIZES, BONUS_TOKENS, GOODS_TOKENS, PILE_SIZES
from jaipur.rules.turn import carry_out
from jaipur.simulation import FEATURES, SCALES, WIDTH, Batch
from jaipur.simulation.layout import Array
from simulation.picking import random_codes

BONUS = ("three", "four", "five")


def expected(view: View) -> dict[str, float]:
    """The features of a running round, computed from the view independently of the code under test."""
    own, other, numbers = view.own, view.other, {}
    for good in GOODS:
        left = GOODS_TOKENS[good][view.tokens_taken[good] :]
        numbers[f"own hand: {NAMES[good]}"] = count(view.hand, good)
        numbers[f"own hand as shown: {NAMES[good]}"] = count(own.shown, good)
        numbers[f"other's hand as shown: {NAMES[good]}"] = count(other.shown, good)
        numbers[f"tokens left: {NAMES[good]}"] = len(left)
        numbers[f"top token: {NAMES[good]}"] = max(left, default=0)
        market = count(view.market, good)
        for whose, cards in ("own", count(view.hand, good)), ("other's", count(other.shown, good)):
            numbers[f"{whose} worth: {NAMES[good]}"] = sum(left[:cards])
            numbers[f"{whose} worth with market: {NAMES[good]}"] = sum(left[: cards + market])
    for kind in KINDS:
        numbers[f"market: {NAMES[kind]}"] = count(view.market, kind)
        numbers[f"unseen: {NAMES[kind]}"] = count(view.unseen(), kind)
    values = own.bonus_values or ()
    rupees = [float(own.rupees + sum(values)), float(other.rupees)]
    for pile, name in enumerate(BONUS):
        numbers[f"bonus tokens left: {name}"] = BONUS_SIZES[pile] - view.bonus_taken[pile]
        numbers[f"own bonus tokens: {name}"] = own.bonuses[pile]
        numbers[f"other's bonus tokens: {name}"] = other.bonuses[pile]
        hidden = list(BONUS_TOKENS[pile])
        for value in values:
            if value in hidden:
                hidden.remove(value)
        rupees[1] += other.bonuses[pile] * sum(hidden) / len(hidden) if hidden else 0
    herds = view.herd, view.other_herd()
    camel = (herds[0] > herds[1]) - (herds[0] < herds[1])
    piles = [taken == size for taken, size in zip(view.tokens_taken, PILE_SIZES, strict=True)]
    return numbers | {
        "own hand: goods": own.hand,
        "other's hand: goods": other.hand,
        "other's hand: goods not shown": other.hand - sum(count(other.shown, g) for g in GOODS),
        "own: herd": herds[0],
        "own: goods tokens": sum(count(own.goods_tokens, good) for good in GOODS),
        "own: rupees": rupees[0],
        "own: seals": own.seals,
        "other's: herd": herds[1],
        "other's: goods tokens": sum(count(other.goods_tokens, good) for good in GOODS),
        "other's: rupees": rupees[1],
        "other's: seals": other.seals,
        "lead: camel token": camel,
        "lead: rupees": rupees[0] - rupees[1] + 5 * camel,
        "deck: cards": view.deck,
        "market: empty places": 5 - sum(count(view.market, kind) for kind in KINDS),
        "round: empty piles": sum(piles),
        "round: moves played": view.moves_played,
        "round: is running": int(view.ended is None),
        "round: started by self": int(view.starter == view.seat),
        "round: own turn": int(view.turn == view.seat),
    }


def by_name(row: Array) -> dict[str, float]:
    """A row of features as unscaled numbers by name."""
    return dict(zip(FEATURES, (row * np.array(SCALES)).tolist(), strict=True))


@pytest.fixture(scope="module")
def batch() -> Batch:
    """A hundred rounds, each at another move."""
    batch, draws = Batch(100, plays="games"), np.random.default_rng(1)
    for move in range(90):
        chosen = random_codes(batch, draws)
        # Entries before `move` keep their old position, so that every entry stops at another move.
        old = [batch.position(index) for index in range(move)]
        batch.step(chosen)
        batch.set_positions([*old, *(batch.position(index) for index in range(move, 100))])
    return batch


def positions_of(batch: Batch) -> list[Position]:
    return [batch.position(index) for index in range(len(batch))]


def test_features_match_the_view(batch: Batch) -> None:
    rows = batch.features()
    assert rows.shape == (100, WIDTH)
    for position, row in zip(positions_of(batch), rows, strict=True):
        assert by_name(row) == pytest.approx(expected(position.view(position.turn)), abs=1e-4)


def test_positions_with_the_same_view_have_the_same_features(batch: Batch) -> None:
    rng = Random(2)
    resampled = [deal_unseen(position.view(position.turn), rng) for position in positions_of(batch)]
    others = Batch(len(resampled))
    others.set_positions(resampled)
    assert positions_of(others) != positions_of(batch)
    assert (others.features() == batch.features()).all()
    assert (others.moves().codes == batch.moves().codes).all()
    assert (others.afterstate_features() == batch.afterstate_features()).all()


def test_afterstates_without_chance_match_the_position_after_the_move(batch: Batch) -> None:
    offsets, codes = batch.moves()
    rows, compared = batch.afterstate_features(), 0
    for index, position in enumerate(positions_of(batch)):
        for move in range(offsets[index], offsets[index + 1]):
            code = int(codes[move])
            takes = Move.from_code(code).taken
            if not takes and sum(count(given_by(code), good) for good in GOODS) > 2:
                continue
            if takes and not given_by(code):
                continue
            after = position.copy()
            after.play(Move.from_code(code))
            after_features = expected(after.view(position.turn)) if not after.ended else None
            if after_features is not None:
                assert by_name(rows[move]) == pytest.approx(after_features, abs=1e-4)
                compared += 1
    assert compared > 1000


def test_an_unseen_bonus_token_counts_with_its_mean(batch: Batch) -> None:
    offsets, codes = batch.moves()
    rows, seen = batch.afterstate_features(), 0
    for index, position in enumerate(positions_of(batch)):
        view = position.view(position.turn)
        for move in range(offsets[index], offsets[index + 1]):
            sold = given_by(int(codes[move]))
            cards = sum(count(sold, good) for good in GOODS)
            if Move.from_code(int(codes[move])).taken or cards < 3:
                continue
            pile = min(cards, 5) - 3
            after = position.copy()
            carry_out(after, int(codes[move]))
            goods = after.rupees[position.turn] + sum(view.own.bonus_values or ())
            unseen = list(BONUS_TOKENS[pile])
            for value in view.own.bonus_values or ():
                if value in unseen:
                    unseen.remove(value)
            left = view.bonus_taken[pile] < BONUS_SIZES[pile]
            bonus = sum(unseen) / len(unseen) if left else 0
            assert by_name(rows[move])["own: rupees"] == pytest.approx(goods + bonus, abs=1e-4)
            name = f"own bonus tokens: {BONUS[pile]}"
            assert round(by_name(rows[move])[name]) == view.own.bonuses[pile] + left
            seen += 1
    assert seen > 20


def test_afterstates_show_empty_places_and_the_end_of_the_deck() -> None:
    batch, draws = Batch(200), np.random.default_rng(3)
    empty, over = set(), 0
    for _ in range(80):
        offsets, codes = batch.moves()
        rows = batch.afterstate_features() * np.array(SCALES, np.float32)
        places = np.rint(rows[:, FEATURES.index("market: empty places")])
        running = rows[:, FEATURES.index("round: is running")] == 1
        deck = np.rint(rows[:, FEATURES.index("deck: cards")])
        empty |= set(places.tolist())
        short = places > deck
        assert not running[short].any()
        over += int(short.sum())
        batch.step(random_codes(batch, draws))
        assert len(codes) == offsets[-1]
    assert empty >= {0.0, 1.0, 2.0, 3.0}
    assert over > 10


def test_every_feature_has_a_name_and_a_scale() -> None:
    assert len(FEATURES) == len(SCALES) == len(set(FEATURES)) == WIDTH
    assert SCALES[FEATURES.index("unseen: leather")] == COPIES[5]
