"""The players there are, from the weakest up, each with one honest line about how it plays."""

from collections.abc import Callable
from dataclasses import dataclass

from jaipur.players.player import Player
from jaipur.players.uniform import Uniform


@dataclass(frozen=True, slots=True)
class Level:
    """A player by name."""

    name: str
    line: str
    make: Callable[[], Player]


LEVELS = (Level("random", "Picks any legal move, each as likely as the others.", Uniform),)


class NoSuchPlayer(ValueError):  # noqa: N818  # said of a name
    """A name that stands for no player."""


def player_named(name: str) -> Player:
    """A new player of that name."""
    for level in LEVELS:
        if level.name == name:
            return level.make()
    names = ", ".join(level.name for level in LEVELS)
    raise NoSuchPlayer(f"There is no player “{name}”. The players are: {names}.")
