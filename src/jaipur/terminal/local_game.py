"""A `Table` in this process, with its setup and its computer players.

Its events are the setup, the deals and the moves. A record holds exactly these, so the record is the save format:
`record` writes it, and `restore` applies its events to a new table.
"""

import time
from collections.abc import Iterable
from typing import Self

from msgspec import to_builtins

from jaipur.notation import Record, convert, record_of, write_record
from jaipur.players import Budget, Player, player_named
from jaipur.rules import Game, Herds, Move, Seat, WrongDeal, WrongRecord
from jaipur.table.events import AnyEvent, Dealt, LogEntry, Opened
from jaipur.table.options import TableOptions
from jaipur.table.table import Table
from jaipur.terminal.setup import GameSetup


class LocalGame:
    """One game. `table` answers questions about it; the methods here change it."""

    def __init__(self, setup: GameSetup, herds: Herds = "open") -> None:
        self.setup = setup
        self.table = Table("terminal")
        self._apply([Opened(setup.chairs(), TableOptions(herds=herds))])
        self._players: dict[Seat, Player] = {}

    @classmethod
    def restore(cls, record: Record) -> Self:
        """Replay a record; `NotationError` or `WrongRecord` if it is not a correct terminal game."""
        Game.from_record(record)
        game = cls(convert(record.extra.get("play"), GameSetup), record.herds)
        for played in record.rounds:
            try:
                game._apply([Dealt.of(played.deal, salt="")])
            except WrongDeal as error:  # the round before was abandoned, which tables do not do
                raise WrongRecord(str(error)) from None
            for move in played.moves:
                game.play(move)
        return game

    def record(self) -> str:
        """The game so far as one line."""
        extra = {"play": to_builtins(self.setup)}
        return write_record(record_of(self.table.game, self.setup.record_names(), extra))

    def deal(self) -> None:
        rng = self.setup.deal_rng(self.table.game)
        self._apply(self.table.deal(rng, self.setup.first))

    def play(self, move: Move) -> None:
        """Play a move for the seat to move; `Refused` if it is illegal."""
        table = self.table
        assert table.turn is not None
        self._apply(table.play(table.turn, move, table.version))

    def play_computer(self, seat: Seat) -> None:
        game, setup = self.table.game, self.setup
        if seat not in self._players:  # not sooner: loading a strong player takes time
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
