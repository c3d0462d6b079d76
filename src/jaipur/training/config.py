"""The configuration of a training: a TOML file, or `config.json` in a training folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from jaipur.simulation.errors import SimulationError

Count = Annotated[int, msgspec.Meta(ge=1)]
Weight = Annotated[float, msgspec.Meta(ge=0)]
Fraction = Annotated[float, msgspec.Meta(ge=0, le=1)]
Schedule = tuple[Weight, Weight]
"""The value at the start and at the end of the training; see `interpolate`."""


class LearningConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`[learning]`: optimiser and loss."""

    rate: Schedule = (1e-3, 3e-5)
    """Learning rate of Adam."""
    batch: Count = 32768
    """Minibatch size."""
    ema_decay: Fraction = 0.9995
    """Decay of the exponential moving average of the weights, which is the network that is evaluated and saved."""
    lead: Weight = 0.2
    """Loss weight of the final lead in rupees, relative to the win probability."""
    hidden: Weight = 0.1
    """Loss weight of the opponent's hidden cards."""
    quick: Weight = 0.5
    """Loss weight of the quick head, which imitates the win probability of the full head."""
    dormant_reset: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Re-initialise units that were dormant for this many iterations; 0 turns this off."""


class SelfPlayConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`[self_play]`: data generation and exploration."""

    environments: Count = 32768
    """The number of rounds played in parallel."""
    steps: Count = 32
    """Moves per environment and iteration."""
    td_lambda: tuple[Fraction, Fraction] = (0.8, 0.8)
    """λ of TD(λ): 1 uses only the final result, 0 only the value of the next position."""
    temperature: Schedule = (0.04, 0.01)
    """The softmax temperature of exploring moves, in units of win probability."""
    exploration: tuple[Fraction, Fraction] = (1.0, 1.0)
    """The share of moves that explore; the others are greedy."""


class PairedRolloutsConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`[paired_rollouts]`: in each iteration, candidates of the same position are played out with the same cards."""

    positions: Count = 4096
    moves: Annotated[int, msgspec.Meta(ge=2)] = 4
    """Candidates per position: the moves with the highest win probability."""
    plies: Count = 2
    """Moves per rollout, including the candidate; the network evaluates the last position."""
    weight: Weight = 10.0
    """Loss weight of the differences between candidates."""


class Config(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The configuration of a training."""

    rounds: Count
    """Rounds of self-play in the whole training."""
    layers: Annotated[tuple[Count, ...], msgspec.Meta(min_length=1)] = (512, 256)
    """Units of the first layer, then of the hidden layers of the full head."""
    quick: tuple[Count, ...] = ()
    """Units of the first layer that the quick head reads, then its hidden layers; empty for no quick head."""
    features: tuple[str, ...] = ()
    """The features, or blocks of features, that the network reads; empty for all."""
    seed: int = 1
    gate_every: Count = 2_000_000
    """Rounds between two matches against the best network so far."""
    gate_pairs: Count = 2048
    """Pairs of rounds per match: each deal is played twice with swapped seats."""
    start: str | None = None
    """The initial network: the name of a network of the package, or a file. It may have fewer units and another quick
    head. A layer may be missing if it is as wide as the layer below."""
    rival: str | None = None
    """A fixed opponent to train against, instead of self-play."""
    self_play: SelfPlayConfig = SelfPlayConfig()
    learning: LearningConfig = LearningConfig()
    paired_rollouts: PairedRolloutsConfig | None = None
    """Without this section there are no paired rollouts."""


_OLD_KEYS = {
    "playing": "self_play",
    "trying": "paired_rollouts",
    "sees": "features",
    "lanes": "environments",
    "trace": "td_lambda",
    "curious": "exploration",
    "average": "ema_decay",
    "revive": "dormant_reset",
}
"""The keys of version 0.1. Configurations with these keys are still accepted."""


def parse_config(data: Mapping[str, Any]) -> Config:
    """Convert decoded TOML or JSON. Raises `msgspec.ValidationError` if a key or value is wrong."""
    return msgspec.convert(_with_new_keys(data), Config)


def _with_new_keys(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        _OLD_KEYS.get(key, key): _with_new_keys(value) if isinstance(value, dict) else value
        for key, value in data.items()
    }


def read_config(file: Path) -> Config:
    try:
        return parse_config(msgspec.toml.decode(file.read_bytes()))
    except (OSError, UnicodeDecodeError, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise SimulationError(f"“{file}” is not a training configuration: {error}") from error


def interpolate(schedule: Schedule, progress: float) -> float:
    """The value of a schedule at `progress` (0 to 1). Interpolation is geometric, or linear if one end is zero."""
    (first, last), progress = schedule, min(1.0, progress)
    return (
        first * (last / first) ** progress if first and last else first + (last - first) * progress
    )
