"""Action numbers are stable, and map to moves and back."""

from hashlib import sha256

import pytest

from jaipur.envs import actions
from jaipur.rules import Move
from jaipur.simulation import SimulationError

TABLE_SHA256 = "ab084a5fcefd7fa72e6340230531cf5bbdea900c5d46549032e5c57826959f78"


def test_the_numbers_never_change() -> None:
    table = "\n".join(f"{action} {move}" for action, move in enumerate(actions.all_moves()))
    assert len(actions.all_moves()) == actions.ACTIONS == 25_499
    assert table.startswith("0 +D\n1 +G\n")
    assert table.endswith("25498 -LLLLLLL")
    assert sha256(table.encode()).hexdigest() == TABLE_SHA256


@pytest.mark.parametrize("action", [0, 6, 7, 12_345, 25_498])
def test_actions_map_to_moves_and_back(action: int) -> None:
    move = actions.move_of(action)
    assert actions.action_of(move) == action
    assert Move.parse(str(move)) == move


def test_unknown_actions_and_impossible_moves_are_refused() -> None:
    for action in (-1, 25_499):
        with pytest.raises(SimulationError, match="Actions go from 0 to 25498"):
            actions.move_of(action)
    with pytest.raises(SimulationError, match="no action number"):
        actions.action_of(Move.parse("+DG"))
