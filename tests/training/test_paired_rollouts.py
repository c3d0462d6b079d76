"""Paired rollouts: the results are those of playing on by hand, and training on them lowers the paired loss."""

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
import pytest

from jaipur.players.neural.afterstates import afterstate_features
from jaipur.players.neural.network import WIN, Network
from jaipur.rules import Move, Position
from jaipur.rules.cards import NOBODY, size
from jaipur.rules.endings import RUNNING
from jaipur.rules.scoring import round_winner
from jaipur.training.config import PairedRolloutsConfig
from jaipur.training.evaluator import Evaluator
from jaipur.training.loss import paired_loss
from jaipur.training.model import to_network
from jaipur.training.paired_rollouts import MAX_GAP, MAX_LOGIT, PairedRollouts
from jaipur.training.self_play import SelfPlay
from jaipur.training.step import initial_state, train_epoch
from training.tiny import TINY, random_weights


def test_training_lowers_the_paired_loss() -> None:
    rollouts = PairedRolloutsConfig(positions=12, moves=3, weight=100)
    config = msgspec.structs.replace(TINY, paired_rollouts=rollouts)
    state = initial_state(config, random_weights((16, 8)))
    self_play = SelfPlay(config.self_play, "cpu", 1)
    batch, _ = self_play.generate(state.weights, progress=0.0)
    paired = PairedRollouts(rollouts, "cpu", 1).run(self_play.evaluator, state.weights)
    paired = paired._replace(win=paired.win + jnp.array([0.3, 0.0, -0.3]))
    before = float(paired_loss(state.weights, paired))
    for number in range(10):
        state, _ = train_epoch(state, batch, jax.random.key(number), config, 1e-2, paired)
    assert float(paired_loss(state.weights, paired)) < before / 2


def rollout_by_hand(network: Network, position: Position, move: Move, plies: int) -> float | None:
    """The result of a rollout, or None if it depends on the deck or a bonus pile."""
    after, best = position.copy(), 0.0
    for _ in range(plies):
        if after.ended == RUNNING:
            if move.taken or size(move.given) > 2:
                return None
            after.play(move)
        if moves := after.legal_moves():
            view = after.view(after.turn)
            logits = network(afterstate_features(view, [each.code for each in moves]))[:, WIN]
            move, best = moves[int(logits.argmax())], 1 / (1 + float(np.exp(-logits.max())))
    if after.ended != RUNNING:
        winner = round_winner(after)
        return 0.5 if winner == NOBODY else float(winner == position.turn)
    return best if after.turn == position.turn else 1 - best


@pytest.mark.parametrize("plies", [1, 2])
def test_results_are_those_of_playing_on_by_hand(plies: int) -> None:
    weights = random_weights((8,))
    network, source = to_network(weights), Evaluator(256, "cpu", 3, auto_reset=True)
    rng = np.random.default_rng(2)
    for _ in range(56):
        moves = source.batch.moves()
        source.batch.step(moves.codes[moves.sample(rng.random(256))])
    rows, offsets = source.batch.afterstate_features(), source.batch.moves().offsets
    config = PairedRolloutsConfig(positions=256, moves=8, plies=plies)
    paired = PairedRollouts(config, "cpu", 1).run(source, weights)
    checked, ended = 0, 0
    for features, results, valid in zip(*map(np.asarray, paired), strict=True):
        (matches,) = np.nonzero((rows == features[0]).all(1))
        index = int(np.searchsorted(offsets, matches[0], "right")) - 1
        position = source.batch.position(index)
        logits = network(rows[offsets[index] : offsets[index + 1]])[:, WIN]
        ranks = np.argsort(-logits, kind="stable")
        listed = position.legal_moves()
        for rank, move in enumerate(listed[place] for place in ranks[:8]):
            close = logits[ranks[rank]] >= logits[ranks[0]] - MAX_GAP
            assert valid[rank] == (close and abs(logits[ranks[0]]) <= MAX_LOGIT)
            assert (features[rank] == rows[offsets[index] + ranks[rank]]).all()
            expected = rollout_by_hand(network, position, move, plies)
            if valid[rank] and expected is not None:
                assert results[rank] == pytest.approx(expected, abs=1e-4)
                checked += 1
                ended += expected in (0, 1)
    assert checked > 50
    assert ended > 10
