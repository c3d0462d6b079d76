"""A `Table` in this process, with its setup and its computer players.

The events of this table are the setup, the deals, the moves and the stopped rounds. A record contains exactly these
events, so a save is a record. `record` writes the record, and `restore` applies its events to a new table.
"""

import time
from collections.abc import Iterable
from random import Random, SystemRandom
from typing import Annotated, Literal, Self

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import force_setattr

from jaipur.notation import Record, convert, record_of, write_record
from jaipur.players import LEVELS, Budget, Player, player_named
from jaipur.rules import Game, Herds, Move, Seat, WrongDeal, WrongRecord
from jaipur.rules.input_errors import printable
from jaipur.table.events import AnyEvent, Chair, Dealt, LogEntry, Opened
from jaipur.table.options import TableOptions
from jaipur.table.table import Table
from jaipur.words import Words

PERSON = "person"
MAX_MILLISECONDS = 10**7
_MAX_NAME = 16


class GameSetup(Struct, frozen=True):
    """The setup of a game. The record stores it in the field “play”.

    `seats` contains a level or `PERSON` for each seat. Only people have names.
    """

    seats: tuple[str, str]
    names: tuple[str, str] = ("", "")
    seed: str | None = None
    milliseconds: Annotated[int, Meta(ge=1, le=MAX_MILLISECONDS)] | None = None
    """The time budget of a computer player for one move."""
    first: Literal[0, 1] | None = None
    """The seat that starts the first round. None means a random seat."""

    def __post_init__(self) -> None:
        unknown = set(self.seats) - {PERSON, *(level.name for level in LEVELS)}
        if unknown:
            raise ValueError(f"There is no player “{printable(unknown.pop())}”")
        if PERSON not in self.seats:
            raise ValueError("No seat belongs to a person")
        (self.seed or "").encode()  # fails for a lone surrogate, which cannot seed a generator
        force_setattr(self, "names", tuple(map(tidy_name, self.names)))

    @property
    def people(self) -> list[Seat]:
        return [seat for seat in (0, 1) if self.seats[seat] == PERSON]

    @property
    def shared(self) -> bool:
        """Whether two people take turns at one keyboard."""
        return len(self.people) == 2

    @property
    def computers(self) -> dict[Seat, str]:
        return {seat: level for seat, level in enumerate(self.seats) if level != PERSON}

    def chair(self, seat: Seat) -> Chair:
        level = self.seats[seat]
        return Chair("person", self.names[seat]) if level == PERSON else Chair("computer", level)

    def display_name(self, words: Words, seat: Seat) -> str:
        if self.seats[seat] != PERSON:
            return words.say(f"level.name.{self.seats[seat]}")
        key = f"label.traders.{seat}" if self.shared else "label.you"
        return self.names[seat] or words.say(key)

    def deal_rng(self, game: Game) -> Random:
        """Return the random number generator for the next deal. With a seed, a resumed game gets the same deals."""
        if self.seed is None:
            return SystemRandom()
        return Random(f"{self.seed} deal {len(game.rounds) + 1}")

    def move_rng(self, game: Game) -> Random:
        """Return the random number generator for a computer player's next move."""
        if self.seed is None:
            # SystemRandom only gives the seed. It is too slow for searches, which draw many numbers.
            return Random(SystemRandom().getrandbits(128))
        return Random(f"{self.seed} move {len(game.rounds)} {len(game.rounds[-1].moves)}")


def tidy_name(name: str) -> str:
    """Change a name so that it is safe to print and fits on the screen."""
    return printable(" ".join(name.split()))[:_MAX_NAME]


class LocalGame:
    """One game. Use `table` to read its state, and the methods of this class to change it."""

    def __init__(self, setup: GameSetup, herds: Herds = "open") -> None:
        self.setup = setup
        self.table = Table("terminal")
        chairs = setup.chair(0), setup.chair(1)
        self._apply([Opened(chairs, TableOptions(herds=herds))])
        self._players: dict[Seat, Player] = {}

    @classmethod
    def restore(cls, record: Record) -> Self:
        """Replay a record. Raise `NotationError` or `WrongRecord` if it is not a correct terminal game."""
        Game.from_record(record)
        game = cls(convert(record.extra.get("play"), GameSetup), record.herds)
        for played in record.rounds:
            try:
                game._apply([Dealt.of(played.deal, salt="")])
            except WrongDeal as error:  # after an abandoned round, which tables do not have
                raise WrongRecord(str(error)) from None
            for move in played.moves:
                game._play(move)
            if played.result is not None and played.result.ended == "exchanges":
                game._apply(game.table.stop_round())
        return game

    def record(self) -> str:
        """Return the record of the game so far, as one line of JSON."""
        names, seats = self.setup.names, self.setup.seats
        players = names[0] or seats[0], names[1] or seats[1]
        extra = {"play": to_builtins(self.setup)}
        return write_record(record_of(self.table.game, players, extra))

    def deal(self) -> None:
        self._apply(self.table.deal(self.setup.deal_rng(self.table.game), self.setup.first))

    def play(self, move: Move) -> None:
        """Play a move for the seat to move. Raise `Refused` if the move is illegal."""
        self._play(move)
        self._apply(self.table.stop_round())

    def _play(self, move: Move) -> None:
        table = self.table
        assert table.turn is not None
        self._apply(table.play(table.turn, move, table.version))

    def play_computer(self, seat: Seat) -> None:
        game, setup = self.table.game, self.setup
        if seat not in self._players:  # load the player only now, because this can take some time
            self._players[seat] = player_named(setup.seats[seat])
        budget = Budget(seconds=setup.milliseconds and setup.milliseconds / 1000)
        rng = setup.move_rng(game)
        self.play(self._players[seat].choose(game.view(seat), game.legal_moves(), rng, budget))

    def close(self) -> None:
        for player in self._players.values():
            player.close()

    def _apply(self, events: Iterable[AnyEvent]) -> None:
        for event in events:
            now = time.time_ns() // 1_000_000
            self.table.apply(LogEntry(self.table.version + 1, now, event))
