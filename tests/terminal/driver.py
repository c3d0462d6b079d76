"""Drives the real program on a pseudo-terminal: reads the screen and types lines."""

import os
import pty
import re
import select
import struct
import sys
import termios
import time
from codecs import getincrementaldecoder
from fcntl import ioctl
from pathlib import Path
from subprocess import Popen, run
from types import TracebackType
from typing import Self

TIMEOUT = 20.0
PROMPT = "\n> "
CLEAR = "\x1b[2J"
CLEAR_SCROLLBACK = "\x1b[3J"
CTRL_C, CTRL_D = b"\x03", b"\x04"
# The child needs a controlling terminal, or Ctrl-C would not send a signal.
TAKE_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
PLAY = "import sys; from jaipur.cli import main; sys.exit(main(['play', *sys.argv[1:]]))"


class Terminal:
    """One run of `jaipur play` on its own pseudo-terminal."""

    def __init__(
        self, data: Path, *arguments: str, rows: int = 24, columns: int = 80, **environment: str
    ) -> None:
        self.raw = ""
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")
        self._typed_at = 0
        self.terminal, child_side = pty.openpty()
        ioctl(child_side, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = Popen(
            [sys.executable, "-c", TAKE_TERMINAL + PLAY, *arguments],
            stdin=child_side,
            stdout=child_side,
            stderr=child_side,
            start_new_session=True,
            env=child_environment(data, **environment),
        )
        os.close(child_side)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)

    @property
    def text(self) -> str:
        """All output, without colours."""
        return _without_colours(self.raw)

    @property
    def screen(self) -> str:
        """The output since the screen was last cleared."""
        return _without_colours(self.raw.rpartition(CLEAR)[2])

    @property
    def new(self) -> str:
        """The output since the last input."""
        return _without_colours(self.raw[self._typed_at :])

    def wait_for(self, *texts: str) -> str:
        """Read until one of the texts appears after the last input; returns that text."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            for text in texts:
                # A sentence may be folded between any two words.
                if text in self.new or _unfolded(text) in _unfolded(self.new):
                    return text
            if not self._read(deadline):
                raise AssertionError(f"None of {texts} appeared; the screen:\n{self.screen}")

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        self._typed_at = len(self.raw)
        os.write(self.terminal, f"{line}\r".encode())

    def press(self, key: bytes) -> None:
        """Press a key. Readline handles signals only once it waits, a moment after the prompt."""
        time.sleep(0.1)
        self._typed_at = len(self.raw)
        os.write(self.terminal, key)

    def end(self) -> int:
        """Read to the end; returns the exit status."""
        deadline = time.monotonic() + TIMEOUT
        while self._read(deadline):
            pass
        return self.process.wait(TIMEOUT)

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def _read(self, deadline: float) -> bool:
        left = max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([self.terminal], [], [], left)
        if not ready:
            return False
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # Linux raises it when the child has closed the terminal
            return False
        self.raw += self._decoder.decode(data).replace("\r\n", "\n")
        return bool(data)


def play_piped(
    data: Path, typed: bytes, *arguments: str, **environment: str
) -> tuple[int, str, str]:
    """Run `jaipur play` with pipes instead of a terminal; exit status, output and errors."""
    ended = run(
        [sys.executable, "-c", PLAY, *arguments],
        input=typed,
        capture_output=True,
        env=child_environment(data, **environment),
        check=False,
    )
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    return ended.returncode, ended.stdout.decode(encoding), ended.stderr.decode(encoding)


def child_environment(data: Path, **environment: str) -> dict[str, str]:
    """The environment without variables that change the output."""
    changing = ("NO_COLOR", "COLUMNS", "LINES")
    inherited = {name: value for name, value in os.environ.items() if name not in changing}
    ours = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "JAIPUR_DATA": str(data)}
    return inherited | ours | environment


def play_moves(terminal: Terminal, *lines: str) -> None:
    """Type moves and commands; before a number, show the list it refers to."""
    for line in lines:
        for typed in ("moves", line) if line.isdigit() else (line,):
            terminal.wait_for(PROMPT)
            terminal.type(typed)
    terminal.wait_for(PROMPT)


def listed_moves(screen: str) -> list[tuple[int, str]]:
    """The numbered moves on the screen, drawn or plain."""
    found = re.findall(r"(?m)(?:^|\s)(\d+):? +([+-][DGSCPLM]+(?:-[DGSCPLM]+)?)(?=\s|,|$)", screen)
    return sorted((int(number), move) for number, move in found)


def choose(moves: list[tuple[int, str]]) -> tuple[int, str]:
    """The largest sale, else the first move: this ends games soon."""
    number, move = moves[-1]
    return (number, move) if move.startswith("-") else moves[0]


def _unfolded(text: str) -> str:
    return " ".join(text.split()) if " " in text.strip() else text


def _without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07", "", text)
