"""What a training is to do, as its file says it."""

from pathlib import Path
from typing import Annotated

import msgspec

from jaipur.simulation.errors import SimulationError

Count = Annotated[int, msgspec.Meta(ge=1)]
Weight = Annotated[float, msgspec.Meta(ge=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Ends = tuple[Weight, Weight]
"""The first number and the last, and the first turns into the last as the rounds go by."""


class Learning(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How the network learns from what was played."""

    rate: Ends = (1e-3, 3e-5)
    batch: Count = 32768
    average: Share = 0.9995
    """What is kept of the averaged weights at every update; they are the ones that play in the end."""
    lead: Weight = 0.2
    """How much the lead's error counts beside that of the chance to win."""
    hidden: Weight = 0.1
    quick: Weight = 0.5
    """How much it counts where the quick head says another chance to win than the full one."""
    revive: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Lessons in which a unit says nothing before it begins anew; without a number it stays silent."""


class Playing(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How the lanes play against themselves."""

    lanes: Count = 32768
    steps: Count = 32
    """Moves of every lane between two lessons."""
    trace: tuple[Share, Share] = (0.8, 0.8)
    """Lambda: how far a value leans on what happened later rather than on the next value."""
    temperature: Ends = (0.04, 0.01)
    """How curious: chances to win that differ by less than this are often taken for one another."""
    curious: tuple[Share, Share] = (1.0, 1.0)
    """The share of moves that are chosen so; the others are the best."""


class Trying(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How moves of one position are tried side by side after every lesson."""

    positions: Count = 4096
    moves: Annotated[int, msgspec.Meta(ge=2)] = 4
    """The likeliest so many, in every position."""
    plies: Count = 2
    """Moves after the one that is tried; of the last the network says what it is worth."""
    weight: Weight = 10.0
    """How much it counts where moves differ otherwise than the network says."""


class Config(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A training."""

    rounds: Count
    """How many rounds of self-play the whole training has."""
    layers: Annotated[tuple[Count, ...], msgspec.Meta(min_length=1)] = (512, 256)
    """Units of the first layer and of the full head's."""
    quick: tuple[Count, ...] = ()
    """How many units of the first layer the quick head reads, and units of its layers; without them there is none."""
    sees: tuple[str, ...] = ()
    """Features, or blocks of them, that the network may see; without any it sees all."""
    seed: int = 1
    gate_every: Count = 2_000_000
    """Rounds between two matches against the best so far."""
    gate_pairs: Count = 2048
    start: str | None = None
    """A network to begin with: one of the package by its name, or a file. It may have fewer units in its layers, lack
    layers as wide as the one below, and have a quick head of another shape."""
    rival: str | None = None
    """A network that stays as it is and is to be beaten. Without one the network learns against itself."""
    playing: Playing = Playing()
    learning: Learning = Learning()
    trying: Trying | None = None
    """Without it the network learns from what is played alone."""


def read_config(file: Path) -> Config:
    """The training that a TOML file asks for."""
    try:
        return msgspec.toml.decode(file.read_bytes(), type=Config)
    except (OSError, UnicodeDecodeError, msgspec.DecodeError, msgspec.ValidationError) as wrong:
        raise SimulationError(f"“{file}” is no training: {wrong}") from wrong


def between(ends: Ends, done: float) -> float:
    """From the first number to the last: geometrically, and evenly where one of them is nothing."""
    (first, last), done = ends, min(1.0, done)
    return first * (last / first) ** done if first and last else first + (last - first) * done
