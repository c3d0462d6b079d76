"""How the game shows itself: `Drawn` paints tables, `Plain` speaks in lines. Both show the same things."""

from collections.abc import Sequence

from jaipur.rules import LETTERS, Move, Seat
from jaipur.rules.cards import KINDS
from jaipur.rules.tokens import CAMEL_TOKEN
from jaipur.terminal import plain
from jaipur.terminal.entry import COMMANDS, shown
from jaipur.terminal.screen import Screen
from jaipur.terminal.sheet import Sheet, sheet_table
from jaipur.terminal.sight import Sight
from jaipur.terminal.story import describe
from jaipur.terminal.table import table_rows
from jaipur.words import Words


class Plain:
    """Sentences, line by line."""

    def __init__(self, screen: Screen, words: Words, secret: bool) -> None:
        self.screen = screen
        self.words = words
        self.secret = secret
        """Whether two people share the screen, so that nothing may stay behind on it."""

    def table(self, sight: Sight, note: str = "", whole: bool = False) -> None:
        """Where the game stands; only what changes, unless the whole is asked for."""
        first = len(sight.log) < 2
        tell = plain.full if whole or first else plain.brief
        for sentence in tell(sight, self.words):
            self.screen.say(sentence)
        self.screen.say(note or self.words.say("your_turn"))

    def note(self, sight: Sight, note: str) -> None:  # noqa: ARG002  # a drawn table is drawn again
        """Say one thing to whoever is looking at the table."""
        self.screen.say(note)

    def thinking(self, sight: Sight, name: str) -> None:
        """Somebody else is choosing a move; nothing to say about it in lines."""

    def page(self, lines: Sequence[str]) -> None:
        """Something to read apart from the table."""
        for line in lines:
            self.screen.say(line)

    def moves(self, sight: Sight, moves: Sequence[Move]) -> None:
        """Every legal move with its number."""
        told = [
            f"{n}: {move}, {describe(self.words, sight.view, move)}" for n, move in _numbered(moves)
        ]
        self.page([*told, self.words.say("moves.number")])

    def help(self) -> None:
        """The rules in brief and the commands."""
        names = shown(self.words)
        cards = ", ".join(f"{LETTERS[kind]} {self.words.kind(kind)}" for kind in KINDS)
        width = max(map(len, names.values()))
        commands = [
            f"  {names[name]:{width}}  {self.words.say(f'help.{name}')}" for name in COMMANDS
        ]
        rules = self.words.say("help.rules", camel=CAMEL_TOKEN).splitlines()
        self.page([*rules, self.words.say("help.cards", cards=cards), *commands])

    def sheet(self, sheet: Sheet, winner: Seat | None, last: str) -> None:  # noqa: ARG002  # told in the verdict
        """The score of a round, after its last move."""
        self.page([last, sheet.title])
        name, other = map(self.words.inside, sheet.names)
        for what, first, second in sheet.rows:
            names = {"name": name, "other": other}
            values = {"what": what[0].upper() + what[1:], "value": first, "other_value": second}
            self.screen.say(self.words.say("sheet.line", **names, **values))
        self.page(sheet.verdict)

    def curtain(self, lines: Sequence[str]) -> None:
        """Wipe everything secret away and show only these lines."""
        self.screen.clear(secret=True)
        self.page(lines)


class Drawn(Plain):
    """Tables drawn from top to bottom on a cleared screen; sentences where the terminal is too small for them."""

    def table(self, sight: Sight, note: str = "", whole: bool = False) -> None:
        if not self.screen.roomy:
            super().table(sight, note, whole)
            return
        self._clear()
        for row in table_rows(sight, self.words, self.screen.console.size.height, note):
            self.screen.say(row)

    def note(self, sight: Sight, note: str) -> None:
        if self.screen.live:
            self.table(sight, note)
        else:
            self.screen.say(note)

    def thinking(self, sight: Sight, name: str) -> None:
        if self.screen.live:
            self.table(sight, self.words.say("thinking", name=name))

    def page(self, lines: Sequence[str]) -> None:
        self._clear()
        super().page(lines)

    def moves(self, sight: Sight, moves: Sequence[Move]) -> None:
        """Exchanges are many, and their notation says it all; the rest in words, nearest to where one types."""
        exchanges = [f"{n:4} {move}" for n, move in _numbered(moves) if move.taken and move.given]
        others = [
            f"{n:4} {move!s:8} {describe(self.words, sight.view, move)}"
            for n, move in _numbered(moves)
            if not (move.taken and move.given)
        ]
        columns = [f" {row}" for row in _in_columns(exchanges, 4, 19)]
        title = [self.words.say("moves.exchanges")] if exchanges else []
        table = plain.cards(sight, self.words)
        self.page([*title, *columns, "", *table, "", *others, "", self.words.say("moves.number")])

    def sheet(self, sheet: Sheet, winner: Seat | None, last: str) -> None:
        self.page([last, sheet.verdict[0], ""])
        self.screen.draw(sheet_table(sheet, winner))
        super().page(["", *sheet.verdict[1:]])

    def curtain(self, lines: Sequence[str]) -> None:
        self.screen.clear(secret=True)
        super().page(lines)

    def _clear(self) -> None:
        # Where nothing can be wiped, a page follows the one before; only a curtain pushes it out of sight.
        self.screen.clear(self.secret and self.screen.live)


def _numbered(moves: Sequence[Move]) -> enumerate[Move]:
    return enumerate(moves, 1)


def _in_columns(things: Sequence[str], columns: int, width: int) -> list[str]:
    """Things one under the other in columns of equal length."""
    rows = -(-len(things) // columns)
    return [
        "".join(f"{thing!s:{width}}" for thing in things[row::rows]).rstrip() for row in range(rows)
    ]
