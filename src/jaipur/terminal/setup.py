"""The setup of a terminal game: players, seed, time per move. Its record stores it as “play”, for resuming."""

from random import Random, SystemRandom
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from jaipur.players.registry import LEVELS
from jaipur.rules import Game, Seat
from jaipur.rules.input_errors import printable
from jaipur.table.events import Chair
from jaipur.words import Words

PERSON = "person"
MAX_MILLISECONDS = 10**7
_MAX_NAME = 16


class GameSetup(Struct, frozen=True):
    """Each seat is a level or `PERSON`; only people have names."""

    seats: tuple[str, str]
    names: tuple[str, str] = ("", "")
    seed: str | None = None
    milliseconds: Annotated[int, Meta(ge=1, le=MAX_MILLISECONDS)] | None = None
    """The time a computer player may take for a move."""
    first: Literal[0, 1] | None = None
    """The seat that starts round one; None draws it."""

    def __post_init__(self) -> None:
        unknown = set(self.seats) - {PERSON, *(level.name for level in LEVELS)}
        if unknown:
            raise ValueError(f"There is no player “{printable(unknown.pop())}”")
        if PERSON not in self.seats:
            raise ValueError("No seat belongs to a person")
        (self.seed or "").encode()  # a lone surrogate cannot seed a generator
        force_setattr(self, "names", tuple(map(tidy_name, self.names)))

    @property
    def people(self) -> list[Seat]:
        return [seat for seat in (0, 1) if self.seats[seat] == PERSON]

    @property
    def shared(self) -> bool:
        """Two people take turns at one keyboard."""
        return len(self.people) == 2

    @property
    def computers(self) -> dict[Seat, str]:
        return {seat: level for seat, level in enumerate(self.seats) if level != PERSON}

    def chairs(self) -> tuple[Chair, Chair]:
        first, second = (
            Chair("person", name) if level == PERSON else Chair("computer", level)
            for level, name in zip(self.seats, self.names, strict=True)
        )
        return first, second

    def record_names(self) -> tuple[str, str]:
        return self.names[0] or self.seats[0], self.names[1] or self.seats[1]

    def display_names(self, words: Words) -> tuple[str, str]:
        return self._display_name(words, 0), self._display_name(words, 1)

    def _display_name(self, words: Words, seat: Seat) -> str:
        if self.seats[seat] != PERSON:
            return words.say(f"level.name.{self.seats[seat]}")
        key = f"label.traders.{seat}" if self.shared else "label.you"
        return self.names[seat] or words.say(key)

    def deal_rng(self, game: Game) -> Random:
        """The generator of the next deal. With a seed, a resumed game gets the same deals."""
        if self.seed is None:
            return SystemRandom()
        return Random(f"{self.seed} deal {len(game.rounds) + 1}")

    def move_rng(self, game: Game) -> Random:
        """The generator of a computer player's next move."""
        if self.seed is None:
            # Searches draw many numbers, and SystemRandom is slow.
            return Random(SystemRandom().getrandbits(128))
        return Random(f"{self.seed} move {len(game.rounds)} {len(game.rounds[-1].moves)}")


def tidy_name(name: str) -> str:
    """A name that is safe to print and fits on the table."""
    return printable(" ".join(name.split()))[:_MAX_NAME]
