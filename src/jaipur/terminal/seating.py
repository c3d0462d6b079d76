"""Who sits where and how the game was set up: what a record must carry, under “play”, so that the game can go on."""

from dataclasses import dataclass
from random import Random, SystemRandom

from jaipur.notation import NotationError, printable
from jaipur.notation.fields import Data, field, optional, typed
from jaipur.players.registry import LEVELS
from jaipur.rules import Deal, Game, Seat
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


def seating_from(data: Data) -> Seating:
    """The seating that a record carries; `NotationError` where it carries none that makes sense here."""
    play = field(data, "play", dict)
    seats = _two(play, "seats")
    known = (PERSON, *(level.name for level in LEVELS))
    for seat in seats:
        if seat not in known:
            raise NotationError("Nobody of this name plays here", seat)
    if PERSON not in seats:
        raise NotationError("No person sits at this table")
    milliseconds, first = optional(play, "milliseconds", int), optional(play, "first", int)
    if milliseconds is not None and not 1 <= milliseconds <= LONGEST_THOUGHT:
        raise NotationError(f"“milliseconds” is a number from 1 to {LONGEST_THOUGHT}")
    if first not in (None, 0, 1):
        raise NotationError("“first” is a seat (0 or 1) or null")
    first_name, second_name = map(tidy_name, _two(play, "names"))
    return Seating(seats, (first_name, second_name), _seed(play), milliseconds, first)


def _seed(play: Data) -> str | None:
    seed = optional(play, "seed", str)
    if seed is not None and not is_text(seed):
        raise NotationError("“seed” has half a letter in it")
    return seed


def is_text(seed: str) -> bool:
    """Whether every letter is a whole one: of half a surrogate pair no random numbers can be made."""
    try:
        seed.encode()
    except UnicodeEncodeError:
        return False
    return True


def _two(data: Data, name: str) -> tuple[str, str]:
    texts = [typed(text, str, name) for text in field(data, name, list)]
    if len(texts) != 2:
        raise NotationError(f"“{name}” has {len(texts)} texts instead of two")
    return texts[0], texts[1]


def tidy_name(name: str) -> str:
    """A name that fits on the table and upsets no terminal."""
    return printable(" ".join(name.split()))[:_LONGEST_NAME]
