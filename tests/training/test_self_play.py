"""Self-play: the trajectory has the moves that were played, and the targets are TD(λ)."""

from itertools import pairwise
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaipur.players.neural.network import WIN
from jaipur.simulation import Batch
from jaipur.simulation.features import FEATURES, WIDTH
from jaipur.training import Config
from jaipur.training.config import SelfPlayConfig
from jaipur.training.model import initial_weights, to_network
from jaipur.training.self_play import SelfPlay, Trajectory, td_targets
from training.tiny import random_weights


def expected_targets(moves: list[dict[str, float]], reply: float, td_lambda: float) -> list[float]:
    """TD(λ) targets of one environment, computed with plain loops."""
    targets = []
    for move in reversed(moves):
        target = move["won"] if move["ended"] else 1 - reply
        targets.append(target)
        reply = move["win"]
        if move["greedy"]:
            reply = (1 - td_lambda) * move["win"] + td_lambda * target
    return targets[::-1]


def test_targets_are_td_lambda_with_exploring_replies_counted_as_greedy() -> None:
    rng, steps, environments = Random(1), 9, 5
    games = [
        [
            {
                "win": rng.random(),
                "greedy": rng.random() < 0.6,
                "ended": rng.random() < 0.2,
                "won": rng.choice((0, 0.5, 1)),
            }
            for _ in range(steps)
        ]
        for _ in range(environments)
    ]
    last = [rng.random() for _ in range(environments)]

    def column(name: str) -> jax.Array:
        return jnp.array([[game[step][name] for game in games] for step in range(steps)])

    zeros = jnp.zeros((steps, environments))
    trajectory = Trajectory(
        rows=jnp.zeros((steps, environments, WIDTH)),
        hidden=jnp.zeros((steps, environments, 6)),
        win=column("win"),
        lead=zeros,
        greedy=column("greedy"),
        own=zeros == 0,
        ended=column("ended"),
        won=column("won"),
        scored=zeros,
    )
    batch, rounds = td_targets(trajectory, jnp.array(last), jnp.zeros(environments), 0.8)
    expected = [expected_targets(game, reply, 0.8) for game, reply in zip(games, last, strict=True)]
    np.testing.assert_allclose(batch.win.reshape(steps, environments).T, expected, atol=1e-6)
    assert int(rounds) == sum(move["ended"] for game in games for move in game)


def test_a_rivals_move_is_part_of_the_environment() -> None:
    def column(*numbers: float) -> jax.Array:
        return jnp.array(numbers)[:, None]

    zeros = jnp.zeros((3, 1))
    trajectory = Trajectory(
        rows=jnp.zeros((3, 1, WIDTH)),
        hidden=jnp.zeros((3, 1, 6)),
        win=column(0.6, 0.9, 0.7),
        lead=zeros,
        greedy=column(1, 0, 1) > 0,
        own=column(1, 0, 1) > 0,
        ended=zeros > 0,
        won=zeros,
        scored=zeros,
    )
    batch, _ = td_targets(trajectory, jnp.array([0.8]), jnp.zeros(1), 0.5)
    # The rival's move passes the later value on unchanged; the learner's own value is mixed in with 1 - λ.
    assert batch.win.tolist() == pytest.approx([0.5 * 0.2 + 0.5 * 0.7, 0.55, 0.2])


def test_a_training_batch_has_the_features_of_the_moves_and_the_hidden_cards() -> None:
    config = SelfPlayConfig(environments=6, steps=5, exploration=(0, 0))
    data, _ = SelfPlay(config, "cpu", 3).generate(
        initial_weights(Config(1, (8,), seed=1)), progress=0.0
    )
    batch = Batch(6, seed=3)
    hidden_at = FEATURES.index("other's hand: goods not shown")
    for step in range(5):
        rows = batch.afterstate_features()
        # With a zero output layer all moves are equal, and the first one is played.
        first = batch.moves().offsets[:-1]
        assert (np.asarray(data.rows.reshape(5, 6, WIDTH)[step]) == rows[first]).all()
        hidden = np.asarray(data.hidden).reshape(5, 6, 6)[step].sum(1)
        assert hidden == pytest.approx(rows[first][:, hidden_at] * 7)
        batch.step(batch.moves().codes[first])


def test_against_a_rival_only_the_learners_moves_have_weight() -> None:
    config = SelfPlayConfig(environments=8, steps=12, exploration=(0, 0))
    play = SelfPlay(config, "cpu", 2, rival=random_weights((8,)))
    data, _ = play.generate(initial_weights(Config(1, (8,), seed=3)), progress=0.0)
    own = np.asarray(data.own).reshape(12, 8)
    assert 0.4 < own.mean() < 0.6
    assert (own[1:] != own[:-1]).mean() > 0.9
    # The learner plays the first of equal moves, the rival the best one by its network.
    batch = Batch(8, seed=2)
    rival = to_network(random_weights((8,)))
    for step in range(12):
        rows = batch.afterstate_features()
        chosen = []
        for index, (first, last) in enumerate(pairwise(batch.moves().offsets)):
            move = first if own[step, index] else first + rival(rows[first:last])[:, WIN].argmax()
            assert (np.asarray(data.rows).reshape(12, 8, WIDTH)[step, index] == rows[move]).all()
            chosen.append(batch.moves().codes[move])
        batch.step(chosen)
