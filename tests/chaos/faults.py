"""Faults of the machine and mistakes of the operator: a full disk, a deleted file, a second server, a clock that jumps.

Each function causes one fault; its docstring says which. It runs for `target.seconds` and returns counts.
"""

import asyncio
import sqlite3
import struct
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from chaos.client import ResponseLostError
from chaos.target import Counts, Target, move, open_table

HOUR = 3600.0
DAY = 24 * HOUR
CLOCK_FILE = "clock"


def set_clock(folder: Path, seconds: float) -> None:
    """Move the wall clock of a server that runs with clock_shim.c."""
    with (folder / CLOCK_FILE).open("r+b") as file:
        file.write(struct.pack("d", seconds))


async def full_disk(target: Target) -> Counts:
    """the file system of the database is full; there is room again after two thirds of the time"""
    filler = Path(target.folder) / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    await asyncio.sleep(target.seconds * 2 / 3)
    ready = await _readiness(target)
    filler.unlink()
    await asyncio.sleep(target.seconds / 3)
    return {"/ready while full": ready, "/ready afterwards": await _readiness(target)}


async def deleted_database(target: Target) -> Counts:
    """the database file is deleted while the server runs"""
    for suffix in ("", "-wal", "-shm"):
        Path(target.database + suffix).unlink(missing_ok=True)
    deleted = time.monotonic()
    await asyncio.sleep(target.seconds)
    return {"deleted at": deleted, "/ready": await _readiness(target)}


async def second_server(target: Target) -> Counts:
    """a second server starts on the same SQLite file, without Redis"""
    command = [target.python, "-m", "jaipur", "serve", "--port", "0", "--database", target.url]
    process = await asyncio.create_subprocess_exec(
        *command, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    first = await process.stdout.readline()
    if first:
        process.terminate()
    await process.wait()
    said = (await process.stderr.read()).decode().strip()
    await asyncio.sleep(target.seconds / 2)
    return {"second server": "runs" if first else "refused", "sentence": said}


async def wrong_version(target: Target) -> Counts:
    """the database row of a table has a higher version than its event log, and the player of this table sends a move"""
    async with target.client() as client:
        path, secret = await open_table(client)
        table = (await client.call("GET", path, None, secret)).json()
        with sqlite3.connect(target.database, timeout=20) as connection:
            connection.execute(
                "UPDATE tables SET version = version + 1 WHERE id = ?", [path.rpartition("/")[2]]
            )
        connection.close()
        deadline = target.deadline()
        body = {"move": table["moves"][0], "version": table["version"]}
        answers: list[str] = []
        while time.monotonic() < deadline and len(answers) < 3:
            try:
                async with asyncio.timeout(target.seconds / 3):
                    answers.append(
                        str((await client.request("POST", f"{path}/play", body, secret)).status)
                    )
            except ResponseLostError as lost:
                answers.append(str(lost).removeprefix("status "))
            except TimeoutError:
                answers.append("none")
        await asyncio.sleep(max(0.0, deadline - time.monotonic()))
    return {"answers": ", ".join(answers)}


async def clock_back(target: Target) -> Counts:
    """the clock steps back by an hour during a game with a live clock of ten seconds and a spectator"""
    clock = {"kind": "live", "seconds": 10, "increment": 0}
    async with target.client() as client, target.client("127.0.0.9") as spectator:
        timed, secret = await open_table(client, against="one_screen", options={"clock": clock})
        watched, other = await open_table(client)
        for _ in range(2):
            await move(client, timed, secret)
        set_clock(Path(target.folder), -HOUR)
        start, deadline = time.monotonic(), target.deadline()
        first = (await client.call("GET", timed, None, secret)).json()["clock"]
        seen = set[int]()
        while time.monotonic() < deadline:
            seen.add((await spectator.call("GET", watched)).json()["version"])
            await move(client, watched, other)
            await asyncio.sleep(1)
        last = (await client.call("GET", timed, None, secret)).json()
        passed = time.monotonic() - start
        set_clock(Path(target.folder), 0.0)
    ends = passed if last["over"] else passed + _seconds_left(first, last["clock"], passed)
    return {
        "game without a move ends after s": round(ends),
        "versions seen by a spectator": len(seen),
    }


def _seconds_left(first: dict[str, Any], last: dict[str, Any], passed: float) -> float:
    """The seconds until the live clock ends the game, if the server's clock goes on as between these two reads."""
    speed = (last["at"] - first["at"]) / 1000 / passed
    pause = max(0, last["since"] - last["at"])
    return float((pause + last["left"][last["runs"]]) / 1000 / max(speed, 0.001))


async def clock_forward(target: Target) -> Counts:
    """the clock steps forward by 31 days while a game waits for its player"""
    async with target.client() as client:
        path, secret = await open_table(client)
        await move(client, path, secret)
        set_clock(Path(target.folder), 31 * DAY)
        await asyncio.sleep(target.seconds)
        over = (await client.call("GET", path, None, secret)).json()["over"]
        set_clock(Path(target.folder), 0.0)
    return {"waiting game": "runs" if over is None else f"over by {over['by']}"}


async def _readiness(target: Target) -> str:
    async with target.client() as client:
        try:
            return str((await client.request("GET", "/ready")).status)
        except ResponseLostError as lost:
            return str(lost).removeprefix("status ")
