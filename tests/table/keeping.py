"""What the tests of a table are written with: a journal in memory, a known deal, and players who play at the door."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import pytest
from msgspec import json

from jaipur.players import NO_BUDGET, Player, player_named
from jaipur.rules import LETTERS, Deal, parse_cards
from jaipur.table.events import AnyEvent, Chair, Dealt, LogEntry, Opened
from jaipur.table.options import Millis, TableOptions
from jaipur.table.projection import Audience
from jaipur.table.refusals import Refused
from jaipur.table.state import digest
from jaipur.table.table import Table
from tables import dealt

ID = "0123456789abcdef"
NOON: Millis = 1_700_000_000_000
SECRETS = ("a secret of the first trader", "a secret of the second trader")
INVITATION = "an invitation for the second trader"
AUDIENCES: tuple[Audience, ...] = (0, 1, None)


def person(name: str, secret: str) -> Chair:
    return Chair("person", name, digest(secret))


PEOPLE = (person("Asha", SECRETS[0]), person("Ravi", SECRETS[1]))
ONE_SCREEN = (person("Asha", SECRETS[0]), person("Ravi", SECRETS[0]))
AGAINST_A_COMPUTER = (PEOPLE[0], Chair("computer", "greedy"))
A_FREE_SEAT = (PEOPLE[0], Chair("nobody", secret=digest(INVITATION)))

SALT = f"{1:064x}"
DEAL = dealt("DDGLM CCPPL SG", starts=0)
"""Seat 0 holds D D G L and a camel, seat 1 C C P P L, the market is G S M M M, and diamonds are on top of the deck."""


def dealt_event(deal: Deal, salt: str = SALT) -> Dealt:
    letters = "".join(LETTERS[kind] for kind in deal.pack)
    return Dealt(deal.starts, letters, deal.bonus, salt)


def deal_in(event: Dealt) -> Deal:
    return Deal(parse_cards(event.deal), event.bonus, event.starts)


@dataclass
class Kept:
    """A table and its journal. What a door answers has not happened until it is handed to `happen`."""

    table: Table = field(default_factory=lambda: Table(ID))
    journal: list[LogEntry] = field(default_factory=list)
    now: Millis = NOON
    rng: Random = field(default_factory=lambda: Random(0))

    def happen(self, events: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
        for event in events:
            entry = LogEntry(self.table.version + 1, self.now, event)
            self.table.apply(entry)
            self.journal.append(entry)
        return events

    def advance(self, after: Millis = 0) -> Sequence[AnyEvent]:
        """Let some time pass, and what comes by itself happen."""
        self.now += after
        return self.happen(self.table.advance(self.now, self.rng))

    def play(self, *moves: str, each_after: Millis = 0) -> None:
        """These moves by whoever is to move, who has seen the table as it is; a round that ends is not dealt again."""
        for move in moves:
            self.now += each_after
            assert self.table.turn is not None
            self.happen(self.table.play(self.table.turn, move, self.table.version))

    def finish_round(self) -> None:
        """Random moves to the end of the round; the next one is not dealt yet."""
        while self.table.turn is not None:
            self.play(str(self.rng.choice(self.table.game.legal_moves())))

    def play_on(self, players: Sequence[Player], moves: int = 100_000) -> None:
        """Let players go on from what their seats are told, so many moves or until the game is over."""
        for _ in range(moves):
            self.advance()
            seat = self.table.turn
            if seat is None:
                return
            game = self.table.game
            move = players[seat].choose(game.view(seat), game.legal_moves(), self.rng, NO_BUDGET)
            self.happen(self.table.play(seat, str(move), self.table.version))


def kept_table(
    chairs: tuple[Chair, Chair] = PEOPLE,
    options: TableOptions | None = None,
    deal: Deal | None = DEAL,
    seed: int | str = 0,
) -> Kept:
    """A table set up, and dealt where both seats are taken; without a deal, chance deals."""
    kept = Kept(rng=Random(seed))
    kept.happen([Opened(chairs, options or TableOptions())])
    if kept.table.seated and deal is not None:
        kept.happen([dealt_event(deal)])
    else:
        kept.advance()
    return kept


def game_of(seed: int, players: str = "greedy random", options: TableOptions | None = None) -> Kept:
    """A table where players have played a whole game."""
    kept = kept_table(options=options, deal=None, seed=seed)
    kept.play_on([player_named(name) for name in players.split()])
    assert kept.table.over is not None
    return kept


def some_moves(
    seed: int, moves: int, options: TableOptions | None = None, players: str = "greedy random"
) -> Kept:
    """A table where players have made so many moves, if the game was that long."""
    kept = kept_table(options=options, deal=None, seed=seed)
    kept.play_on([player_named(name) for name in players.split()], moves)
    kept.advance()
    return kept


def written(journal: Sequence[LogEntry]) -> list[bytes]:
    return [json.encode(entry) for entry in journal]


def read_again(journal: Sequence[LogEntry]) -> list[LogEntry]:
    """A journal after it was kept and read."""
    return [json.decode(line, type=LogEntry) for line in written(journal)]


def refusal(door: Callable[..., object], *asked: str | int) -> Refused:
    """Why a door is closed."""
    with pytest.raises(Refused) as refused:
        door(*asked)
    return refused.value
