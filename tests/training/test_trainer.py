"""The trainer: resuming, checkpoints, rivals, the command, and folders of version 0.1."""

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from jaipur.cli import main
from jaipur.players.neural.network import Network
from jaipur.simulation import SimulationError
from jaipur.training import Config, Trainer, read_config
from jaipur.training.config import PairedRolloutsConfig
from jaipur.training.curves import draw_curves
from jaipur.training.model import to_network
from training.tiny import TINY, random_weights

OLD_FOLDER = Path(__file__).parents[1] / "fixtures" / "training-0.1"


def test_a_training_resumes_where_it_stopped(tmp_path: Path) -> None:
    lines: list[str] = []
    rollouts = PairedRolloutsConfig(positions=4, moves=2, plies=1)
    config = msgspec.structs.replace(TINY, paired_rollouts=rollouts)
    first = Trainer(config, tmp_path, "cpu", lines.append)
    first.run(minutes=0.02)
    assert first.progress.iterations > 0
    second = Trainer(config, tmp_path, "cpu", lines.append)
    assert second.progress == first.progress
    second.run(minutes=5)
    assert second.progress.rounds >= TINY.rounds
    assert second.progress.iterations > first.progress.iterations
    assert Network.load(tmp_path / "best.npz").weights.first[0].shape[1] == 16
    assert "<polyline" in (tmp_path / "curves.svg").read_text("utf-8")
    for metric in ("share", "dormant_units", "paired_loss", "win_loss"):
        assert any(metric in line for line in lines)
    with pytest.raises(SimulationError, match="holds another training"):
        Trainer(Config(rounds=500), tmp_path, "cpu", lines.append)


def test_a_folder_of_version_0_1_resumes(tmp_path: Path) -> None:
    """The folder was made by the version before optax; Adam's moments and step count continue."""
    folder = tmp_path / "old"
    shutil.copytree(OLD_FOLDER, folder)
    config = read_config(folder / "config.toml")
    trainer = Trainer(config, folder, "cpu", lambda _: None)
    assert trainer.progress.rounds == 347
    iterations = trainer.progress.iterations
    adam = trainer._state.optimizer
    assert int(adam.count) == iterations * 6  # 32 environments × 12 steps in batches of 64
    assert adam.mu.first[0].any()
    assert (adam.nu.first[0] >= 0).all()
    trainer.run(minutes=0.001)
    assert trainer.progress.iterations > iterations
    assert trainer.progress.rounds >= 347
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    assert any("wrong" in line for line in lines)
    assert "<polyline" in (folder / "curves.svg").read_text("utf-8")
    again = Trainer(config, folder, "cpu", lambda _: None)
    assert again.progress == trainer.progress


def test_a_checkpoint_is_saved_at_every_match(tmp_path: Path) -> None:
    saved: list[bool] = []

    def report(line: str) -> None:
        if "share" in line:
            saved.append((tmp_path / "state.npz").exists())

    Trainer(TINY, tmp_path, "cpu", report).run(minutes=5)
    # The first match has no opponent and no line, but it saves a checkpoint.
    assert saved
    assert all(saved)


def test_training_against_a_rival_saves_the_network_with_the_highest_score(tmp_path: Path) -> None:
    to_network(random_weights((16, 8))).save(tmp_path / "rival.npz")
    rival = str(tmp_path / "rival.npz")
    config = msgspec.structs.replace(TINY, start=rival, rival=rival, rounds=120)
    lines: list[str] = []
    trainer = Trainer(config, tmp_path / "out", "cpu", lines.append)
    trainer.run(minutes=5)
    shares = [float(line.split("share ")[1].split(",")[0]) for line in lines if "share" in line]
    assert trainer.progress.share == pytest.approx(max(0.5, *shares))


def test_an_initial_network_may_grow_but_not_shrink(tmp_path: Path) -> None:
    to_network(random_weights((16, 8))).save(tmp_path / "start.npz")
    config = msgspec.structs.replace(TINY, start=str(tmp_path / "start.npz"))
    Trainer(msgspec.structs.replace(config, quick=(8, 4)), tmp_path / "quick", "cpu")
    Trainer(msgspec.structs.replace(config, layers=(24, 8)), tmp_path / "wider", "cpu")
    for layers in ((16,), (8, 8)):
        with pytest.raises(SimulationError, match="do not fit"):
            Trainer(msgspec.structs.replace(config, layers=layers), tmp_path / "smaller", "cpu")


def test_impossible_configurations_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="nobody"):
        Trainer(msgspec.structs.replace(TINY, rival="nobody"), tmp_path, "cpu")
    both = msgspec.structs.replace(TINY, rival="x", paired_rollouts=PairedRolloutsConfig())
    with pytest.raises(SimulationError, match="not for training with a rival"):
        Trainer(both, tmp_path, "cpu")


def test_curves_are_drawn_for_short_logs() -> None:
    assert "<polyline" in draw_curves([{"rounds": 0, "win_loss": 0.7}])
    assert "<svg" in draw_curves([])


def test_the_command_trains_and_resumes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config, out = tmp_path / "config.toml", tmp_path / "out"
    config.write_text(
        "rounds = 9\nlayers = [4]\ngate_pairs = 2\n"
        "[self_play]\nenvironments = 8\n[learning]\nbatch = 32"
    )
    train = ["train", "--config", str(config), "--out", str(out), "--minutes"]
    assert main([*train, "3"]) == 0
    assert "rounds in" in capfd.readouterr().out
    config.write_text("rounds = 10")
    assert main([*train, "1"]) == 2
    assert "holds another training" in capfd.readouterr().err
    assert main(["train", "--config", "nothing.toml", "--out", str(out), "--minutes", "1"]) == 2
    with pytest.raises(SystemExit):
        main([*train, "0"])
