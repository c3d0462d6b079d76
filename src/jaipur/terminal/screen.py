"""The terminal: prints, clears the screen and reads input. This module knows the terminal, but not the game."""

import contextlib
import importlib
import os
import sys
import termios
import tty
from codecs import getincrementaldecoder
from types import ModuleType

from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH, HEIGHT = 80, 24
"""The size of the drawn table, in terminal cells."""
WIDE = 120
"""The minimum width of a terminal with a panel beside the table."""
_PANEL_EDGE = 4  # the cells between the table and the panel

_CLEAR = "\x1b[H\x1b[2J"
_CLEAR_SCROLLBACK = "\x1b[3J"
_SCROLL_AWAY = "\n" * 300
"""This is more lines than any screen has."""
_LONGEST_LINE = 65536  # characters
_END_OF_INPUT = b"\x04"  # Ctrl-D
_ENTER = ("\r", "\n", " ")

# The ASCII replacement of every drawing character, for terminals without UTF-8.
_ASCII = str.maketrans(
    {
        **dict(zip("╭╮╰╯├┤─━│┃·◇◆•’‘“”«»\u00a0", '++++++--||..**\'\'"""" ', strict=True)),
        **dict.fromkeys("█▆▅▄▟▙▛▜▞▚▀▐▌▝▘▗▖▒", "#"),
        "…": "...",
    }
)


class Screen:
    """Standard input and output."""

    def __init__(self, plain: bool) -> None:
        for stream in (sys.stdin, sys.stdout):
            # Print a question mark instead of raising an error for a character that the terminal cannot show.
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        # A width or height of zero means that the size is unknown.
        sizes = ("COLUMNS", "LINES")
        known = {name: v for name, v in os.environ.items() if name not in sizes or v.strip("0")}
        self.console = Console(file=sys.stdout, no_color=plain or None, _environ=known)
        utf8 = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
        self._characters = {} if utf8 else _ASCII
        self.live = self.console.is_terminal and not self.console.is_dumb_terminal
        """Whether the screen can be cleared and drawn again."""
        self.plain = plain or self.console.is_dumb_terminal
        self._readline: ModuleType | None = None
        """The module that provides line editing for `input`, or None if the system does not have it."""
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                self._readline = importlib.import_module("readline")

    @property
    def width(self) -> int:
        return self.console.size.width

    @property
    def height(self) -> int:
        return self.console.size.height

    @property
    def interactive(self) -> bool:
        """Whether a person reads and types here. Long texts are then shown in pages."""
        return self.live and sys.stdin.isatty()

    @property
    def fits_table(self) -> bool:
        return self.width >= WIDTH and (self.height >= HEIGHT or not self.live)

    @property
    def panel_width(self) -> int:
        """The width of the panel beside the table, or 0 if the terminal is too narrow for a panel."""
        wide = self.live and self.fits_table and self.width >= WIDE
        return self.width - WIDTH - _PANEL_EDGE if wide else 0

    def clear(self, secret: bool = False) -> None:
        """Clear the screen. If `secret` is true, also clear the scrollback.

        If the screen cannot be cleared, scroll secret text away.
        """
        if self.live:
            sys.stdout.write(_CLEAR + (_CLEAR_SCROLLBACK if secret else ""))
        elif secret:
            sys.stdout.write(_SCROLL_AWAY)
        sys.stdout.flush()

    def say(self, text: str | Text = "") -> None:
        """Print a line. Long lines are broken between words, except in plain mode."""
        line = Text(text) if isinstance(text, str) else text
        line.plain = line.plain.translate(self._characters)
        if self.plain:
            print(line.plain, flush=True)
        else:
            self.console.print(line)

    def draw(self, table: Table) -> None:
        """Print a drawn table, centred in 80 columns."""
        self.console.print(table, justify="center", width=min(WIDTH, self.width))

    def ask(self, prompt: str = "> ", space: bool = False) -> str:
        """Read a typed line. If `space` is true, the space bar as the first key counts as Enter.

        Raise `EOFError` at the end of the input, and for a line that is longer than anyone would type.
        """
        prompt = prompt.translate(self._characters)
        if sys.stdin.isatty():
            readline = self._readline if space else None
            return _ask_with_space(prompt, readline) if readline else input(prompt)
        print(prompt, end="", flush=True)
        line = sys.stdin.readline(_LONGEST_LINE)
        if not line or len(line) == _LONGEST_LINE:
            raise EOFError
        return line.removesuffix("\n")

    def forget_typing(self) -> None:
        """Discard keys that were typed before the question, and the lines that the arrow keys would recall."""
        if sys.stdin.isatty():
            with contextlib.suppress(OSError, termios.error):
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        if self._readline:
            self._readline.clear_history()


def _ask_with_space(prompt: str, readline: ModuleType) -> str:
    print(prompt, end="", flush=True)
    terminal = sys.stdin.fileno()
    mode = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        while (key := _read_key(terminal)) not in _ENTER and not key.isprintable():
            termios.tcflush(terminal, termios.TCIFLUSH)  # the rest of an arrow or function key
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
    if key in _ENTER:
        print()
        return ""
    # Put the first key into the line editor, so that the player can edit it together with the rest of the line.
    print(end="\r")
    readline.set_startup_hook(lambda: readline.insert_text(key))
    try:
        return input(prompt)
    finally:
        readline.set_startup_hook(None)


def _read_key(terminal: int) -> str:
    decoder = getincrementaldecoder("utf-8")(errors="replace")
    key = ""
    while not key:
        data = os.read(terminal, 1)
        if data in (b"", _END_OF_INPUT):
            raise EOFError
        key = decoder.decode(data)
    return key
