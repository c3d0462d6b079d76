"""A person at a pseudo-terminal: reads the screen, types lines. The program under it is the real one."""

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
from subprocess import Popen
from types import TracebackType

PATIENCE = 20.0
PROMPT = "\n> "
CLEAR = "\x1b[2J"
CURTAIN = "\x1b[3J"
# A new session has no terminal until it takes one; without it, Ctrl-C would be a letter like any other.
TAKE_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
PLAY = "import sys; from jaipur.cli import main; sys.exit(main(['play', *sys.argv[1:]]))"


class Terminal:
    """One run of `jaipur play` on a pseudo-terminal of its own."""

    def __init__(self, data: Path, *arguments: str, rows: int = 24, **environment: str) -> None:
        self.raw = ""
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")
        self._read_up_to = 0
        self.terminal, inside = pty.openpty()
        ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        self.process = Popen(
            [sys.executable, "-c", TAKE_TERMINAL + PLAY, *arguments],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
            env=surroundings(data, **environment),
        )
        os.close(inside)

    def __enter__(self) -> "Terminal":
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
        """Everything ever printed, without colours."""
        return _without_colours(self.raw)

    @property
    def screen(self) -> str:
        """What is to be seen now: the text since the screen was last wiped."""
        return _without_colours(self.raw.rpartition(CLEAR)[2])

    @property
    def new(self) -> str:
        """What was printed since something was typed."""
        return _without_colours(self.raw[self._read_up_to :])

    def wait_for(self, *texts: str) -> str:
        """Read until one of the texts is printed after what was typed last; the one that was."""
        end = time.monotonic() + PATIENCE
        while True:
            for text in texts:
                # A sentence may be folded anywhere between two words.
                if text in self.new or unfolded(text) in unfolded(self.new):
                    return text
            if not self._read(end):
                raise AssertionError(f"None of {texts} came; the screen:\n{self.screen}")

    def type(self, line: str) -> None:
        """Type a line, once the program has said all it has to say."""
        self._read_up_to = len(self.raw)
        os.write(self.terminal, f"{line}\r".encode())

    def press(self, key: bytes) -> None:
        """Press a key, not sooner after the prompt than a person could: readline misses signals until it waits."""
        time.sleep(0.1)
        self._read_up_to = len(self.raw)
        os.write(self.terminal, key)

    def end(self) -> int:
        """Read to the end; the exit status."""
        end = time.monotonic() + PATIENCE
        while self._read(end):
            pass
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Pull the plug."""
        self.process.kill()
        self.end()

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self.terminal], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # how Linux says that nobody writes to the terminal any more
            return False
        self.raw += self._decoder.decode(data).replace("\r\n", "\n")
        return bool(data)


def unfolded(text: str) -> str:
    return " ".join(text.split()) if " " in text.strip() else text


def surroundings(data: Path, **environment: str) -> dict[str, str]:
    """The environment of a run: nothing of the tester's that would change what is printed."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")
    }
    ours = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "JAIPUR_DATA": str(data)}
    return kept | ours | environment


def _without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07", "", text)


def listed_moves(screen: str) -> list[tuple[int, str]]:
    """The numbered moves of a list on the screen, drawn or plain."""
    found = re.findall(r"(?m)(?:^|\s)(\d+):? +([+-][DGSCPLM]+(?:-[DGSCPLM]+)?)(?=\s|,|$)", screen)
    return sorted((int(number), move) for number, move in found)


def choose(moves: list[tuple[int, str]]) -> tuple[int, str]:
    """A sale where there is one, as large as can be, else the first move: games end soon that way."""
    number, move = moves[-1]
    return (number, move) if move.startswith("-") else moves[0]
