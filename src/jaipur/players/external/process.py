"""Players in any language: a bot is a process that reads one line a turn and answers with a move.

A bot that is late, dead, illegal or babbling loses the round by `Forfeit`. It is ended at once, with all it started,
and begun anew when it is next asked. Our memory does not grow with what it says.
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

from jaipur.players.budget import Budget
from jaipur.players.external.protocol import MoveRequest, seed_from, write_request
from jaipur.rules import Move, NotationError, View
from jaipur.rules.input_errors import printable

BOT_PREFIX = "cmd:"
MOVE_TIME_LIMIT = 10.0
"""Seconds for a move where the budget gives none."""
GRACE_SECONDS = 1.0
"""Seconds on top of every budget, for the way there and back."""
STARTUP_SECONDS = 5.0
"""Seconds more for the first move of a process: interpreters take their time to load."""

_LONGEST_ANSWER = 1000
_CHUNK = 1 << 16
_LAST_WORDS = 2000
_FAREWELL = 0.2


class Forfeit(ValueError):  # noqa: N818  # it is what happened, not what went wrong with us
    """A player did not answer as it must and loses the round. The reason is one word; the text says more."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


class Bot:
    """A player that is a process; it is started when it is first asked."""

    def __init__(
        self, command: str, limit: float = MOVE_TIME_LIMIT, grace: float = GRACE_SECONDS
    ) -> None:
        """ValueError where the command cannot be a program of this machine."""
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
            answer = self._ask(request.encode() + b"\n", seconds + self._grace)
            return _move(answer, moves)
        except BaseException:
            # Whatever it says from now on would be taken for an answer to the next question.
            self._end(farewell=0)
            raise

    def close(self) -> None:
        self._end(farewell=_FAREWELL)

    def _ask(self, request: bytes, seconds: float) -> bytes:
        if self._process is None:
            try:
                self._process = _Process(self._arguments)
            except OSError as error:
                raise Forfeit("dead", f"It does not start: {error.strerror}.") from None
            seconds += STARTUP_SECONDS
        try:
            return self._process.ask(request, seconds)
        except _Ended:
            raise Forfeit("dead", self._process.last_words()) from None

    def _end(self, farewell: float) -> None:
        if self._process is not None:
            self._process.end(farewell)
            self._process = None


def _move(answer: bytes, moves: Sequence[Move]) -> Move:
    text = answer.decode(errors="replace").strip()
    try:
        move = Move.parse(text)
    except NotationError as error:
        raise Forfeit("illegal", f"{error}.") from None
    if move not in moves:
        raise Forfeit("illegal", f"It plays {move}, which is not among the moves.")
    return move


class _Ended(Exception):  # noqa: N818  # an end, perhaps a wanted one
    """The process has gone."""


class _Process:
    """One run of a program in a process group of its own, with deadlines on both of its pipes."""

    def __init__(self, arguments: list[str]) -> None:
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(
            arguments, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
        _groups.add(self._child.pid)
        streams = (self._child.stdin, self._child.stdout, self._child.stderr)
        self._streams = [stream for stream in streams if stream is not None]
        self._in, self._out, errors = (stream.fileno() for stream in self._streams)
        os.set_blocking(self._in, False)
        self._answers = selectors.DefaultSelector()
        self._answers.register(self._out, selectors.EVENT_READ)
        self._said = b""
        # Drained by a thread, so that a bot that complains much is never held up.
        self._listener = threading.Thread(target=self._listen, args=(errors,), daemon=True)
        self._listener.start()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and wait for one; `_Ended` when the process ends instead."""
        if self._answers.select(0):
            if not os.read(self._out, 1):
                raise _Ended
            raise Forfeit("babbling", "It speaks without being asked.")
        deadline = monotonic() + seconds
        late = Forfeit("late", f"It gives no answer in {seconds:g} s.")
        self._send(line, deadline, late)
        said = b""
        while b"\n" not in said:
            if len(said) > _LONGEST_ANSWER:
                raise Forfeit("babbling", "It speaks without end.")
            if not self._answers.select(max(0.0, deadline - monotonic())):
                raise late
            chunk = os.read(self._out, _CHUNK)
            if not chunk:
                raise _Ended
            said += chunk
        answer, _, more = said.partition(b"\n")
        if more or len(answer) > _LONGEST_ANSWER:
            raise Forfeit("babbling", "It says more than one move.")
        return answer

    def _send(self, line: bytes, deadline: float, late: Forfeit) -> None:
        """Write a line; a bot that does not read may leave no room for it."""
        while line:
            try:
                line = line[os.write(self._in, line) :]
            except BlockingIOError:
                with selectors.DefaultSelector() as room:
                    room.register(self._in, selectors.EVENT_WRITE)
                    if not room.select(max(0.0, deadline - monotonic())):
                        raise late from None
            except BrokenPipeError:
                raise _Ended from None

    def end(self, farewell: float) -> None:
        """Close its input, give it a moment to leave, then end the whole group."""
        self._streams.pop(0).close()
        if farewell:
            self._answers.select(farewell)
        _kill(self._child.pid)
        self._child.wait()
        self._answers.close()
        self._streams.pop(0).close()
        # Only a program that fled from its group can still hold the other end.
        self._listener.join(_FAREWELL)
        if not self._listener.is_alive():
            self._streams.pop(0).close()

    def last_words(self) -> str:
        """The last line it wrote to its standard error."""
        self._listener.join(_FAREWELL)
        lines = self._said.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"It has ended: {printable(last[:200])}" if last else "It has ended."

    def _listen(self, errors: int) -> None:
        while chunk := os.read(errors, _CHUNK):
            self._said = (self._said + chunk)[-_LAST_WORDS:]


_groups: set[int] = set()


def _kill(group: int) -> None:
    # Called before the leader is waited for, so the number cannot belong to anybody else yet.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    _groups.discard(group)


@atexit.register
def kill_bots() -> None:
    """End every bot of this process; for those who leave in a hurry."""
    for group in list(_groups):
        _kill(group)
