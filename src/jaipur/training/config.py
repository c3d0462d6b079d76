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
"""The values at the start and at the end of the training. See `interpolate`."""


class LearningConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The section `[learning]`: settings of the optimiser and the loss."""

    rate: Schedule = (1e-3, 3e-5)
    """The learning rate of Adam."""
    batch: Count = 32768
    """The number of afterstates per minibatch."""
    ema_decay: Fraction = 0.9995
    """The decay of the exponential moving average of the weights.

    The average is the network that plays and is saved.
    """
    lead: Weight = 0.2
    """The weight of the final lead in the loss. The win probability has the weight 1."""
    hidden: Weight = 0.1
    """The weight of the opponent's hidden cards in the loss."""
    quick: Weight = 0.5
    """The weight of the quick head in the loss. The quick head imitates the win probability of the full head."""
    dormant_reset: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Units that were dormant for this many iterations are re-initialised. 0 turns this off."""


class SelfPlayConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The section `[self_play]`: how training data is generated."""

    environments: Count = 32768
    """The number of rounds played in parallel."""
    steps: Count = 32
    """The number of moves that each environment plays per iteration."""
    td_lambda: tuple[Fraction, Fraction] = (0.8, 0.8)
    """The λ of TD(λ). 1 uses only the final result, and 0 uses only the value of the next position."""
    temperature: Schedule = (0.04, 0.01)
    """The softmax temperature of exploring moves, in units of win probability."""
    exploration: tuple[Fraction, Fraction] = (1.0, 1.0)
    """The share of moves that explore. The other moves are greedy."""


class PairedRolloutsConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The section `[paired_rollouts]`.

    In each iteration, candidates of a position are played out with the same cards.
    """

    positions: Count = 4096
    """The number of positions per iteration."""
    moves: Annotated[int, msgspec.Meta(ge=2)] = 4
    """The number of candidates per position. The candidates are the moves with the highest win probability."""
    plies: Count = 2
    """The number of moves per rollout, including the candidate. The network evaluates the last position."""
    weight: Weight = 10.0
    """The weight of the differences between candidates in the loss."""


class Config(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The configuration of a training."""

    rounds: Count
    """The number of rounds of self-play in the whole training."""
    layers: Annotated[tuple[Count, ...], msgspec.Meta(min_length=1)] = (512, 256)
    """The number of units of the first layer, then of each hidden layer of the full head."""
    quick: tuple[Count, ...] = ()
    """How many units of the first layer the quick head reads, then the units of each of its hidden layers.

    If empty, there is no quick head.
    """
    features: tuple[str, ...] = ()
    """The features or blocks of features that the network reads. If empty, the network reads all features."""
    seed: int = 1
    gate_every: Count = 2_000_000
    """The number of rounds between two matches against the best network so far."""
    gate_pairs: Count = 2048
    """The number of pairs per match. A pair is the same deal played twice, the second time with swapped seats."""
    start: str | None = None
    """The initial network: the name of a network of the package, or a file.

    The initial network may have fewer units and another quick head than this configuration. It may also lack a layer
    that is as wide as the layer below it.
    """
    rival: str | None = None
    """A fixed network as the opponent, instead of self-play: the name of a network of the package, or a file."""
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
    """Convert decoded TOML or JSON. Raise `msgspec.ValidationError` if a key or a value is wrong."""
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
    """Return the value of a schedule at `progress` (0 to 1).

    The interpolation is geometric, except if the first or the last value is zero. Then it is linear.
    """
    (first, last), progress = schedule, min(1.0, progress)
    return (
        first * (last / first) ** progress if first and last else first + (last - first) * progress
    )
