"""Configurations: new and old keys, errors, schedules, and the ones of the shipped networks."""

from pathlib import Path

import msgspec
import pytest

from jaipur.players.neural.network import NETWORKS
from jaipur.simulation import SimulationError
from jaipur.training import Config, read_config
from jaipur.training.config import (
    LearningConfig,
    PairedRolloutsConfig,
    SelfPlayConfig,
    interpolate,
    parse_config,
)

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "training"
OLD_FOLDER = ROOT / "tests" / "fixtures" / "training-0.1"


def test_keys_of_version_0_1_are_still_read() -> None:
    config = read_config(OLD_FOLDER / "config.toml")
    assert config == Config(
        rounds=3000,
        layers=(4, 4),
        quick=(2, 2),
        features=("own hand", "market", "own worth", "lead", "round"),
        seed=3,
        gate_every=40,
        gate_pairs=4,
        self_play=SelfPlayConfig(
            environments=32,
            steps=12,
            td_lambda=(0.9, 0.7),
            temperature=(0.06, 0.02),
            exploration=(0.5, 0.1),
        ),
        paired_rollouts=PairedRolloutsConfig(positions=8, moves=3, plies=1, weight=5.0),
        learning=LearningConfig(rate=(1e-3, 1e-4), batch=64, ema_decay=0.99, dormant_reset=3),
    )
    stored = msgspec.json.decode((OLD_FOLDER / "config.json").read_bytes())
    assert parse_config(stored) == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("layers = [8]", "rounds"),
        ("rounds = 5\nhurry = 1", "hurry"),
        ("rounds = 'many'", "int"),
        ("rounds 5", "is not a training configuration"),
        ("rounds = 0", "rounds"),
        ("rounds = 5\nlayers = []", "layers"),
        ("rounds = 5\n[learning]\nbatch = 0", "batch"),
        ("rounds = 5\n[self_play]\nexploration = [2.0, 0.0]", "exploration"),
    ],
)
def test_an_invalid_configuration_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(SimulationError, match=message):
        read_config(file)


def test_schedules_are_geometric_or_linear_if_one_end_is_zero() -> None:
    assert interpolate((0.1, 0.001), 0) == pytest.approx(0.1)
    assert interpolate((0.1, 0.001), 0.5) == pytest.approx(0.01)
    assert interpolate((0.1, 0.001), 2) == pytest.approx(0.001)
    assert interpolate((0.2, 0), 0.5) == pytest.approx(0.1)
    assert interpolate((0, 0.2), 0.5) == pytest.approx(0.1)
    assert interpolate((0, 0), 0.5) == 0


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_examples_are_valid_configurations(file: Path) -> None:
    assert read_config(file).rounds > 0


@pytest.mark.parametrize(("name", "trainings"), [("baseline", 1), ("maharaja", 6)])
def test_the_shipped_networks_were_trained_with_the_examples(name: str, trainings: int) -> None:
    origin = msgspec.json.decode((NETWORKS / f"{name}.json").read_bytes())
    for remaining in reversed(range(trainings)):
        config = read_config(EXAMPLES / f"{name}.toml")
        assert parse_config(origin["config"]) == config
        assert (config.start is None) == (remaining == 0)
        if config.start is not None:
            name, origin = Path(config.start).parent.name, origin["start"]
