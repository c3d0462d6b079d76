"""Who sits where and how the game was set up: what a record must carry, under “play”, so that the game can go on."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Annotated, Literal

from msgspec import Meta, Struct

from jaipur.notation import convert
from jaipur.players.registry import LEVELS
from jaipur.rules import Deal, Game, NotationError, Seat
from jaipur.rules.input_errors import printable
from jaipur.words import Words

PERSON = "person"
LONGEST_THOUGHT = 10**7
"""The most milliseconds a computer player may be given for a move."""
_LONGEST_NAME = 16


@dataclass(frozen=True, slots=True)
class Seating:
    """Both seats: a computer player's name or `PERSON`, and what a person wants to be called."""

    seats: tuple[str, str]
    names: tuple[str, str] = ("", "")
    seed: str | None = None
    milliseconds: int | None = None
    first: Seat | None = None
    """Who starts round one, where it is not drawn."""

    @property
    def people(self) -> list[Seat]:
        return [seat for seat in (0, 1) if self.seats[seat] == PERSON]

    def called(self, words: Words) -> tuple[str, str]:
        """What to call the traders in a language."""
        return self._called(words, 0), self._called(words, 1)

    def _called(self, words: Words, seat: Seat) -> str:
        if self.seats[seat] != PERSON:
            return words.say(f"level.name.{self.seats[seat]}")
        alone = len(self.people) == 1
        return self.names[seat] or words.say("label.you" if alone else f"label.traders.{seat}")

    def players(self) -> tuple[str, str]:
        """Their names in a record."""
        first, second = (name or seat for name, seat in zip(self.names, self.seats, strict=True))
        return first, second

    def deal(self, game: Game) -> Deal:
        """The next deal: from the seed where there is one, so that a resumed game goes on as it would have."""
        starts = game.next_starter() if game.rounds else self.first
        if self.seed is None:
            return Deal.shuffled(SystemRandom(), starts)
        return Deal.shuffled(Random(f"{self.seed} deal {len(game.rounds) + 1}"), starts)

    def chance(self, game: Game) -> Random:
        """Random numbers for a computer player's next move."""
        if self.seed is None:
            # A search asks for very many numbers; the system's own are too slow for it.
            return Random(SystemRandom().getrandbits(128))
        return Random(f"{self.seed} move {len(game.rounds)} {len(game.rounds[-1].moves)}")

    def as_data(self) -> dict[str, object]:
        return {
            "seats": list(self.seats),
            "names": list(self.names),
            "seed": self.seed,
            "milliseconds": self.milliseconds,
            "first": self.first,
        }


class SeatingData(Struct, frozen=True):
    """A seating as JSON."""

    seats: tuple[str, str]
    names: tuple[str, str]
    seed: str | None
    milliseconds: Annotated[int, Meta(ge=1, le=LONGEST_THOUGHT)] | None
    first: Literal[0, 1] | None


def seating_from(data: Mapping[str, object]) -> Seating:
    """The seating that a record carries; `NotationError` if it has none or one that is not possible here."""
    play = convert(data.get("play"), SeatingData)
    known = (PERSON, *(level.name for level in LEVELS))
    for seat in play.seats:
        if seat not in known:
            raise NotationError("Nobody of this name plays here", seat)
    if PERSON not in play.seats:
        raise NotationError("No person sits at this table")
    if play.seed is not None and not is_text(play.seed):
        raise NotationError("“seed” is not Unicode text")
    names = tidy_name(play.names[0]), tidy_name(play.names[1])
    return Seating(play.seats, names, play.seed, play.milliseconds, play.first)


def is_text(seed: str) -> bool:
    """Whether every letter is a whole one: of half a surrogate pair no random numbers can be made."""
    try:
        seed.encode()
    except UnicodeEncodeError:
        return False
    return True


def tidy_name(name: str) -> str:
    """A name that fits on the table and upsets no terminal."""
    return printable(" ".join(name.split()))[:_LONGEST_NAME]
