"""What a run needs from the machine: a prepared database, a small file system, a clock that tests can move."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from chaos import faults
from chaos.process import ServerProcess
from chaos.target import prepare

UNLIMITED = ("--limit", "0", "--tables", "0")
FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class World:
    """A database with the tables that attacks read. Every run starts with a copy."""

    folder: Path
    long: tuple[str, str]
    finished: tuple[str, str]

    @classmethod
    def prepare(cls, folder: Path, python: str = sys.executable, events: int = 3000) -> "World":
        server = ServerProcess(
            folder / "log", f"sqlite:///{folder}/tables.sqlite", *UNLIMITED, python=python
        )
        try:
            long, finished = asyncio.run(prepare(server.port, events))
        finally:
            server.kill()
        return cls(folder, long, finished)

    def copy_to(self, folder: Path) -> str:
        for file in self.folder.glob("tables.sqlite*"):
            shutil.copy(file, folder)
        return f"sqlite:///{folder}/tables.sqlite"


@contextmanager
def small_disk(folder: Path, megabytes: int = 24) -> Iterator[None]:
    """A small tmpfs on this folder; `PermissionError` if this process may not mount one."""
    size = f"size={megabytes}m"
    command = ["mount", "-t", "tmpfs", "-o", size, "none", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PermissionError(done.stderr.strip())
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def clock_shim(folder: Path) -> dict[str, str]:
    """The environment of a process whose wall clock `faults.set_clock` moves. Needs a C compiler."""
    library = folder / "clock_shim.so"
    source = str(FOLDER / "clock_shim.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), source, "-ldl"], check=True)
    (folder / faults.CLOCK_FILE).write_bytes(bytes(8))
    return {"LD_PRELOAD": str(library), "CLOCK_SHIM_FILE": str(folder / faults.CLOCK_FILE)}
