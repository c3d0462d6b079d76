"""The terminal: printing, clearing, asking. It knows the abilities of the terminal and nothing about the game."""

import contextlib
import os
import sys
from codecs import getincrementaldecoder

from rich.box import ASCII
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
        **dict.fromkeys("╭╮╰╯├┤", "+"),
        **dict.fromkeys("─━", "-"),
        **dict.fromkeys("│┃", "|"),
        **dict.fromkeys("█▆▅▄▟▙▛▜▞▚▀▐▌▝▘▗▖▒", "#"),
        **dict.fromkeys("·◇", "."),
        **dict.fromkeys("◆•", "*"),
        **dict.fromkeys("’‘", "'"),
        **dict.fromkeys("“”«»", '"'),
        "…": "...",
        "\u00a0": " ",
    }
)


class Screen:
    """Standard input and output."""

    def __init__(self, plain: bool) -> None:
        for stream in (sys.stdin, sys.stdout):
            # A character that the terminal cannot show becomes a question mark instead of an error.
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        self.console = Console(
            file=sys.stdout,
            highlight=False,
            markup=False,
            emoji=False,
            no_color=plain or None,
            _environ=_environment(),
        )
        self.utf8 = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
        self.live = self.console.is_terminal and not self.console.is_dumb_terminal
        """The output can be cleared and drawn again."""
        self.plain = plain or self.console.is_dumb_terminal
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401, PLC0415  # line editing for `input`; not on every system

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
        if self.plain:
            line = text.plain if isinstance(text, Text) else text
            sys.stdout.write((line if self.utf8 else line.translate(_ASCII)) + "\n")
            sys.stdout.flush()
            return
        if not self.utf8:
            text = in_ascii(text)
        self.console.print(text)

    def draw(self, table: Table) -> None:
        """Print a drawn table, centred in 80 columns."""
        table.box = table.box if self.utf8 else ASCII
        self.console.print(table, justify="center", width=min(WIDTH, self.width))

    def ask(self, prompt: str = "> ", space: bool = False) -> str:
        """A typed line; with `space`, the space bar as the first key counts as Enter.

        `EOFError` at the end of the input, and for a line that is too long to be typed.
        """
        prompt = prompt if self.utf8 else prompt.translate(_ASCII)
        if sys.stdin.isatty():
            return _ask_with_space(prompt) if space else input(prompt)
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline(_LONGEST_LINE)
        if not line or len(line) == _LONGEST_LINE:
            raise EOFError
        return line.removesuffix("\n")

    def forget_typing(self) -> None:
        """Drop keys typed before the question, and the lines that the arrow keys bring back."""
        with contextlib.suppress(ImportError, OSError, ValueError):
            import termios  # noqa: PLC0415  # not on every system

            if sys.stdin.isatty():
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        with contextlib.suppress(ImportError):
            import readline  # noqa: PLC0415  # not on every system

            readline.clear_history()


def _ask_with_space(prompt: str) -> str:
    try:
        import readline  # noqa: PLC0415  # not on every system
        import termios  # noqa: PLC0415
        import tty  # noqa: PLC0415
    except ImportError:
        return input(prompt)
    sys.stdout.write(prompt)
    sys.stdout.flush()
    terminal = sys.stdin.fileno()
    mode = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        while (key := _read_key(terminal)) not in _ENTER and not key.isprintable():
            termios.tcflush(terminal, termios.TCIFLUSH)  # the rest of an arrow or function key
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
    if key in _ENTER:
        sys.stdout.write("\n")
        return ""
    # The first key of a line: the player edits it together with the rest.
    sys.stdout.write("\r")
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


def in_ascii(text: str | Text) -> Text:
    """The same text in ASCII characters, with its styles."""
    if isinstance(text, str):
        return Text(text.translate(_ASCII))
    pieces = text.render(Console(), "")
    plain = Text()
    for piece in pieces:
        plain.append(piece.text.translate(_ASCII), piece.style)
    return plain


def _environment() -> dict[str, str]:
    """The environment without a width or height of zero, which means that it is unknown."""
    sizes = ("COLUMNS", "LINES")
    return {
        name: value for name, value in os.environ.items() if name not in sizes or value.strip("0")
    }
