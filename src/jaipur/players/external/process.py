"""Bots in any language. A bot is a separate process that reads one line per turn and answers with a move.

A bot that is late, exits, plays an illegal move or writes too much loses the round (`Forfeit`). We then kill its
process group immediately. The next request starts the bot again. Our memory use does not depend on how much a bot
writes.
"""

import atexit
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import monotonic

from jaipur.players.external.protocol import MoveRequest, seed_from, write_request
from jaipur.players.player import Budget
from jaipur.rules import Move, NotationError, View
from jaipur.rules.input_errors import printable

BOT_PREFIX = "cmd:"
MOVE_TIME_LIMIT = 10.0
"""A bot has this many seconds for a move if the budget has no time limit."""
GRACE_SECONDS = 1.0
"""These seconds are added to every time limit, for the transfer of the messages."""
STARTUP_SECONDS = 5.0
"""These seconds are added to the limit of the first move of a process, because interpreters start slowly."""

_MAX_ANSWER_BYTES = 1000
_CHUNK = 1 << 16  # bytes per read
_STDERR_BYTES = 2000  # kept from the end of standard error, for the error message
_EXIT_SECONDS = 0.2  # the time to exit after we close the input


class Forfeit(ValueError):  # noqa: N818  # a result of the game, not an error of this program
    """A player broke the protocol and loses the round. `reason` is one word, and `message` is a sentence."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


class Bot:
    """A player that runs as a process. The process starts on the first request."""

    def __init__(
        self, command: str, limit: float = MOVE_TIME_LIMIT, grace: float = GRACE_SECONDS
    ) -> None:
        """Raise `ValueError` if the program of the command does not exist on this machine."""
        self.limit = limit
        self._grace = grace
        self._arguments = shlex.split(command)
        if not self._arguments:
            raise ValueError(f"A program follows “{BOT_PREFIX}”.")
        if shutil.which(self._arguments[0]) is None:
            raise ValueError(f"There is no program “{printable(self._arguments[0])}”.")
        self._process: _Process | None = None

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        request = write_request(MoveRequest(view, moves, budget, seed_from(rng)))
        seconds = self.limit if budget.seconds is None else budget.seconds
        try:
            answer = self._request(request.encode() + b"\n", seconds + self._grace)
            return _parse_answer(answer, moves)
        except BaseException:
            # Stop the process. Otherwise we would read its late output as the answer to the next request.
            self._stop(exit_seconds=0)
            raise

    def close(self) -> None:
        self._stop(exit_seconds=_EXIT_SECONDS)

    def _request(self, line: bytes, seconds: float) -> bytes:
        if self._process is None:
            try:
                self._process = _Process(self._arguments)
            except OSError as error:
                raise Forfeit("dead", f"The process does not start: {error.strerror}.") from None
            seconds += STARTUP_SECONDS
        try:
            return self._process.request(line, seconds)
        except _ProcessEnded:
            raise Forfeit("dead", self._process.exit_message()) from None

    def _stop(self, exit_seconds: float) -> None:
        if self._process is not None:
            self._process.stop(exit_seconds)
            self._process = None


def _parse_answer(answer: bytes, moves: Sequence[Move]) -> Move:
    text = answer.decode(errors="replace").strip()
    try:
        move = Move.parse(text)
    except NotationError as error:
        raise Forfeit("illegal", f"{error}.") from None
    if move not in moves:
        raise Forfeit("illegal", f"{move} is not one of the legal moves.")
    return move


class _ProcessEnded(Exception):  # noqa: N818  # not always an error
    """The process ended or closed its output."""


class _Process:
    """A running program in its own process group. Reading and writing have deadlines."""

    def __init__(self, arguments: list[str]) -> None:
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(
            arguments, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
        _groups.add(self._child.pid)
        streams = (self._child.stdin, self._child.stdout, self._child.stderr)
        self._streams = [stream for stream in streams if stream is not None]
        self._stdin, self._stdout, stderr = (stream.fileno() for stream in self._streams)
        os.set_blocking(self._stdin, False)
        self._readable = selectors.DefaultSelector()
        self._readable.register(self._stdout, selectors.EVENT_READ)
        self._stderr_tail = b""
        # A thread reads standard error. Otherwise a bot that writes much to standard error would block.
        self._stderr_reader = threading.Thread(
            target=self._drain_stderr, args=(stderr,), daemon=True
        )
        self._stderr_reader.start()

    def request(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the answer line. Raise `_ProcessEnded` if the process ends before it answers."""
        if self._readable.select(0):
            if not os.read(self._stdout, 1):
                raise _ProcessEnded
            raise Forfeit("babbling", "Output before a request.")
        deadline = monotonic() + seconds
        late = Forfeit("late", f"No answer within {seconds:g} s.")
        self._send(line, deadline, late)
        received = b""
        while b"\n" not in received:
            if not self._readable.select(max(0.0, deadline - monotonic())):
                raise late
            chunk = os.read(self._stdout, _CHUNK)
            if not chunk:
                raise _ProcessEnded
            received += chunk
            answer, _, rest = received.partition(b"\n")
            if len(answer) > _MAX_ANSWER_BYTES:
                raise Forfeit("babbling", f"A line of more than {_MAX_ANSWER_BYTES} bytes.")
        if rest:
            raise Forfeit("babbling", "More than one line.")
        return answer

    def _send(self, line: bytes, deadline: float, late: Forfeit) -> None:
        """Write a line. If the bot does not read, the pipe is full: raise `late` at the deadline."""
        while line:
            try:
                line = line[os.write(self._stdin, line) :]
            except BlockingIOError:
                with selectors.DefaultSelector() as writable:
                    writable.register(self._stdin, selectors.EVENT_WRITE)
                    if not writable.select(max(0.0, deadline - monotonic())):
                        raise late from None
            except BrokenPipeError:
                raise _ProcessEnded from None

    def stop(self, exit_seconds: float) -> None:
        """Close the input of the process, wait for its exit, then kill its process group."""
        self._streams.pop(0).close()
        if exit_seconds:
            self._readable.select(exit_seconds)
        _kill(self._child.pid)
        self._child.wait()
        self._readable.close()
        self._streams.pop(0).close()
        # If a child of the bot left the process group, it may still hold standard error open.
        self._stderr_reader.join(_EXIT_SECONDS)
        if not self._stderr_reader.is_alive():
            self._streams.pop(0).close()

    def exit_message(self) -> str:
        """Return a sentence that says that the process ended, with the last line of its standard error."""
        self._stderr_reader.join(_EXIT_SECONDS)
        lines = self._stderr_tail.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"The process ended: {printable(last[:200])}" if last else "The process ended."

    def _drain_stderr(self, stderr: int) -> None:
        while chunk := os.read(stderr, _CHUNK):
            self._stderr_tail = (self._stderr_tail + chunk)[-_STDERR_BYTES:]


_groups: set[int] = set()


def _kill(group: int) -> None:
    # We have not waited for the process yet. Therefore no other process can have the same process id.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    _groups.discard(group)


@atexit.register
def kill_bots() -> None:
    """Kill all bots that this process has started. Call this before an exit that does not close the players."""
    for group in list(_groups):
        _kill(group)
