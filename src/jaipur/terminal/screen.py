"""The terminal itself: printing, clearing, asking. It knows what the terminal can do and nothing of the game."""

import contextlib
import os
import sys
from typing import TextIO

from rich.align import Align
from rich.box import ASCII
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH, HEIGHT = 80, 24
"""What the drawn table needs."""

_CLEAR = "\x1b[H\x1b[2J"
_CLEAR_SCROLLBACK = "\x1b[3J"
_OUT_OF_SIGHT = "\n" * 300
"""More lines than any screen has."""
_LONGEST_LINE = 65536
"""Nobody types as much; a line that goes on is no person's."""

# For terminals without UTF-8: every sign we draw with, in ASCII.
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
    """Standard output and input, as kindly as they allow."""

    def __init__(self, plain: bool) -> None:
        for stream in (sys.stdin, sys.stdout):
            # A letter the terminal does not have is shown as a question mark, and never stops a game.
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        self.console = Console(
            file=sys.stdout,
            highlight=False,
            markup=False,
            emoji=False,
            no_color=plain or None,
            _environ=_surroundings(),
        )
        self.utf8 = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
        self.live = self.console.is_terminal and not self.console.is_dumb_terminal
        self.plain = plain or self.console.is_dumb_terminal
        _edit_lines(sys.stdin)

    @property
    def roomy(self) -> bool:
        """Whether a drawn table fits."""
        size = self.console.size
        return size.width >= WIDTH and (size.height >= HEIGHT or not self.live)

    def clear(self, secret: bool = False) -> None:
        """Wipe the screen; where it was secret, what has scrolled away too. Without the means, push it out of sight."""
        if self.live:
            sys.stdout.write(_CLEAR + (_CLEAR_SCROLLBACK if secret else ""))
        elif secret:
            sys.stdout.write(_OUT_OF_SIGHT)
        sys.stdout.flush()

    def say(self, text: str | Text = "") -> None:
        """Print a line, folded between words."""
        if self.plain:
            line = text.plain if isinstance(text, Text) else text
            sys.stdout.write((line if self.utf8 else line.translate(_ASCII)) + "\n")
            sys.stdout.flush()
            return
        if not self.utf8:
            text = in_ascii(text)
        self.console.print(text)

    def draw(self, table: Table) -> None:
        """Print a drawn table, in the middle of the eighty columns."""
        table.box = table.box if self.utf8 else ASCII
        self.console.print(Align.center(table, width=min(WIDTH, self.console.width)))

    def ask(self, prompt: str = "> ") -> str:
        """A line that is typed; `EOFError` where there is none, or one without end."""
        prompt = prompt if self.utf8 else prompt.translate(_ASCII)
        if sys.stdin.isatty():
            return input(prompt)
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline(_LONGEST_LINE)
        if not line or len(line) == _LONGEST_LINE:
            raise EOFError
        return line.removesuffix("\n")

    def forget_typing(self) -> None:
        """Drop what was typed before it was asked for, and the lines that an arrow key would bring back."""
        with contextlib.suppress(ImportError, OSError, ValueError):
            import termios  # noqa: PLC0415  # not everywhere

            if sys.stdin.isatty():
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        with contextlib.suppress(ImportError):
            import readline  # noqa: PLC0415  # not everywhere

            readline.clear_history()


def in_ascii(text: str | Text) -> Text:
    """The same text in signs that every terminal has, with its styles where the length allows."""
    if isinstance(text, str):
        return Text(text.translate(_ASCII))
    pieces = text.render(Console(), "")
    plain = Text()
    for piece in pieces:
        plain.append(piece.text.translate(_ASCII), piece.style)
    return plain


def _surroundings() -> dict[str, str]:
    """The environment; a screen of no width or height is one that nobody has measured."""
    sizes = ("COLUMNS", "LINES")
    return {
        name: value for name, value in os.environ.items() if name not in sizes or value.strip("0")
    }


def _edit_lines(stdin: TextIO) -> None:
    """Let a person correct what they type, where the system has the means."""
    if stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401, PLC0415  # importing it is what does it
