"""A network gives the same outputs in JAX, saved and loaded in NumPy, and as a player."""

from itertools import pairwise
from pathlib import Path
from random import Random

import jax
import msgspec
import numpy as np
import pytest

from jaipur.players import NO_BUDGET, player_named
from jaipur.players.neural.network import WIN, Network
from jaipur.simulation import Batch, SimulationError
from jaipur.simulation.features import FEATURES
from jaipur.training import Config
from jaipur.training.evaluator import Evaluator, evaluate
from jaipur.training.match import play_match
from jaipur.training.model import from_network, initial_weights, to_network
from training.tiny import TINY, random_weights


def test_outputs_are_the_same_in_jax_in_numpy_and_as_a_player(tmp_path: Path) -> None:
    weights = random_weights((12, 5), (7, 4))
    evaluator = Evaluator(8, "cpu", 5, auto_reset=True)
    afterstates = evaluator.afterstates()
    outputs = np.asarray(evaluate(weights, afterstates))[:, : afterstates.moves]
    to_network(weights).save(tmp_path / "net.npz")
    saved = Network.load(tmp_path / "net.npz")
    rows = evaluator.batch.afterstate_features()
    np.testing.assert_allclose(saved(rows).T, outputs, rtol=0.05, atol=0.05)
    np.testing.assert_allclose(to_network(weights)(rows).T, outputs, rtol=1e-4, atol=1e-4)
    player = player_named(f"net:{tmp_path / 'net.npz'}")
    for index, (first, last) in enumerate(pairwise(evaluator.batch.moves().offsets)):
        position = evaluator.batch.position(index)
        moves = position.legal_moves()
        move = player.choose(position.view(position.turn), moves, Random(1), NO_BUDGET)
        assert moves.index(move) == saved(rows[first:last])[:, WIN].argmax()


def test_a_network_scores_half_against_itself() -> None:
    weights = initial_weights(Config(1, (8,), seed=2))
    assert play_match(weights, weights, 6, "cpu", 9)[0] == 0.5


def test_a_saved_network_can_be_trained_further(tmp_path: Path) -> None:
    weights = random_weights((4,), (2, 3))
    to_network(weights).save(tmp_path / "net.npz")
    loaded = from_network(Network.load(tmp_path / "net.npz"))
    assert jax.tree.structure(loaded) == jax.tree.structure(weights)
    for one, other in zip(jax.tree.leaves(weights), jax.tree.leaves(loaded), strict=True):
        assert np.asarray(other) == pytest.approx(np.asarray(one), abs=1e-2)


def test_a_network_with_fewer_features_is_saved_without_the_others(tmp_path: Path) -> None:
    config = msgspec.structs.replace(TINY, features=("market",))
    network = to_network(initial_weights(config))
    assert {FEATURES[column].partition(":")[0] for column in network.columns} == {"market"}
    network.save(tmp_path / "net.npz")
    saved, rows = Network.load(tmp_path / "net.npz"), Batch(4).afterstate_features()
    assert to_network(from_network(saved))(rows) == pytest.approx(saved(rows))


def test_unknown_features_and_inputs_are_refused() -> None:
    with pytest.raises(SimulationError, match="There is no feature “mood”"):
        initial_weights(Config(1, features=("mood",)))
    network = to_network(random_weights((4,)))
    unknown = Network(network.columns, -network.thresholds, network.weights)
    with pytest.raises(ValueError, match="unknown inputs"):
        from_network(unknown)
