"""The rule functions compile as they stand, and the compiled ones play the same game.

It keeps the rules fit for simulation at speed: small functions on small numbers, and one engine for both.
"""

from itertools import combinations_with_replacement
from random import Random

import numpy as np

from compiled import compiled, position_of, record_of
from jaipur.rules import Deal, Pile, Position, new_round, pile_of
from jaipur.rules.cards import CAMEL_SHIFT, GOODS, NOBODY
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import HAND_LIMIT, MARKET_PLACES, Code
from jaipur.rules.scoring import camel_token, round_winner, rupees
from jaipur.rules.setup import lay_out
from jaipur.rules.turn import MOVE_LIMIT, abandon, carry_out

ROUNDS = 200


def play_both(deal: Deal, rng: Random) -> Position:
    """Play one round on a position and on a record, comparing them at every step."""
    position = new_round(deal)
    record = record_of(Position())
    compiled(lay_out)(record, np.array(deal.pack), np.array(position.bonus), deal.starts)
    codes, record_codes = [0] * MOST_MOVES, np.zeros(MOST_MOVES, np.int64)
    for _ in range(MOVE_LIMIT):
        assert position_of(record) == position
        assert scores(position) == compiled_scores(record)
        moves = list_moves(position, codes)
        assert compiled(list_moves)(record, record_codes) == moves
        assert record_codes[:moves].tolist() == codes[:moves]
        if not moves:
            break
        code = rng.choice(codes[:moves])
        carry_out(position, code)
        compiled(carry_out)(record, code)
    return position


def scores(position: Position) -> list[int]:
    return [
        rupees(position, 0),
        rupees(position, 1),
        camel_token(position),
        round_winner(position),
    ]


def compiled_scores(record: np.void) -> list[int]:
    return [
        compiled(rupees)(record, 0),
        compiled(rupees)(record, 1),
        compiled(camel_token)(record),
        compiled(round_winner)(record),
    ]


def test_the_compiled_rules_play_the_same_rounds() -> None:
    rng = Random(0)
    endings = {play_both(Deal.shuffled(rng), rng).ended for _ in range(ROUNDS)}
    assert len(endings) == 2


def test_an_abandoned_record_is_a_draw_too() -> None:
    position = new_round(Deal.shuffled(Random(0)))
    position.rupees[0] = 30
    record = record_of(position)
    compiled(abandon)(record)
    abandon(position)
    assert position_of(record) == position
    assert compiled(round_winner)(record) == NOBODY


def test_no_market_hand_and_herd_allow_more_than_167_moves() -> None:
    """Every market of five cards with every hand and herd: five million tables, a second for the compiled rules."""
    markets = [
        goods + (MARKET_PLACES - cards << CAMEL_SHIFT)
        for cards in range(MARKET_PLACES + 1)
        for goods in piles_of(cards)
    ]
    hands = [hand for cards in range(HAND_LIMIT + 1) for hand in piles_of(cards)]
    codes = np.zeros(2 * MOST_MOVES, np.int64)
    most = compiled(most_moves)(record_of(Position()), codes, np.array(markets), np.array(hands))
    assert most == MOST_MOVES


def piles_of(cards: int) -> list[Pile]:
    return [pile_of(goods) for goods in combinations_with_replacement(GOODS, cards)]


def most_moves(
    position: Position, codes: list[Code], markets: list[Pile], hands: list[Pile]
) -> int:
    """The most moves any of these tables allows; more than five camels cannot be given at once."""
    most = 0
    for market in markets:
        position.market = market
        for hand in hands:
            for herd in range(MARKET_PLACES + 1):
                position.holdings[0] = hand + (herd << CAMEL_SHIFT)
                most = max(most, list_moves(position, codes))
    return most
