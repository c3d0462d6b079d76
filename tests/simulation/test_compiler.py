"""The rule functions compile unchanged, and compiled, plain and naive rules play the same rounds."""

from itertools import combinations_with_replacement
from random import Random

import numpy as np

from jaipur.rules import Deal, Move, Position, new_round
from jaipur.rules.cards import CAMEL_SHIFT, GOODS, NOBODY, PileCode, pile_of
from jaipur.rules.listing import MOST_MOVES, list_moves
from jaipur.rules.moves import HAND_LIMIT, MARKET_PLACES, MoveCode
from jaipur.rules.scoring import camel_token, round_winner, rupees
from jaipur.rules.setup import lay_out
from jaipur.rules.turn import MOVE_LIMIT, abandon, carry_out
from jaipur.simulation.compiler import cpu_function
from jaipur.simulation.layout import POSITION_FIELDS, STATE_DTYPE, position_of, record_of
from naive import NaiveRound
from test_naive import naive_deal, naive_table_of, table_of

ROUNDS = 30


def play_three(deal: Deal, rng: Random) -> Position:
    """Play one round on a position, on a record and with the naive rules, and compare them after every move."""
    position, naive = new_round(deal), NaiveRound(*naive_deal(deal))
    record = record_of(Position())
    cpu_function(lay_out)(record, np.array(deal.pack), np.array(position.bonus), deal.starts)
    codes, record_codes = [0] * MOST_MOVES, np.zeros(MOST_MOVES, np.int32)
    for _ in range(MOVE_LIMIT):
        assert position_of(record) == position
        assert table_of(position) == naive_table_of(naive)
        assert scores(position) == compiled_scores(record)
        moves = list_moves(position, codes)
        assert cpu_function(list_moves)(record, record_codes) == moves
        assert record_codes[:moves].tolist() == codes[:moves]
        assert {str(Move.from_code(code)) for code in codes[:moves]} == naive.legal_moves()
        if not moves:
            break
        code = rng.choice(codes[:moves])
        carry_out(position, code)
        cpu_function(carry_out)(record, code)
        naive.make(str(Move.from_code(code)))
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
        cpu_function(rupees)(record, 0),
        cpu_function(rupees)(record, 1),
        cpu_function(camel_token)(record),
        cpu_function(round_winner)(record),
    ]


def test_plain_compiled_and_naive_rules_play_the_same_rounds() -> None:
    rng = Random(0)
    played = [play_three(Deal.shuffled(rng), rng) for _ in range(ROUNDS)]
    assert len({position.ended for position in played}) == 2


def test_a_record_has_every_field_of_a_position() -> None:
    assert set(POSITION_FIELDS) < set(STATE_DTYPE.names or ())


def test_an_abandoned_round_is_a_draw_in_compiled_rules() -> None:
    position = new_round(Deal.shuffled(Random(0)))
    position.rupees[0] = 30
    record = record_of(position)
    cpu_function(abandon)(record)
    abandon(position)
    assert position_of(record) == position
    assert cpu_function(round_winner)(record) == NOBODY


def test_no_market_hand_and_herd_allow_more_than_167_moves() -> None:
    """All markets of five cards with all hands and herds: five million tables."""
    markets = [
        goods + (MARKET_PLACES - cards << CAMEL_SHIFT)
        for cards in range(MARKET_PLACES + 1)
        for goods in piles_of(cards)
    ]
    hands = [hand for cards in range(HAND_LIMIT + 1) for hand in piles_of(cards)]
    codes = np.zeros(2 * MOST_MOVES, np.int32)
    most = cpu_function(most_moves)(
        record_of(Position()), codes, np.array(markets), np.array(hands)
    )
    assert most == MOST_MOVES


def piles_of(cards: int) -> list[PileCode]:
    return [pile_of(goods) for goods in combinations_with_replacement(GOODS, cards)]


def most_moves(
    position: Position, codes: list[MoveCode], markets: list[PileCode], hands: list[PileCode]
) -> int:
    """The highest number of legal moves; a herd of more than five camels does not allow more."""
    most = 0
    for market in markets:
        position.market = market
        for hand in hands:
            for herd in range(MARKET_PLACES + 1):
                position.holdings[0] = hand + (herd << CAMEL_SHIFT)
                most = max(most, list_moves(position, codes))
    return most
