"""`analysis.calibration`: bins, Platt scaling and the diagram, on synthetic predictions."""

from random import Random

import numpy as np
import pytest

from jaipur.analysis.calibration import (
    PlattScaling,
    fit_scaling,
    reliability_bins,
    reliability_diagram,
    rescaled,
)
from jaipur.players.neural.afterstates import afterstate_features
from jaipur.players.neural.network import LEAD, WIN, bundled_network, sigmoid
from jaipur.rules import Deal, new_round


def test_bins_hold_mean_prediction_and_mean_outcome() -> None:
    predicted = np.array([0.12, 0.18, 0.71, 1.0])
    bins = reliability_bins(predicted, np.array([0.0, 0.5, 1.0, 1.0]))
    assert bins == [
        pytest.approx((0.15, 0.25, 2)),
        pytest.approx((0.71, 1.0, 1)),
        pytest.approx((1.0, 1.0, 1)),
    ]


def test_the_fit_recovers_the_scaling_of_the_logits() -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 1.5, 200_000)
    outcomes = (rng.random(len(logits)) < sigmoid(1.3 * logits + 0.2)).astype(np.float64)
    scaling = fit_scaling(sigmoid(logits), outcomes)
    assert scaling == pytest.approx(PlattScaling(1.3, 0.2), abs=0.03)


def test_rescaling_changes_the_win_logits_of_both_heads_and_nothing_else() -> None:
    network = bundled_network("maharaja")
    scaled = rescaled(network, PlattScaling(2.0, 0.5))
    position = new_round(Deal.shuffled(Random(1)))
    codes = [move.code for move in position.legal_moves()]
    features = afterstate_features(position.view(position.turn), codes)
    before, after = network(features), scaled(features)
    np.testing.assert_allclose(after[:, WIN], 2 * before[:, WIN] + 0.5, atol=1e-4)
    np.testing.assert_array_equal(after[:, LEAD:], before[:, LEAD:])
    quick = 2 * network.quick_logits(features) + 0.5
    np.testing.assert_allclose(scaled.quick_logits(features), quick, atol=1e-4)


def test_the_diagram_has_a_dot_per_bin_and_the_number_of_positions() -> None:
    bins = reliability_bins(np.array([0.1, 0.5, 0.9]), np.array([0.0, 1.0, 1.0]))
    diagram = reliability_diagram(bins)
    assert diagram.count("<circle ") == 3
    assert "(3 positions)" in diagram
