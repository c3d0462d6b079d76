"""The list of legal moves: complete, without duplicates, always in the same order."""

import pytest

from jaipur.rules.moves import conceivable_moves
from tables import table


def listed(drawing: str) -> list[str]:
    return [str(legal) for legal in table(drawing).legal_moves()]


def test_moves_are_listed_goods_first_then_camels_exchanges_and_sales() -> None:
    assert listed("""
          market  D D G M M
        > seat 0  hand S S C | herd 1
    """) == [
        *("+D", "+G", "+M"),
        *("+DD-SM", "+DD-CM", "+DD-SS", "+DD-SC"),
        *("+DG-SM", "+DG-CM", "+DG-SS", "+DG-SC"),
        *("+DDG-SSM", "+DDG-SCM", "+DDG-SSC"),
        *("-SS", "-C"),
    ]


def test_the_order_of_a_market_and_a_hand_does_not_matter() -> None:
    assert listed("market DDGLM\nseat 0 hand SCC | herd 2") == listed(
        "market MLGDD\nseat 0 hand CSC | herd 2"
    )


@pytest.mark.parametrize("herd", [0, 1, 4])
def test_a_conceivable_move_is_listed_exactly_when_no_rule_forbids_it(herd: int) -> None:
    position = table(f"""
          market  D D G C L
        > seat 0  hand S S C P P L | herd {herd}
    """)
    legal = position.legal_moves()
    assert len(legal) == len(set(legal))
    assert set(legal) == {move for move in conceivable_moves() if position.why_not(move) is None}


def test_no_trader_has_more_than_167_moves() -> None:
    moves = listed("""
          market  D D G G S
        > seat 0  hand C C P P L L | herd 1
    """)
    assert len(moves) == 167
