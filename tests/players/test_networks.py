"""The bundled networks and their files, and the raja, which treats nearly equal moves as equal."""

import json
from hashlib import sha256
from math import log
from pathlib import Path
from random import Random

import numpy as np
import pytest

from jaipur.analysis.evaluation import evaluate
from jaipur.players import NO_BUDGET, player_named
from jaipur.players.neural.maharaja import RAJA_TOLERANCE
from jaipur.players.neural.network import NETWORKS, Network
from jaipur.rules import deal_unseen
from players.positions import sample_views

MAX_NETWORK_BYTES = 2_000_000


def test_bundled_networks_are_small_and_document_their_origin() -> None:
    files = sorted(NETWORKS.glob("*.npz"))
    assert [file.stem for file in files] == ["baseline", "maharaja"]
    for file in files:
        assert file.stat().st_size <= MAX_NETWORK_BYTES
        origin = json.loads(file.with_suffix(".json").read_text("utf-8"))
        assert origin["sha256"] == sha256(file.read_bytes()).hexdigest()
        assert origin["rounds"] > 0 < origin["minutes"]
        weights = Network.load(file).weights
        assert origin["config"]["layers"] == [
            layer.shape[1] for layer, _ in (weights.first, *weights.full[:-1])
        ]


def test_a_file_without_a_network_is_refused(tmp_path: Path) -> None:
    half, array = tmp_path / "half.npz", tmp_path / "array.npy"
    half.write_bytes((NETWORKS / "baseline.npz").read_bytes()[:5000])
    np.save(array, np.zeros(3))
    for file in (__file__, half, array):
        with pytest.raises(ValueError, match="holds no network"):
            player_named(f"net:{file}")


def test_the_raja_picks_among_nearly_equal_moves() -> None:
    views_with_a_choice = 0
    for view in sample_views():
        moves = deal_unseen(view, Random(0)).legal_moves()
        logits = {
            each.move: log(each.win_probability / (1 - each.win_probability))
            for each in evaluate(view).moves
        }
        picked = {
            player_named("raja").choose(view, moves, Random(seed), NO_BUDGET) for seed in range(12)
        }
        lowest = max(logits.values()) - RAJA_TOLERANCE - 1e-4
        assert all(logits[move] >= lowest for move in picked)
        views_with_a_choice += len(picked) > 1
    assert views_with_a_choice > 3
