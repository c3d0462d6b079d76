"""The game loop: deals rounds, asks people and computer players for moves, and saves the game after each move."""

from jaipur.rules import Move, NotationError, Seat
from jaipur.rules.input_errors import printable
from jaipur.table.refusals import Refused
from jaipur.terminal.autosave import Autosave
from jaipur.terminal.local_game import LocalGame
from jaipur.terminal.move_text import subjects_for
from jaipur.terminal.player_input import Command, command_names, parse_input
from jaipur.terminal.renderer import PlainRenderer
from jaipur.terminal.resume import Quit
from jaipur.terminal.score_sheet import score_sheet_of
from jaipur.terminal.view_model import ViewModel, view_model_of
from jaipur.words import Words


class GameLoop:
    """Plays one game to its end. `run` raises `Quit` if the player stops earlier."""

    def __init__(
        self, game: LocalGame, words: Words, renderer: PlainRenderer, autosave: Autosave
    ) -> None:
        self.game = game
        self.table = game.table
        self.words = words
        self.renderer = renderer
        self.screen = renderer.screen
        self.autosave = autosave
        self.names = game.setup.display_name(words, 0), game.setup.display_name(words, 1)
        self.greeting = autosave.notice or self._greeting()
        reader = None if game.setup.shared else game.setup.people[0]
        self.subjects = subjects_for(self.names, reader)

    def run(self) -> None:
        try:
            while self.table.over is None:
                if self.table.turn is None:
                    self.game.deal()
                self.autosave.write(self.game.record())
                self._play_round()
                self._end_round()
        finally:
            self.game.close()
        self._finish()

    def _greeting(self) -> str:
        setup = self.game.setup
        if setup.shared:
            return self.words.say("between", name=self.names[0], other=self.names[1])
        ((seat, level),) = setup.computers.items()
        line = self.words.say(f"level.{level}")
        return self.words.say("against", name=self.names[seat], line=line)

    def _play_round(self) -> None:
        while (seat := self.table.turn) is not None:
            if seat in self.game.setup.computers:
                self.renderer.thinking(self._view_model(1 - seat), self.names[seat])
                self.game.play_computer(seat)
            else:
                self._ask(seat)
            self.autosave.write(self.game.record())

    def _view_model(self, seat: Seat, addressed: bool = True) -> ViewModel:
        return view_model_of(self.table.game, seat, self.names, self.words, addressed)

    def _ask(self, seat: Seat) -> None:
        """Show the table to a player, read lines until the player types a legal move, and play the move."""
        if self.game.setup.shared:
            self._curtain(seat)
        model = self._view_model(seat)
        self.renderer.table(model, self.autosave.failure() or self._warning() or self.greeting)
        self.greeting = ""
        listed = False
        while True:
            text = self.renderer.read_line(model)
            try:
                typed = parse_input(text, self.words) if text.strip() else Command("table")
            except NotationError:
                values = {"text": printable(text.strip())[:20], **command_names(self.words)}
                self.renderer.note(model, self.words.say("unreadable", **values))
                continue
            if isinstance(typed, Command):
                self._run_command(typed, model)
                listed = listed or typed.name == "moves"  # a number is accepted only after the list
            elif problem := self._play(typed, listed):
                self.renderer.note(model, problem)
            else:
                return

    def _warning(self) -> str:
        left = self.table.exchanges_left
        return "" if left is None else self.words.say("exchanges_left", n=left)

    def _play(self, choice: int | Move, listed: bool) -> str:
        """Play a move, or the move with this number in the list of moves.

        Return a sentence that says why the move is refused, or an empty text if it was played.
        """
        if isinstance(choice, int):
            moves = self.table.game.legal_moves()
            if not listed:
                return self.words.say("no_list", **command_names(self.words))
            if not 1 <= choice <= len(moves):
                return self.words.say("no_such_number", n=len(moves))
            choice = moves[choice - 1]
        try:
            self.game.play(choice)
        except Refused as refusal:
            return refusal.sentence(self.words)
        return ""

    def _run_command(self, command: Command, model: ViewModel) -> None:
        match command.name:
            case "quit":
                raise Quit
            case "help":
                self.renderer.help()
            case "moves":
                self.renderer.moves(model, self.table.game.legal_moves())
            case "log":
                self.renderer.history(model)
            case "table":
                self.renderer.table(model, full=True)
            case "save":
                message = self.autosave.save_as(self.game.record(), command.argument)
                self.renderer.note(model, message)

    def _curtain(self, seat: Seat) -> None:
        """Hide both hands while the other player takes the keyboard. Show only what both players have seen."""
        last = self._view_model(seat, addressed=False).history[-1:]
        name = self.names[seat]
        self.renderer.curtain([*last, "", self.words.say("curtain", name=name), ""])
        self.screen.forget_typing()
        self.screen.ask(self.words.say("curtain.ready", name=name) + " ")

    def _end_round(self) -> None:
        game = self.table.game
        setup = self.game.setup
        last = self._view_model(setup.people[0], addressed=not setup.shared).history[-1]
        sheet = score_sheet_of(game, self.names, self.subjects, self.words)
        self.renderer.score_sheet(sheet, last)
        starter = game.next_starter()
        if game.winner is None and starter is not None:
            self.screen.say(self.words.by(self.subjects[starter], "next"))
            self.screen.ask(self.words.say("go_on") + " ")

    def _finish(self) -> None:
        """Print the winner and the location of the record."""
        game = self.table.game
        winner = game.winner
        assert winner is not None
        seals = {"seals": game.seals[winner], "other": game.seals[1 - winner]}
        self.screen.say(self.words.by(self.subjects[winner], "won", **seals))
        self.screen.say(self.autosave.finish(self.game.record()))
