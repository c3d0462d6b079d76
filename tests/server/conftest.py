"""Database and Redis services for the server tests. Each test process starts its own, on first use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.services import Postgres, Redis, running_postgres, running_redis


@pytest.fixture
def anyio_backend() -> str:
    """Run coroutine tests on asyncio."""
    return "asyncio"


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
    return f"sqlite:///{tmp_path}/events.db"


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    """A new database."""
    return postgres.new_database()


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A new database of each kind: the test runs on both."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
