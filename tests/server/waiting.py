"""Waiting in tests: for a condition that no event reports, with a time limit."""

import asyncio
from collections.abc import Callable

LIMIT = 20.0


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not condition():
            await asyncio.sleep(0.005)
