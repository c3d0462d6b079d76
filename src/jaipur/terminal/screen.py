"""The terminal: print, clear, ask for input. This module detects terminal features and is independent of the game."""

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
"""The size of the drawn table."""
WIDE = 120
"""The minimum width for a panel beside the table."""
_PANEL_EDGE = 4

_CLEAR = "\x1b[H\x1b[2J"
_CLEAR_SCROLLBACK = "\x1b[3J"
_SCROLL_AWAY = "\n" * 300
"""More lines than any screen has."""
_LONGEST_LINE = 65536
_END_OF_INPUT = b"\x04"
_ENTER = ("\r", "\n", " ")

# For terminals without UTF-8: an ASCII replacement for every drawing character.
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
        """Whether the output can be cleared and drawn again."""
        self.plain = plain or self.console.is_dumb_terminal
        self._readline: ModuleType | None = None
        """Line editing for `input`; None if the system does not have it."""
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
        """Whether a person reads and types here. If so, long texts are shown in pages."""
        return self.live and sys.stdin.isatty()

    @property
    def fits_table(self) -> bool:
        return self.width >= WIDTH and (self.height >= HEIGHT or not self.live)

    @property
    def panel_width(self) -> int:
        """The number of columns for a panel beside the table; 0 if the terminal is too narrow."""
        wide = self.live and self.fits_table and self.width >= WIDE
        return self.width - WIDTH - _PANEL_EDGE if wide else 0

    def clear(self, secret: bool = False) -> None:
        """Clear the screen; if `secret`, also the scrollback. If clearing is impossible, scroll secret text away."""
        if self.live:
            sys.stdout.write(_CLEAR + (_CLEAR_SCROLLBACK if secret else ""))
        elif secret:
            sys.stdout.write(_SCROLL_AWAY)
        sys.stdout.flush()

    def say(self, text: str | Text = "") -> None:
        """Print a line. Except in plain mode, long lines are broken between words."""
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
        """Read a typed line. With `space`, the space bar as the first key counts as Enter.

        Raises `EOFError` at the end of the input, and if a line is too long to be typed.
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
        """Discard keys typed before the question, and the input history of the arrow keys."""
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
    # The first key is put into the line editor, so that the player can edit it with the rest of the line.
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
