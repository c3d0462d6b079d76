"""Helpers for tests of a table: an event log in memory, a known deal, and players that use the commands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import pytest
from msgspec import json

from jaipur.notation.fair import new_salt
from jaipur.players import NO_BUDGET, Player, player_named
from jaipur.rules import Deal
from jaipur.rules.cards import LETTERS, parse_cards
from jaipur.table.events import AnyEvent, Chair, Dealt, LogEntry, Opened
from jaipur.table.options import Millis, TableOptions
from jaipur.table.projection import Audience
from jaipur.table.refusals import Refused
from jaipur.table.state import digest
from jaipur.table.table import Table
from tables import dealt

ID = "0123456789abcdef"
NOON: Millis = 1_700_000_000_000
SECRETS = ("the secret of the first player", "the secret of the second player")
INVITATION = "the invitation for the second player"
AUDIENCES: tuple[Audience, ...] = (0, 1, None)


def person(name: str, secret: str) -> Chair:
    return Chair("person", name, digest(secret))


PEOPLE = (person("Asha", SECRETS[0]), person("Ravi", SECRETS[1]))
ONE_SCREEN = (person("Asha", SECRETS[0]), person("Ravi", SECRETS[0]))
WITH_COMPUTER = (PEOPLE[0], Chair("computer", "greedy"))
WITH_FREE_SEAT = (PEOPLE[0], Chair("nobody", secret=digest(INVITATION)))

SALT = f"{1:064x}"
DEAL = dealt("DDGLM CCPPL SG", starts=0)
"""Seat 0 has D D G L and a camel, seat 1 C C P P L, the market is G S M M M, and the deck starts with diamonds."""


def deal_event(deal: Deal, salt: str = SALT) -> Dealt:
    letters = "".join(LETTERS[kind] for kind in deal.pack)
    return Dealt(deal.starts, letters, deal.bonus, salt)


def deal_of(event: Dealt) -> Deal:
    return Deal(parse_cards(event.deal), event.bonus, event.starts)


@dataclass
class LiveTable:
    """A table and its event log. The events of a command change the table when they are passed to `apply`."""

    table: Table = field(default_factory=lambda: Table(ID))
    entries: list[LogEntry] = field(default_factory=list)
    now: Millis = NOON
    rng: Random = field(default_factory=lambda: Random(0))

    def apply(self, events: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
        for event in events:
            entry = LogEntry(self.table.version + 1, self.now, event)
            self.table.apply(entry)
            self.entries.append(entry)
        return events

    def advance(self, after: Millis = 0) -> Sequence[AnyEvent]:
        """Let time pass, and apply the events that are due."""
        self.now += after
        return self.apply(self.table.advance(self.now, self.rng))

    def play(self, *moves: str, every: Millis = 0) -> None:
        """Play moves for the seat to move, at the current version. No new round is dealt."""
        for move in moves:
            self.now += every
            assert self.table.turn is not None
            self.apply(self.table.play(self.table.turn, move, self.table.version))

    def finish_round(self) -> None:
        """Play random moves to the end of the round; the next one is not dealt."""
        while self.table.turn is not None:
            self.play(str(self.rng.choice(self.table.game.legal_moves())))

    def play_moves(self, players: Sequence[Player], moves: int = 100_000) -> None:
        """Let players continue for a number of moves, or until the game is over."""
        for _ in range(moves):
            self.advance()
            seat = self.table.turn
            if seat is None:
                return
            game = self.table.game
            move = players[seat].choose(game.view(seat), game.legal_moves(), self.rng, NO_BUDGET)
            self.apply(self.table.play(seat, str(move), self.table.version))


def open_table(
    chairs: tuple[Chair, Chair] = PEOPLE,
    options: TableOptions | None = None,
    deal: Deal | None = DEAL,
    seed: int | str = 0,
) -> LiveTable:
    """An opened table. If both seats are taken, the deal is applied; None deals from salts, as the server does."""
    live = LiveTable(rng=Random(seed))
    salt = new_salt(live.rng) if deal is None else None
    live.apply([Opened(chairs, options or TableOptions(), salt=salt)])
    if live.table.seated and deal is not None:
        live.apply([deal_event(deal)])
    else:
        live.advance()
    return live


def finished_game(
    seed: int, players: str = "greedy random", options: TableOptions | None = None
) -> LiveTable:
    """A table after a whole game."""
    live = open_table(options=options, deal=None, seed=seed)
    live.play_moves([player_named(name) for name in players.split()])
    assert live.table.over is not None
    return live


def after_moves(
    seed: int, moves: int, options: TableOptions | None = None, players: str = "greedy random"
) -> LiveTable:
    """A table after a number of moves, or at the end of a shorter game."""
    live = open_table(options=options, deal=None, seed=seed)
    live.play_moves([player_named(name) for name in players.split()], moves)
    live.advance()
    return live


def encoded(entries: Sequence[LogEntry]) -> list[bytes]:
    return [json.encode(entry) for entry in entries]


def decoded(entries: Sequence[LogEntry]) -> list[LogEntry]:
    """The entries after encoding and decoding."""
    return [json.decode(line, type=LogEntry) for line in encoded(entries)]


def refusal(command: Callable[..., object], *arguments: str | int) -> Refused:
    """The refusal of a command."""
    with pytest.raises(Refused) as refused:
        command(*arguments)
    return refused.value
