"""The terminal: printing, clearing, asking. It knows the abilities of the terminal and nothing about the game."""

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
"""The width from which a panel is shown beside the table."""
_PANEL_EDGE = 4

_CLEAR = "\x1b[H\x1b[2J"
_CLEAR_SCROLLBACK = "\x1b[3J"
_SCROLL_AWAY = "\n" * 300
"""More lines than a screen has."""
_LONGEST_LINE = 65536
_END_OF_INPUT = b"\x04"
_ENTER = ("\r", "\n", " ")

# For terminals without UTF-8: an ASCII character for every character we draw with.
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
            # A character that the terminal cannot show becomes a question mark instead of an error.
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        # A width or height of zero means that it is unknown.
        sizes = ("COLUMNS", "LINES")
        known = {name: v for name, v in os.environ.items() if name not in sizes or v.strip("0")}
        self.console = Console(file=sys.stdout, no_color=plain or None, _environ=known)
        utf8 = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
        self._characters = {} if utf8 else _ASCII
        self.live = self.console.is_terminal and not self.console.is_dumb_terminal
        """The output can be cleared and drawn again."""
        self.plain = plain or self.console.is_dumb_terminal
        self._readline: ModuleType | None = None
        """Line editing for `input`; not on every system."""
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
        """A person reads and types here, so long texts are shown in pages."""
        return self.live and sys.stdin.isatty()

    @property
    def fits_table(self) -> bool:
        return self.width >= WIDTH and (self.height >= HEIGHT or not self.live)

    @property
    def panel_width(self) -> int:
        """The columns for a panel beside the table; 0 if the terminal is not wide enough."""
        wide = self.live and self.fits_table and self.width >= WIDE
        return self.width - WIDTH - _PANEL_EDGE if wide else 0

    def clear(self, secret: bool = False) -> None:
        """Clear the screen, and the scrollback of secret text. Where that is impossible, scroll secret text away."""
        if self.live:
            sys.stdout.write(_CLEAR + (_CLEAR_SCROLLBACK if secret else ""))
        elif secret:
            sys.stdout.write(_SCROLL_AWAY)
        sys.stdout.flush()

    def say(self, text: str | Text = "") -> None:
        """Print a line; outside plain mode it is folded between words."""
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
        """A typed line; with `space`, the space bar as the first key counts as Enter.

        `EOFError` at the end of the input, and for a line that is too long to be typed.
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
        """Drop keys typed before the question, and the lines that the arrow keys bring back."""
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
    # The first key of a line: the player edits it together with the rest.
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
