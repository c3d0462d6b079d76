"""`Trainer`: runs a training in a folder, or continues it.

The files of the folder are `config.json`, the checkpoint `state.npz`, the best network `best.npz`, its description
`best.json`, the metrics `log.jsonl` and their plot `curves.svg`.
"""

import json
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import jax
import msgspec

from jaipur.notation.files import write_whole
from jaipur.players.neural.network import NETWORKS, Network, Weights
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.layout import LAYOUT_VERSION
from jaipur.training.checkpoint import Progress, load_checkpoint, save_checkpoint
from jaipur.training.config import Config, interpolate, parse_config
from jaipur.training.curves import draw_curves
from jaipur.training.dormant import DormantReset, grow
from jaipur.training.loss import paired_loss
from jaipur.training.match import play_match
from jaipur.training.model import from_network, to_network
from jaipur.training.paired_rollouts import PairedRollouts
from jaipur.training.self_play import SelfPlay
from jaipur.training.step import initial_state, train_epoch

GATE_SEED = 10**12
"""The seed of the matches that decide whether a network is the new best network.

Seeds of self-play are much smaller.
"""
LOG_EVERY = 10
"""The number of iterations between two lines of the log."""


class Trainer:
    """One training. It calls `report` with every line of the log as text."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        device: Literal["cpu", "gpu"],
        report: Callable[[str], None] = print,
    ) -> None:
        if config.rival is not None and config.paired_rollouts is not None:
            raise SimulationError(
                "Paired rollouts are for self-play, not for training with a rival."
            )
        self._config, self._folder, self._device, self._report = config, folder, device, report
        self._best = folder / "best.npz"
        self._checkpoint = folder / "state.npz"
        folder.mkdir(parents=True, exist_ok=True)
        self._state = initial_state(config, _initial_network(config))
        self._rival = None if config.rival is None else _load_network(config.rival)
        self.progress = Progress()
        if self._checkpoint.exists():
            self._check_same_config()
            self._state, self.progress = load_checkpoint(self._checkpoint, self._state)
        else:
            text = msgspec.json.format(msgspec.json.encode(config)).decode()
            write_whole(folder / "config.json", text + "\n")
        seed = config.seed + self.progress.rounds * 1000
        self._self_play = SelfPlay(config.self_play, device, seed, self._rival)
        rollouts = config.paired_rollouts
        self._paired_rollouts = rollouts and PairedRollouts(rollouts, device, seed)
        self._key = jax.random.key(seed)
        self._dormant_reset = DormantReset(config)

    def run(self, minutes: float) -> None:
        """Train until the time is up or all rounds are played. Save a checkpoint after every match and at the end."""
        deadline = time.monotonic() + 60 * minutes
        progress = self.progress
        try:
            while time.monotonic() < deadline and progress.rounds < self._config.rounds:
                self._iterate()
                if progress.rounds >= progress.gated + self._config.gate_every:
                    self._gate()
                    self._save()
            if progress.rounds > progress.gated or not self._best.exists():
                self._gate()
        finally:
            self._save()

    def _iterate(self) -> None:
        """Run one iteration: self-play, paired rollouts, one epoch of gradient steps, reset of dormant units."""
        config, progress, started = self._config, self.progress, time.monotonic()
        done = progress.rounds / config.rounds
        rate = interpolate(config.learning.rate, done)
        batch, rounds = self._self_play.generate(self._state.weights, done)
        self._key, key = jax.random.split(self._key)
        average = self._state.average
        paired = self._paired_rollouts and self._paired_rollouts.run(
            self._self_play.evaluator, average
        )
        if paired is not None and progress.iterations % LOG_EVERY == 0:
            self._log({"paired_loss": float(paired_loss(average, paired))})
        self._state, win_loss = train_epoch(self._state, batch, key, config, rate, paired)
        progress.rounds += rounds
        progress.iterations += 1
        self._state, dormant = self._dormant_reset.after(batch, self._state)
        if dormant is not None:
            self._log({"dormant_units": dormant})
        win_loss = float(win_loss)
        progress.seconds += time.monotonic() - started
        if progress.iterations % LOG_EVERY == 0:
            self._log({"win_loss": win_loss, "rate": rate})

    def _gate(self) -> None:
        """Play a match between the averaged network and the rival or the best network so far.

        If the averaged network wins enough rounds, save it as the best network.
        """
        progress, average = self.progress, self._state.average
        progress.gated = progress.rounds
        is_best = not self._best.exists()
        if self._rival is not None or not is_best:
            opponent = self._rival or _load_network(str(self._best))
            pairs = self._config.gate_pairs
            share, error = play_match(average, opponent, pairs, self._device, GATE_SEED)
            is_best |= share >= progress.share
            self._log({"share": share, "error": error, "is_best": is_best})
            if self._rival is not None:
                progress.share = max(progress.share, share)
        if is_best:
            self._save_best(to_network(average))

    def _save_best(self, network: Network) -> None:
        """Save the best network, and its description in a JSON file."""
        file, progress = self._best, self.progress
        network.save(file)
        origin: dict[str, Any] = {
            "config": msgspec.to_builtins(self._config),
            "rounds": progress.rounds,
            "iterations": progress.iterations,
            "minutes": round(progress.seconds / 60, 1),
            "device": self._device,
            "layout": LAYOUT_VERSION,
            "sha256": sha256(file.read_bytes()).hexdigest(),
        }
        if self._config.start is not None:
            parent = _network_file(self._config.start).with_suffix(".json")
            origin["start"] = json.loads(parent.read_text("utf-8")) if parent.exists() else None
        write_whole(file.with_suffix(".json"), json.dumps(origin, indent=2) + "\n")

    def _log(self, metrics: dict[str, float]) -> None:
        progress = self.progress
        line = {"rounds": progress.rounds, "seconds": round(progress.seconds, 1), **metrics}
        with (self._folder / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        self._report(", ".join(f"{name} {number:,.5g}" for name, number in line.items()))

    def _save(self) -> None:
        save_checkpoint(self._checkpoint, self._state, self.progress)
        log = self._folder / "log.jsonl"
        if log.exists():
            lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
            write_whole(self._folder / "curves.svg", draw_curves(lines))

    def _check_same_config(self) -> None:
        stored = msgspec.json.decode((self._folder / "config.json").read_bytes())
        if parse_config(stored) != self._config:
            raise SimulationError(f"“{self._folder}” holds another training; choose a new folder.")


def _network_file(name: str) -> Path:
    """Return the file of a network. `name` is the name of a network of the package, or a path."""
    return Path(name) if Path(name).suffix else NETWORKS / f"{name}.npz"


def _load_network(name: str) -> Weights:
    try:
        return from_network(Network.load(_network_file(name)))
    except ValueError as error:
        raise SimulationError(str(error)) from error


def _initial_network(config: Config) -> Weights | None:
    if config.start is None:
        return None
    weights = _load_network(config.start)
    try:
        return grow(weights, config)
    except ValueError as error:
        raise SimulationError(
            f"The layers of “{config.start}” do not fit into those of this training."
        ) from error
