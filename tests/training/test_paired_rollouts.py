"""Moves that are tried side by side: what is said of them, and that it is learnt."""

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
from jaipur.training.config import Trying
from jaipur.training.evaluator import Lookout
from jaipur.training.learner import apart, begin, network_of, study
from jaipur.training.paired_rollouts import NEAR, OPEN, Trials
from jaipur.training.self_play import SelfPlay
from training.tiny import TINY, shaken


def test_studying_a_trial_lowers_what_it_says_otherwise() -> None:
    trying = Trying(positions=12, moves=3, weight=100)
    config = msgspec.structs.replace(TINY, trying=trying)
    student = begin(config)._replace(weights=shaken((16, 8)))
    playing = SelfPlay(config.playing, "cpu", 1)
    lesson, _ = playing.lesson(student.weights, done=0.0)
    trial = Trials(trying, "cpu", 1).at(playing.lookout, student.weights)
    trial = trial._replace(win=trial.win + jnp.array([0.3, 0.0, -0.3]))
    before = float(apart(student.weights, trial))
    for number in range(10):
        student, _ = study(student, lesson, jax.random.key(number), config, 1e-2, trial)
    assert float(apart(student.weights, trial)) < before / 2


def played_on(network: Network, position: Position, move: Move, plies: int) -> float | None:
    """What a trial has to say of a move, or None where somebody asks the deck or a bonus pile."""
    after, best = position.copy(), 0.0
    for _ in range(plies):
        if after.ended == RUNNING:
            if move.taken or size(move.given) > 2:
                return None
            after.play(move)
        if moves := after.legal_moves():
            rows = afterstate_features(after.view(after.turn), [each.code for each in moves])
            logits = network(rows)[:, WIN]
            move, best = moves[int(logits.argmax())], 1 / (1 + float(np.exp(-logits.max())))
    if after.ended != RUNNING:
        winner = round_winner(after)
        return 0.5 if winner == NOBODY else float(winner == position.turn)
    return best if after.turn == position.turn else 1 - best


@pytest.mark.parametrize("plies", [1, 2])
def test_moves_that_are_tried_are_worth_what_they_lead_to(plies: int) -> None:
    weights = shaken((8,))
    network, lookout = network_of(weights), Lookout(256, "cpu", 3, auto_reset=True)
    draws = np.random.default_rng(2)
    for _ in range(56):
        moves = lookout.batch.moves()
        lookout.batch.step(moves.codes[moves.sample(draws.random(256))])
    rows, offsets = lookout.batch.afterstate_features(), lookout.batch.moves().offsets
    trial = Trials(Trying(positions=256, moves=8, plies=plies), "cpu", 1).at(lookout, weights)
    checked, ended = 0, 0
    for knows, said, tried in zip(*map(np.asarray, trial), strict=True):
        (places,) = np.nonzero((rows == knows[0]).all(1))
        lane = int(np.searchsorted(offsets, places[0], "right")) - 1
        position = lookout.batch.position(lane)
        logits = network(rows[offsets[lane] : offsets[lane + 1]])[:, WIN]
        ranks = np.argsort(-logits, kind="stable")
        for rank, move in enumerate(position.legal_moves()[place] for place in ranks[:8]):
            near = logits[ranks[rank]] >= logits[ranks[0]] - NEAR
            assert tried[rank] == (near and abs(logits[ranks[0]]) <= OPEN)
            assert (knows[rank] == rows[offsets[lane] + ranks[rank]]).all()
            worth = played_on(network, position, move, plies)
            if tried[rank] and worth is not None:
                assert said[rank] == pytest.approx(worth, abs=1e-4)
                checked += 1
                ended += worth in (0, 1)
    assert checked > 50
    assert ended > 10
