"""Services for the tests of the server. Each test process starts its own, once, and only when a test asks for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.services import Postgres, Redis, running_postgres, running_redis


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines run on asyncio."""
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
    return f"sqlite:///{tmp_path}/journals.db"


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    """A fresh database."""
    return postgres.new_database()


@pytest.fixture(params=["sqlite", "postgres"])
def storage_url(request: pytest.FixtureRequest) -> str:
    """A fresh storage of either kind: a test that asks for it runs on both."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
