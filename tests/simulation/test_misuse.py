"""Invalid use of the simulation raises an error with one sentence that says how to correct it."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from command import jaipur
from jaipur.rules import Deal
from jaipur.rules.turn import MOVE_LIMIT
from jaipur.simulation import Batch, SimulationError

WITHOUT_NUMBA = "import sys; sys.modules['numba'] = None; "


def untyped(value: object) -> Any:  # noqa: ANN401
    """A value that a type checker would refuse."""
    return value


def last_error_line(python: str, **environment: str) -> str:
    """The last line on stderr of a Python process that must fail."""
    done = subprocess.run(
        [sys.executable, "-c", python],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Batch(0), "The size of a batch must be at least 1, not 0."),
        (lambda: Batch(1, threads=0), "The number of threads must be at least 1, not 0."),
        (
            lambda: Batch(1, plays=untyped("chess")),
            'A batch plays "rounds" or "games", not “chess”.',
        ),
        (
            lambda: Batch(1, device=untyped("tpu")),
            'The device must be "cpu", "gpu" or "plain", not “tpu”.',
        ),
        (lambda: Batch(2, seed=-1), "Seeds are integers from 0 to 2**63 - 1."),
        (lambda: Batch(2).reset([1]), "One seed per entry is needed: 2, not 1."),
        (lambda: Batch(2).reset_from_deals([]), "One deal per entry is needed: 2, not 0."),
        (lambda: Batch(2).set_positions([]), "One position per entry is needed: 2, not 0."),
        (lambda: Batch(2).redeal([1]), "One seed per entry is needed: 2, not 1."),
        (lambda: Batch(2).reshuffle([1]), "One seed per entry is needed: 2, not 1."),
        (
            lambda: Batch(2).load_states(Batch(3).states()),
            "One record per entry is needed: 2, not 3.",
        ),
        (
            lambda: Batch(1).redeal([1], (1, 1, 1, 1, 1, 0, 1)),
            "Odds are six integers of at least 1, then 0 for camels.",
        ),
        (lambda: Batch(2).position(2), "Indices go from 0 to 1; there is no 2."),
        (lambda: Batch(2).play_randomly(-1), "The number of rounds must be at least 0, not -1."),
        (
            lambda: Batch(2).step([1, 2, 3]),
            "One code per entry is needed: 2, not the shape (3,).",
        ),
        (
            lambda: Batch(2).afterstate_features(np.zeros((2, 5), np.float32)),
            f"out must have at least {len(Batch(2).moves().codes)} rows of 97, not the shape (2, 5).",
        ),
        (
            lambda: Batch(2).argmax(np.zeros(3)),
            f"One value per move is needed: {len(Batch(2).moves().codes)}, not the shape (3,).",
        ),
        (
            lambda: Batch(2).step([1.0, 2.0]),
            "Codes are integers, as in moves().codes, not float64.",
        ),
    ],
)
def test_wrong_shapes_and_numbers_are_refused(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(SimulationError) as error:
        make()
    assert str(error.value) == message


def test_an_unknown_field_lists_the_known_ones() -> None:
    with pytest.raises(
        SimulationError, match="There is no field “camels”; the fields are bonuses, market"
    ):
        Batch(1).field("camels")


def test_an_illegal_code_is_refused_and_no_move_is_played() -> None:
    batch = Batch(3)
    codes = [int(batch.moves().codes[first]) for first in batch.moves().offsets[:-1]]
    with pytest.raises(SimulationError) as error:
        batch.step([codes[0], 12345, codes[2]])
    message = "Entry 1 has no legal move with the code 12345; choose from moves()."
    assert str(error.value) == message
    assert batch.field("moves").tolist() == [0, 0, 0]
    batch.step(codes)
    assert batch.field("moves").tolist() == [1, 1, 1]


def test_after_the_end_a_reset_is_needed() -> None:
    batch = Batch(2, auto_reset=False)
    batch.play_randomly(1)
    assert batch.moves().codes.size == 0
    with pytest.raises(SimulationError, match=r"Every entry has ended; call reset\(\)\."):
        batch.step([0, 0])
    batch.reset()
    batch.step([batch.moves().codes[first] for first in batch.moves().offsets[:-1]])


def test_an_entry_that_has_ended_ignores_its_code() -> None:
    batch = Batch(2, auto_reset=False)
    batch.play_randomly(1)
    ended = batch.position(0)
    batch.set_positions([ended, Batch(1).position(0)])
    results = batch.step([0, batch.moves().codes[0]])
    assert batch.position(0) == ended
    assert results.round_ended.tolist() == [0, 0]


def test_a_round_is_abandoned_at_the_move_limit() -> None:
    batch = Batch(1, auto_reset=False, plays="games")
    position = batch.position(0)
    position.moves_played = MOVE_LIMIT - 1
    batch.set_positions([position])
    results = batch.step(batch.moves().codes[:1])
    assert (results.ending[0], results.winner[0], results.game_ended[0]) == (3, -1, 1)
    assert batch.moves().codes.size == 0


def test_deals_are_validated() -> None:
    with pytest.raises(ValueError, match="A deal has 52 cards, not 1"):
        Batch(1).reset_from_deals([Deal((1,), ((), (), ()), 0)])
    assert np.all(Batch(1).field("rounds") == 0)


def test_without_numba_a_batch_names_the_extra() -> None:
    message = last_error_line(WITHOUT_NUMBA + "from jaipur.simulation import Batch; Batch(1)")
    needs = 'Compiled rules need Numba: install it with pip install "jaipur[fast]".'
    assert message == f"jaipur.simulation.errors.SimulationError: {needs}"


def test_without_numba_the_command_names_the_extra() -> None:
    fast = "['simulate', '--fast', '--players', 'random', 'random']"
    message = last_error_line(
        WITHOUT_NUMBA + f"from jaipur.cli import main; sys.exit(main({fast}))"
    )
    assert (
        message == 'jaipur: Compiled rules need Numba: install it with pip install "jaipur[fast]".'
    )


def test_without_a_gpu_the_error_names_the_extra_or_the_cpu() -> None:
    message = last_error_line("from jaipur.simulation import Batch; Batch(1, device='gpu')")
    assert message.startswith("jaipur.simulation.errors.SimulationError: ")
    assert message.endswith(
        (
            'A GPU needs numba-cuda: install it with pip install "jaipur[gpu]".',
            'No GPU was found; leave out device="gpu" to play on the CPU.',
        )
    )


def test_fast_simulation_supports_random_players_only() -> None:
    done = jaipur("simulate", "--fast", "--players", "random", "greedy")
    assert done.returncode == 2
    message = "jaipur: --fast needs two random players; leave it out for random and greedy.\n"
    assert done.stderr == message
