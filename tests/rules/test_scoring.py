"""Counting at the end of a round."""

import pytest

from jaipur.rules import Position, Result
from jaipur.rules.endings import ABANDONED
from jaipur.rules.scoring import bonus_rupees, round_winner, rupees, tokens_held
from jaipur.rules.turn import abandon
from tables import played, table


def counted(seat_0: str, seat_1: str) -> Result:
    """The result of a finished round with these seats."""
    result = table(f"""
            round   ended deck
            seat 0  {seat_0}
            seat 1  {seat_1}
        """).result()
    assert result is not None
    return result


def test_the_larger_herd_gets_the_camel_token() -> None:
    assert counted("herd 3", "herd 2").camel_token == 0
    assert counted("herd 3", "herd 4").camel_token == 1


def test_with_equal_herds_nobody_gets_the_camel_token() -> None:
    result = counted("herd 3 | rupees 7", "herd 3 | rupees 9")
    assert result.camel_token is None
    assert result.rupees == (7, 9)


def test_rupees_are_goods_tokens_bonus_tokens_and_the_camel_token() -> None:
    result = counted("rupees 20 | bonus 3 5 10 10 | herd 4", "rupees 31 | bonus 2 | herd 3")
    assert result.rupees == (20 + 3 + 5 + 10 + 10 + 5, 31 + 2)


def test_goods_in_hand_and_camels_pay_nothing() -> None:
    assert counted("hand D D D D | herd 1", "hand L | herd 1").rupees == (0, 0)


def test_more_rupees_win_the_seal() -> None:
    assert counted("rupees 50", "rupees 49").seal == 0
    assert counted("rupees 50", "rupees 51").seal == 1


def test_the_camel_token_can_decide_the_round() -> None:
    assert counted("rupees 50", "rupees 46 | herd 1").seal == 1


def test_a_tie_goes_to_more_bonus_tokens_by_number_and_not_by_value() -> None:
    result = counted("rupees 46 | bonus 2 2 | tokens L", "rupees 40 | bonus 10 | tokens L L L")
    assert result.rupees == (50, 50)
    assert result.seal == 0


def test_still_tied_more_goods_tokens_win_by_number_and_not_by_value() -> None:
    result = counted("rupees 6 | bonus 4 | tokens L L L", "rupees 6 | bonus 4 | tokens D G")
    assert result.rupees == (10, 10)
    assert result.seal == 0
    assert counted("rupees 6 | tokens D", "rupees 6 | tokens C P").seal == 1


def test_the_camel_token_counts_as_no_bonus_token_and_no_goods_token() -> None:
    result = counted("rupees 5 | herd 2 | tokens L", "rupees 10 | herd 1 | tokens L L")
    assert result.rupees == (10, 10)
    assert result.seal == 1
    assert counted("rupees 5 | herd 2", "rupees 7 | bonus 3").seal == 1
    assert counted("rupees 5 | herd 2 | tokens L", "rupees 10 | tokens L").seal is None


def test_tied_after_both_tie_breaks_nobody_takes_the_seal() -> None:
    result = counted("rupees 9 | bonus 2 | tokens D L", "rupees 9 | bonus 2 | tokens G P")
    assert result.seal is None


def test_an_abandoned_round_is_a_draw_whatever_the_rupees() -> None:
    position = table("seat 0 rupees 40 | herd 3")
    abandon(position)
    assert position.ended == ABANDONED
    assert position.result() == Result("abandoned", 0, (45, 0), None)


@pytest.fixture
def running() -> Position:
    return table("""
          market  D G L L M
        > seat 0  hand L L L | bonus 1 3 3 | rupees 10 | herd 2 | tokens D G G
          seat 1  hand P
    """)


def test_rupees_can_be_counted_during_the_round(running: Position) -> None:
    assert bonus_rupees(running, 0) == 7
    assert (rupees(running, 0), rupees(running, 1)) == (22, 0)
    assert tokens_held(running.goods_tokens[0]) == 3
    assert tokens_held(running.bonuses[0]) == 3
    assert round_winner(running) == 0


def test_a_sale_adds_to_the_rupees(running: Position) -> None:
    after = played(running, "-LLL")
    # Bonus piles of a drawing are sorted, so the top token for three cards is a one.
    assert rupees(after, 0) == rupees(running, 0) + 4 + 3 + 2 + 1
