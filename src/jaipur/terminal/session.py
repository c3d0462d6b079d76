"""A game at the terminal from wherever it stands to its end: whose turn it is, what they do, and keeping it all.

What a person or a computer player gets to see is a view; positions are only asked whether a move is allowed.
"""

from jaipur.notation import record_of, write_record
from jaipur.players import Budget, Player, player_named
from jaipur.players.registry import LEVELS
from jaipur.rules import Game, Move, NotationError, Seat
from jaipur.rules.input_errors import printable
from jaipur.terminal.chronicle import chronicle
from jaipur.terminal.entry import Command, shown, understand
from jaipur.terminal.face import Plain
from jaipur.terminal.keeper import Keeper
from jaipur.terminal.seating import PERSON, Seating
from jaipur.terminal.sheet import sheet_of
from jaipur.terminal.sight import Sight, sight_of
from jaipur.terminal.story import tell, voices_for
from jaipur.words import Words


class Left(Exception):  # noqa: N818  # nothing went wrong
    """The person wants to stop for now."""


class Session:
    """One game, its traders, and the face it shows."""

    def __init__(
        self,
        game: Game,
        seating: Seating,
        words: Words,
        face: Plain,
        keeper: Keeper,
        notice: str = "",
    ) -> None:
        self.game = game
        self.seating = seating
        self.words = words
        self.face = face
        self.keeper = keeper
        self.names = seating.called(words)
        self.computers: dict[Seat, Player] = {
            seat: player_named(name) for seat, name in enumerate(seating.seats) if name != PERSON
        }
        seconds = None if seating.milliseconds is None else seating.milliseconds / 1000
        self.budget = Budget(seconds=seconds)
        self.shared = len(seating.people) == 2
        self.greeting = notice or self._greeting()

    def run(self) -> None:
        """Play on until somebody has two seals."""
        try:
            while self.game.winner is None:
                if self.game.running is None:
                    self.game.start(self.seating.deal(self.game))
                self._keep()
                self._play_round()
                self._end_round()
        finally:
            for computer in self.computers.values():
                computer.close()
        self._finish()

    def line(self) -> str:
        """The record of the game as it stands."""
        extra: dict[str, object] = {"play": self.seating.as_data()}
        return write_record(record_of(self.game, self.seating.players(), extra))

    def _greeting(self) -> str:
        if self.shared:
            return self.words.say("between", name=self.names[0], other=self.names[1])
        seat = 1 - self.seating.people[0]
        level = self.seating.seats[seat]
        lines = {level.name: level.line for level in LEVELS}
        # The English lines stand beside the players.
        line = self.words.find(f"level.{level}") or lines[level]
        return self.words.say("against", name=self.names[seat], line=line)

    def _keep(self) -> None:
        self.keeper.keep(self.line())

    def _play_round(self) -> None:
        while (running := self.game.running) is not None:
            seat = running.position.turn
            computer = self.computers.get(seat)
            move = self._ask(seat) if computer is None else self._let_choose(seat, computer)
            self.game.play(move)
            self._keep()

    def _let_choose(self, seat: Seat, computer: Player) -> Move:
        sight = sight_of(self.game, 1 - seat, self.names, self.words)
        self.face.thinking(sight, self.names[seat])
        view, moves = self.game.view(seat), self.game.legal_moves()
        return computer.choose(view, moves, self.seating.chance(self.game), self.budget)

    def _ask(self, seat: Seat) -> Move:
        """Show the table to a person until they type a move that can be played."""
        if self.shared:
            self._curtain(seat)
        sight = sight_of(self.game, seat, self.names, self.words)
        self.face.table(sight, self.keeper.complaint() or self.greeting)
        self.greeting = ""
        listed = False
        while True:
            text = self.face.screen.ask()
            try:
                typed = understand(text, self.words) if text.strip() else Command("table")
            except NotationError:
                said = {"text": printable(text.strip())[:20], **shown(self.words)}
                self.face.note(sight, self.words.say("unreadable", **said))
                continue
            if isinstance(typed, Command):
                self._obey(typed, sight)
                listed = listed or typed.name == "moves"
                continue
            move = self._numbered(typed, sight, listed) if isinstance(typed, int) else typed
            if move is not None and self._allowed(move, sight):
                return move

    def _numbered(self, number: int, sight: Sight, listed: bool) -> Move | None:
        """The move of a number; to whoever has not seen the list this turn, numbers mean nothing."""
        moves = self.game.legal_moves()
        if not listed:
            self.face.note(sight, self.words.say("no_list", **shown(self.words)))
        elif 1 <= number <= len(moves):
            return moves[number - 1]
        else:
            self.face.note(sight, self.words.say("no_such_number", n=len(moves)))
        return None

    def _allowed(self, move: Move, sight: Sight) -> bool:
        reason = self.game.rounds[-1].position.why_not(move)
        if reason is not None:
            self.face.note(sight, self.words.reason(reason))
        return reason is None

    def _obey(self, command: Command, sight: Sight) -> None:
        match command.name:
            case "quit":
                raise Left
            case "help":
                self.face.help()
            case "moves":
                self.face.moves(sight, self.game.legal_moves())
            case "log":
                empty = [self.words.say("log.empty")]
                self.face.page([f"{n:3} {told}" for n, told in enumerate(sight.log, 1)] or empty)
            case "table":
                self.face.table(sight, whole=True)
            case "save":
                self.face.note(sight, self.keeper.save(self.line(), command.rest))

    def _curtain(self, seat: Seat) -> None:
        """Nothing of a hand on the screen while the keyboard changes hands, only what both saw."""
        seen = chronicle(self.game.rounds[-1], seat)
        last = [tell(self.words, events, self.names) for events in seen.turns[-1:]]
        name = {"name": self.names[seat]}
        lines = [*last, "", self.words.say("curtain", **name), ""]
        self.face.curtain(lines)
        self.face.screen.forget_typing()
        self.face.screen.ask(self.words.say("curtain.ready", **name) + " ")

    def _end_round(self) -> None:
        result = self.game.rounds[-1].result
        assert result is not None
        person = self.seating.people[0]
        voices = voices_for(self.names, None if self.shared else person)
        number = len(self.game.rounds)
        view = self.game.view(person)
        sheet = sheet_of(view, result, number, self.names, voices, self.words)
        last = tell(self.words, chronicle(self.game.rounds[-1], person).turns[-1], voices)
        self.face.sheet(sheet, result.seal, last)
        starter = self.game.next_starter()
        if self.game.winner is None and starter is not None:
            self.face.screen.say(self.words.by(voices[starter], "next"))
            self.face.screen.ask(self.words.say("go_on") + " ")

    def _finish(self) -> None:
        """Say who won and where the record lies."""
        winner = self.game.winner
        assert winner is not None
        voices = voices_for(self.names, None if self.shared else self.seating.people[0])
        seals = {"seals": self.game.seals[winner], "other": self.game.seals[1 - winner]}
        self.face.screen.say(self.words.by(voices[winner], "won", **seals))
        self.face.screen.say(self.keeper.finish(self.line()))
