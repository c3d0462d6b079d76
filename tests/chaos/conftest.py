"""Servers, databases and Redis for the chaos tests."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from chaos.machine import World
from chaos.process import ServerProcess, Start
from server.services import Postgres, Redis, running_postgres, running_redis


@pytest.fixture
def anyio_backend() -> str:
    """Run coroutine tests on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A database with a long event log and a finished game."""
    return World.prepare(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as postgres:
        yield postgres


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    with running_redis() as redis:
        yield redis


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/tables.sqlite"


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers without limits: start(url, *arguments). They end with the test."""
    with ExitStack() as stack:

        def begin(url: str, *arguments: str) -> ServerProcess:
            log = tmp_path / f"log-{len(list(tmp_path.glob('log-*')))}"
            server = ServerProcess(log, url, "--limit", "0", "--tables", "0", *arguments)
            stack.callback(server.kill)
            return server

        yield begin
