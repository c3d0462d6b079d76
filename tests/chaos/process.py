"""A real `jaipur serve` process, and its memory, processor time and file descriptors as /proc shows them."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Protocol

_TICKS = os.sysconf("SC_CLK_TCK")


class StartError(Exception):
    """The server did not start. The message is what it printed."""


class ServerProcess:
    """A server that can be killed and started again on the same port."""

    def __init__(
        self,
        log: Path,
        url: str,
        *arguments: str,
        python: str = sys.executable,
        descriptors: int | None = None,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.log = log
        self.port = 0
        self.arguments = list(arguments)
        self._url = url
        self._python = python
        self._descriptors = descriptors
        self._environment = os.environ | (environment or {})
        self.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self) -> None:
        self.log.touch()
        begun = self.log.stat().st_size
        command = [self._python, "-m", "jaipur", "serve", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--database", self._url, *self.arguments],
                cwd="/",
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        if self._descriptors is not None:
            most = (self._descriptors, self._descriptors)
            resource.prlimit(self.pid, resource.RLIMIT_NOFILE, most)
        deadline = time.monotonic() + 60
        while not (found := re.search(rb"open at \S+:(\d+)", self.log.read_bytes()[begun:])):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise StartError(self.log.read_bytes()[begun:].decode())
            time.sleep(0.02)
        self.port = int(found[1])

    def kill(self) -> None:
        """End the server and its worker processes with SIGKILL."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()

    def memory(self) -> tuple[float, float]:
        """Resident megabytes of the server process, and of the server with its worker processes."""
        sizes = [_resident(pid) for pid in _tree(self.pid)]
        return sizes[0], sum(sizes)

    def processor_seconds(self) -> float:
        """Processor time of the server process so far, without its worker processes."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def descriptors(self) -> int:
        """The number of open file descriptors of the server process."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))


class Start(Protocol):
    """Starts a server without limits."""

    def __call__(self, url: str, *arguments: str) -> ServerProcess: ...


def _tree(pid: int) -> list[int]:
    """The process and all its descendants."""
    found = [pid]
    for parent in found:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):  # a thread or process may have ended
                found += map(int, children.read_text().split())
    return found


def _resident(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0.0  # the process has ended
