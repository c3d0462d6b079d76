"""A minimal server for comparison. It uses Litestar and SQLAlchemy, and makes one durable transaction per request."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import sqlalchemy as sa
import uvicorn
from litestar import Litestar, post
from litestar.datastructures import State
from msgspec import Struct
from sqlalchemy.ext.asyncio import create_async_engine

rows = sa.Table(
    "bare_rows",
    sa.MetaData(),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)


class Row(Struct):
    """The content of a row."""

    move: str
    version: int


@post("/row", status_code=200)
async def write(data: Row, state: State) -> Row:
    async with state.writing, state.engine.begin() as connection:
        await connection.execute(rows.insert().values(text=data.move))
    return data


@asynccontextmanager
async def running(app: Litestar) -> AsyncIterator[None]:
    url = sa.engine.make_url(os.environ["BARE_DATABASE"])
    sqlite = url.get_backend_name() == "sqlite"
    engine = create_async_engine(
        url.set(drivername="sqlite+aiosqlite" if sqlite else "postgresql+asyncpg"),
        pool_size=1 if sqlite else 8,
    )
    if sqlite:

        @sa.event.listens_for(engine.sync_engine, "connect")
        def _(connection: sa.engine.interfaces.DBAPIConnection, _record: object) -> None:
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
            cursor.close()

    async with engine.begin() as connection:
        await connection.run_sync(rows.metadata.create_all)
    # SQLite allows only one writer at a time.
    app.state.update(engine=engine, writing=asyncio.Semaphore(1 if sqlite else 8))
    yield
    await engine.dispose()


def application() -> Litestar:
    return Litestar([write], lifespan=[running], openapi_config=None)


if __name__ == "__main__":
    uvicorn.run(
        "bare_server:application",
        factory=True,
        port=int(sys.argv[1]),
        http="httptools",
        access_log=False,
        log_level="warning",
    )
