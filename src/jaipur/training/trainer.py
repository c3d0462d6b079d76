"""A training in its folder: begun or gone on with, for so many minutes, and left so that it can be gone on with.

The folder has the training's config, its state, the network that plays best so far, a log and its curves.
"""

import json
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import jax
import msgspec
import numpy as np

from jaipur.notation.files import write_whole
from jaipur.players.neural.network import NETWORKS, Network, Weights, write_arrays
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.layout import LAYOUT_VERSION
from jaipur.training.config import Config, between
from jaipur.training.curves import draw_curves
from jaipur.training.dormant import Revival, grown
from jaipur.training.learner import Student, apart, begin, network_of, study, weights_of
from jaipur.training.match import Share, match
from jaipur.training.paired_rollouts import Trials
from jaipur.training.self_play import SelfPlay

GATE_SEED = 10**12
"""The deals of matches are none of those that were learnt from."""


class Progress(msgspec.Struct):
    """How far a training has come."""

    rounds: int = 0
    lessons: int = 0
    seconds: float = 0.0
    gated: int = 0
    """Rounds at the last match."""
    share: float = 0.5
    """What a network has to take to be kept: half of the rounds from the best so far, or more than it from a rival."""


class Training:
    """One training. `say` is told a line now and then."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        device: Literal["cpu", "gpu"],
        say: Callable[[str], None] = print,
    ) -> None:
        self._config, self._folder, self._device, self._say = config, folder, device, say
        self._best = folder / "best.npz"
        folder.mkdir(parents=True, exist_ok=True)
        self._student = begin(config)
        if config.start is not None:
            weights = _network(config.start)
            try:
                weights = grown(weights, config)
            except ValueError as wrong:
                raise SimulationError(
                    f"“{config.start}” has other layers than this training."
                ) from wrong
            self._student = self._student._replace(weights=weights, average=weights)
        if config.rival is not None and config.trying is not None:
            raise SimulationError("Moves are tried out against oneself, not against a rival.")
        self._rival = None if config.rival is None else _network(config.rival)
        self.progress = Progress()
        if (folder / "state.npz").exists():
            self._load()
        else:
            write_whole(folder / "config.json", _plain(config))
        seed = config.seed + self.progress.rounds * 1000
        self._play = SelfPlay(config.playing, device, seed, self._rival)
        self._trials = config.trying and Trials(config.trying, device, seed)
        self._chance = jax.random.key(seed)
        self._revival = Revival(config)

    def run(self, minutes: float) -> None:
        """Go on for so many minutes, or until all rounds are played; however it ends, what was learnt is kept.

        Whoever pulls the plug loses what came after the last match.
        """
        until = time.monotonic() + 60 * minutes
        try:
            while time.monotonic() < until and self.progress.rounds < self._config.rounds:
                self._lesson()
                if self.progress.rounds >= self.progress.gated + self._config.gate_every:
                    self._gate()
                    self._keep()
            if self.progress.rounds > self.progress.gated or not self._best.exists():
                self._gate()
        finally:
            self._keep()

    def _lesson(self) -> None:
        config, progress, began = self._config, self.progress, time.monotonic()
        done = progress.rounds / config.rounds
        rate = between(config.learning.rate, done)
        lesson, rounds = self._play.lesson(self._student.weights, done)
        self._chance, chance = jax.random.split(self._chance)
        trial = self._trials and self._trials.at(self._play.lookout, self._student.average)
        if trial is not None and progress.lessons % 10 == 0:
            self._log({"apart": float(apart(self._student.average, trial))})
        self._student, wrong = study(self._student, lesson, chance, config, rate, trial)
        progress.rounds += rounds
        progress.lessons += 1
        self._student, silent = self._revival.after(lesson, self._student)
        if silent is not None:
            self._log({"silent units": silent})
        wrong = float(wrong)
        progress.seconds += time.monotonic() - began
        if progress.lessons % 10 == 0:
            self._log({"wrong": wrong, "rate": rate})

    def _gate(self) -> None:
        """The averaged weights against the best so far, or against the rival; whoever takes enough is kept."""
        progress = self.progress
        progress.gated = progress.rounds
        network, kept = network_of(self._student.average), not self._best.exists()
        if self._rival is not None or not kept:
            share = self._against(self._rival or _network(str(self._best)))
            kept |= share.share >= progress.share
            self._log({"share": share.share, "error": share.error, "kept": kept})
            if self._rival is not None:
                progress.share = max(progress.share, share.share)
        if kept:
            self._crown(network)

    def _crown(self, network: Network) -> None:
        """Keep a network as the best, and beside it how it came to be."""
        file, progress = self._best, self.progress
        network.save(file)
        origin: dict[str, Any] = {
            "config": msgspec.to_builtins(self._config),
            "rounds": progress.rounds,
            "lessons": progress.lessons,
            "minutes": round(progress.seconds / 60, 1),
            "device": self._device,
            "layout": LAYOUT_VERSION,
            "sha256": sha256(file.read_bytes()).hexdigest(),
        }
        if self._config.start is not None:
            beside = _file(self._config.start).with_suffix(".json")
            origin["start"] = json.loads(beside.read_text("utf-8")) if beside.exists() else None
        write_whole(file.with_suffix(".json"), json.dumps(origin, indent=2) + "\n")

    def _against(self, other: Weights) -> Share:
        pairs = self._config.gate_pairs
        return match(self._student.average, other, pairs, self._device, GATE_SEED)

    def _log(self, noted: dict[str, float]) -> None:
        progress = self.progress
        line = {"rounds": progress.rounds, "seconds": round(progress.seconds, 1), **noted}
        with (self._folder / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        self._say(", ".join(f"{name} {number:,.5g}" for name, number in line.items()))

    def _keep(self) -> None:
        arrays = {str(n): np.asarray(leaf) for n, leaf in enumerate(jax.tree.leaves(self._student))}
        arrays["progress"] = np.array(msgspec.json.encode(self.progress))
        write_arrays(self._folder / "state.npz", arrays)
        log = self._folder / "log.jsonl"
        if log.exists():
            lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
            write_whole(self._folder / "curves.svg", draw_curves(lines))

    def _load(self) -> None:
        kept = (self._folder / "config.json").read_bytes()
        if msgspec.json.decode(kept, type=Config) != self._config:
            raise SimulationError(f"“{self._folder}” holds another training; choose a new folder.")
        with np.load(self._folder / "state.npz", allow_pickle=False) as state:
            self.progress = msgspec.json.decode(state["progress"].item(), type=Progress)
            shape: Any = jax.tree.structure(self._student)
            leaves = [jax.numpy.asarray(state[str(n)]) for n in range(shape.num_leaves)]
        self._student = Student(*jax.tree.unflatten(shape, leaves))


def _file(name: str) -> Path:
    """A network of the package by its name, or a file."""
    return Path(name) if Path(name).suffix else NETWORKS / f"{name}.npz"


def _network(name: str) -> Weights:
    try:
        return weights_of(Network.load(_file(name)))
    except ValueError as wrong:
        raise SimulationError(str(wrong)) from wrong


def _plain(config: Config) -> str:
    return msgspec.json.format(msgspec.json.encode(config)).decode() + "\n"
