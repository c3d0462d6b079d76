"""Renderers: `DrawnRenderer` draws tables, `PlainRenderer` prints sentences. Both show the same information."""

import sys
from collections import deque
from collections.abc import Iterable, Sequence

from jaipur.rules import Move
from jaipur.rules.cards import KINDS, LETTERS
from jaipur.rules.tokens import CAMEL_TOKEN
from jaipur.terminal.move_text import describe_move
from jaipur.terminal.pages import fold, in_columns, paginate
from jaipur.terminal.player_input import COMMANDS, command_names
from jaipur.terminal.score_sheet import ScoreSheet, draw_score_sheet
from jaipur.terminal.screen import Screen
from jaipur.terminal.table_drawing import add_panel, draw_table
from jaipur.terminal.table_text import cards_text, full_table, table_changes
from jaipur.terminal.view_model import ViewModel
from jaipur.words import Words

_EXCHANGE_WIDTH = 18


class PlainRenderer:
    """Prints sentences, one per line."""

    def __init__(self, screen: Screen, words: Words, shared: bool) -> None:
        self.screen = screen
        self.words = words
        self.shared = shared
        """Whether two people share the screen. If they do, no secret text may stay on the screen."""
        self._pages: deque[tuple[Sequence[str], str]] = deque()
        """The pages that are not shown yet, with their footers."""

    def table(self, model: ViewModel, note: str = "", full: bool = False) -> None:
        """Show the table. Show the whole table in the first turn or if `full` is true, otherwise only the changes."""
        self._pages.clear()
        full = full or len(model.history) < 2
        self._print((full_table if full else table_changes)(model, self.words))
        if full:
            self.screen.say(self.words.say("plain.commands", **command_names(self.words)))
        self.screen.say(note or self.words.say("your_turn"))

    def note(self, model: ViewModel, note: str) -> None:  # noqa: ARG002  # `DrawnRenderer` uses the model
        """Show a message. The table stays on the screen."""
        self._pages.clear()
        self.screen.say(note)

    def thinking(self, model: ViewModel, name: str) -> None:
        """Show that a computer player is choosing a move. The plain renderer prints nothing."""

    def moves(self, model: ViewModel, moves: Sequence[Move]) -> None:
        """Show every legal move with its number."""
        lines = [
            f"{n}: {move}, {describe_move(self.words, model.view, move)}"
            for n, move in enumerate(moves, 1)
        ]
        self._show(lines, footer=self.words.say("moves.number"))

    def history(self, model: ViewModel) -> None:
        """Show every turn of the round with its number."""
        self._show(self._history_lines(model))

    def help(self) -> None:
        """Show a summary of the rules, the letters of the cards and the commands."""
        names = command_names(self.words)
        cards = ", ".join(f"{LETTERS[kind]} {self.words.kind(kind)}" for kind in KINDS)
        width = max(map(len, names.values()))
        commands = [
            f"  {names[name]:{width}}  {self.words.say(f'help.{name}')}" for name in COMMANDS
        ]
        rules = self.words.say("help.rules", camel=CAMEL_TOKEN).splitlines()
        self._show([*rules, self.words.say("help.cards", cards=cards), *commands])

    def score_sheet(self, sheet: ScoreSheet, last: str) -> None:
        """Show the last turn of a round and the score."""
        self._print([last, sheet.title])
        name, other = map(self.words.inside, sheet.names)
        for item, first, second in sheet.rows:
            values = {"what": item[0].upper() + item[1:], "value": first, "other_value": second}
            self.screen.say(self.words.say("sheet.line", name=name, other=other, **values))
        self._print(sheet.verdict)

    def curtain(self, lines: Iterable[str]) -> None:
        """Clear all secret text and show only these lines."""
        self.screen.clear(secret=True)
        self._print(lines)

    def read_line(self, model: ViewModel) -> str:
        """Read a typed line. If there are more pages, Space or Enter shows the next page, and q shows the table."""
        while self._pages:
            text = self.screen.ask(space=True)
            if not text.strip():
                self._show_page(*self._pages.popleft())
            elif text.strip().lower() == "q":
                self.table(model)
            else:
                return text
        return self.screen.ask()

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.screen.say(line)

    def _history_lines(self, model: ViewModel) -> list[str]:
        lines = [f"{n:3} {sentence}" for n, sentence in enumerate(model.history, 1)]
        return lines or [self.words.say("log.empty")]

    def _show(self, lines: Iterable[str], footer: str = "") -> None:
        """Show text without the table, in pages if it is longer than the screen."""
        width = self.screen.width
        self._show_pages(paginate(lines, width, self._page_height(width)), footer)

    def _show_pages(self, pages: Sequence[Sequence[str]], footer: str) -> None:
        count = len(pages)
        more = (self.words.say("page.more", number=n, count=count) for n in range(1, count))
        self._pages = deque(zip(pages, (*more, footer), strict=True))
        self._show_page(*self._pages.popleft())

    def _show_page(self, page: Sequence[str], footer: str) -> None:
        self._print(page)
        if footer:
            self.screen.say(footer)

    def _page_height(self, width: int) -> int:
        """Return the number of rows of a page. For a pipe there is no limit.

        The footer, the row above the footer and the input line are not included.
        """
        if not self.screen.interactive:
            return sys.maxsize
        footers = self.words.say("page.more", number=10, count=10), self.words.say("moves.number")
        return self.screen.height - max(len(fold(footer, width)) for footer in footers) - 2


class DrawnRenderer(PlainRenderer):
    """Draws tables on a cleared screen, or prints sentences if the terminal is too small.

    A wide terminal shows a panel beside the table, with the history or the list of moves.
    """

    def __init__(self, screen: Screen, words: Words, shared: bool) -> None:
        super().__init__(screen, words, shared)
        self._beside: ViewModel | None = None
        """If pages are shown in a panel, the table beside the panel. None if pages use the whole screen."""
        self._panel: Sequence[str] = ()
        """The page in the panel. If it is empty, the panel shows the history."""

    def table(self, model: ViewModel, note: str = "", full: bool = False) -> None:
        self._panel = ()
        self._pages.clear()
        if self.screen.fits_table:
            self._draw(model, note)
        else:
            super().table(model, note, full)

    def note(self, model: ViewModel, note: str) -> None:
        if not self.screen.live:
            self.screen.say(note)
        elif self._panel and self.screen.panel_width:
            self._draw(model, note)  # keep the list of moves
        else:
            self.table(model, note)

    def thinking(self, model: ViewModel, name: str) -> None:
        if self.screen.live:
            self.table(model, self.words.say("thinking", name=name))

    def moves(self, model: ViewModel, moves: Sequence[Move]) -> None:
        """Show takes and sales in words. Exchanges are numerous, so show them in columns, in notation."""
        width = self.screen.panel_width or self.screen.width
        # A panel has a title instead of a header.
        header = [] if self.screen.panel_width else [*cards_text(model, self.words), ""]
        header_rows = sum(len(fold(line, width)) for line in header) or 1
        height = max(1, self._page_height(width) - header_rows)
        self._beside = model if self.screen.panel_width else None
        rows = self._move_rows(model, moves, width, height)
        pages = [[*header, *page] for page in paginate(rows, width, height)]
        self._show_pages(pages, self.words.say("moves.number"))

    def score_sheet(self, sheet: ScoreSheet, last: str) -> None:
        self._clear()
        self._print([last, sheet.verdict[0], ""])
        self.screen.draw(draw_score_sheet(sheet))
        self._print(["", *sheet.verdict[1:]])

    def _move_rows(
        self, model: ViewModel, moves: Sequence[Move], width: int, height: int
    ) -> list[str]:
        rows, exchanges = [], []
        for n, move in enumerate(moves, 1):
            if move.taken and move.given:
                exchanges.append(f"{n:4} {move}")
            else:
                line = f"{n:4} {move!s:8} {describe_move(self.words, model.view, move)}"
                rows.extend(fold(line, width, indent=" " * 14))
        if exchanges:
            rows += ["", self.words.say("moves.exchanges")]
            columns = max(1, width // _EXCHANGE_WIDTH)
            rows += in_columns(exchanges, _EXCHANGE_WIDTH, columns, height, len(rows))
        return rows

    def _show(self, lines: Iterable[str], footer: str = "") -> None:
        self._beside = None
        super()._show(lines, footer)

    def _show_page(self, page: Sequence[str], footer: str) -> None:
        if self._beside is not None and self.screen.panel_width:
            self._panel = [*page, "", *fold(footer, self.screen.panel_width)]
            self._draw(self._beside)
            return
        self._clear()
        super()._show_page([*page, ""] if footer else page, footer)

    def _draw(self, model: ViewModel, note: str = "") -> None:
        rows = draw_table(model, self.words, self.screen.height, note)
        width = self.screen.panel_width
        if width:
            title = command_names(self.words)["moves" if self._panel else "log"].capitalize()
            history = self._history_lines(model)
            folded = [row for line in history for row in fold(line, width, indent=" " * 4)]
            rows = add_panel(rows, title, self._panel or folded[1 - len(rows) :])
        self._clear()
        for row in rows:
            self.screen.say(row)

    def _clear(self) -> None:
        # If the terminal cannot be cleared, new text follows the old text. Only `curtain` scrolls the old text away.
        self.screen.clear(self.shared and self.screen.live)
